import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';

/** What of a spec tells where a workload is. */
export type Placed = Pick<ResourceBindingSpec, 'clusters' | 'gracefulEvictionTasks'>;

/** Where a binding's workload is and from where it is being evicted; absent replicas are 0. */
export function placementOf(spec: Placed): { clusters: TargetCluster[]; evicting: string[] } {
  return { clusters: placedOn(spec), evicting: evictingFrom(spec) };
}

/** Where a binding's workload is; absent replicas are 0. */
export function placedOn({ clusters }: Placed): TargetCluster[] {
  // Most say it just so already, and nothing is changed in place.
  if (clusters?.every(saysReplicasAlone)) return clusters;
  return (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

function saysReplicasAlone(target: TargetCluster): boolean {
  for (const field in target) if (field !== 'name' && field !== 'replicas') return false;
  return target.replicas !== undefined;
}

/** The clusters that it is being evicted from. */
export function evictingFrom({ gracefulEvictionTasks }: Placed): string[] {
  return (gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
}

/** Whether the replicas are divided among the clusters. Otherwise each cluster gets all of them (Duplicated). */
export function dividesReplicas({ placement }: Pick<ResourceBindingSpec, 'placement'>): boolean {
  return placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
}

/** Where a workload is being evicted from and placed no more, with the replicas that it had there. */
export function leavingClusters({ clusters, gracefulEvictionTasks }: ResourceBindingSpec): TargetCluster[] {
  return (gracefulEvictionTasks ?? [])
    .filter(({ fromCluster }) => !clusters?.some(({ name }) => name === fromCluster))
    .map(({ fromCluster: name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

/**
 * Copies that a workload whose replicas are not divided is to have. One that leaves is replaced if its spread constraints
 * had kept it from other clusters; without them it is wherever it can be, and nothing is left to replace the copy.
 */
export function wantedCopies(spec: ResourceBindingSpec): number {
  const { clusters = [], placement } = spec;
  const constraints = placement?.spreadConstraints ?? [];
  const byCluster = constraints.filter(({ spreadByField }) => spreadByField === 'cluster');
  const limits = (byCluster.length > 0 ? byCluster : constraints).map(
    ({ maxGroups }) => maxGroups || Infinity,
  );
  const places = Math.min(clusters.length + leavingClusters(spec).length, ...limits);
  return placement ? Math.max(places, 1) : places;
}

/**
 * Replicas that a workload is to have over all its clusters. Fewer than are ready where an eviction is under way:
 * the old copy is then kept beside its replacement.
 */
export function wantedReplicas({ spec }: Pick<ResourceBinding, 'spec'>): number {
  const { replicas = 0 } = spec;
  return dividesReplicas(spec) ? replicas : replicas * wantedCopies(spec);
}
