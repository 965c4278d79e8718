import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';

/** Where a binding's workload is and from where it is being evicted; absent replicas are 0. */
export function placementOf(spec: ResourceBindingSpec): { clusters: TargetCluster[]; evicting: string[] } {
  return {
    clusters: (spec.clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 })),
    evicting: (spec.gracefulEvictionTasks ?? []).map((task) => task.fromCluster),
  };
}

/** Whether the replicas are divided among the clusters. Otherwise each cluster gets all of them (Duplicated). */
export function dividesReplicas({ placement }: Pick<ResourceBindingSpec, 'placement'>): boolean {
  return placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
}

/**
 * Replicas that a workload is to have over all its clusters. Fewer than are ready where an eviction is under way:
 * the old copy is then kept beside its replacement.
 */
export function wantedReplicas({ metadata, spec, status }: ResourceBinding): number {
  const { replicas = 0, clusters = [], gracefulEvictionTasks = [] } = spec;
  if (dividesReplicas(spec)) return replicas;
  const scheduled = status?.schedulerObservedGeneration === metadata.generation;
  const leaving = gracefulEvictionTasks.filter(
    ({ fromCluster }) => !clusters.some(({ name }) => name === fromCluster),
  );
  // whether a copy takes the place of one that leaves is known only when it has been scheduled
  return replicas * (clusters.length + (scheduled && clusters.length > 0 ? 0 : leaving.length));
}
