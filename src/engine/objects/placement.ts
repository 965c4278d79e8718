import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import { isAttached } from './dependents.ts';

/** What of a spec tells where a workload is. */
export type Placed = Pick<
  ResourceBindingSpec,
  'clusters' | 'gracefulEvictionTasks' | 'requiredBy' | 'placement'
>;

/** Where a binding's workload is and from where it is being evicted; absent replicas are 0. */
export function placementOf(spec: Placed): { clusters: TargetCluster[]; evicting: string[] } {
  return { clusters: placedOn(spec), evicting: evictingFrom(spec) };
}

/**
 * Where a binding's workload is; absent replicas are 0. What follows others is where they are, whoever requires it first; the
 * replicas there are theirs.
 */
export function placedOn(spec: Placed): TargetCluster[] {
  if (isAttached(spec))
    return targetClusters(spec)
      .map(({ name }) => ({ name, replicas: 0 }))
      .sort((a, b) => compareUtf8(a.name, b.name));
  const { clusters } = spec;
  // Most say it just so already, and nothing is changed in place.
  if (clusters?.every(saysReplicasAlone)) return clusters;
  return (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

function saysReplicasAlone(target: TargetCluster): boolean {
  for (const field in target) if (field !== 'name' && field !== 'replicas') return false;
  return target.replicas !== undefined;
}

/**
 * The clusters whose Works are written: the scheduling result, then clusters that bindings depending on this one
 * bring in addition. Works that only a task keeps are left as they are.
 */
export function targetClusters(spec: Pick<ResourceBindingSpec, 'clusters' | 'requiredBy'>): TargetCluster[] {
  if (!spec.requiredBy?.length) return spec.clusters ?? [];
  const targets = [...(spec.clusters ?? [])];
  const names = new Set(targets.map(({ name }) => name));
  for (const { clusters = [] } of spec.requiredBy)
    for (const target of clusters) {
      if (names.has(target.name)) continue;
      names.add(target.name);
      targets.push(target);
    }
  return targets;
}

/** The clusters that it is being evicted from. */
export function evictingFrom({ gracefulEvictionTasks }: Pick<Placed, 'gracefulEvictionTasks'>): string[] {
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
