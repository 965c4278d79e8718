import type { ResourceBinding } from '../../karmada/api/work.ts';

/**
 * Replicas that a workload is to have over all its clusters. Fewer than are ready where an eviction is under way:
 * the old copy is then kept beside its replacement.
 */
export function wantedReplicas({ metadata, spec, status }: ResourceBinding): number {
  const { replicas = 0, clusters = [], gracefulEvictionTasks = [], placement } = spec;
  if (placement?.replicaScheduling?.replicaSchedulingType === 'Divided') return replicas;
  const scheduled = status?.schedulerObservedGeneration === metadata.generation;
  const leaving = gracefulEvictionTasks.filter(
    ({ fromCluster }) => !clusters.some(({ name }) => name === fromCluster),
  );
  // whether a copy takes the place of one that leaves is known only when it has been scheduled
  return replicas * (clusters.length + (scheduled && clusters.length > 0 ? 0 : leaving.length));
}
