import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../karmada/api/work.ts';
import { clusterMatches, keepMatching } from '../../selection/clusterAffinity.ts';
import type { ClusterColumns } from '../../selection/clusterColumns.ts';
import { addAll, type ClusterSet } from '../../selection/clusterSet.ts';
import { isWorkload } from '../../selection/isWorkload.ts';

export const CLUSTER_AFFINITY_REASON = 'cluster(s) did not match the placement cluster affinity constraint';

/**
 * Whether the ClusterAffinity filter lets a cluster pass for a binding: what placement.clusterAffinity selects,
 * else what the affinity term that the scheduler is at selects, its overflow terms included for workloads.
 * Without a clusterAffinity and without a term of that name every cluster passes.
 */
export function bindingAffinityMatches(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
): boolean {
  const affinities = affinitiesInForce(spec, status);
  return affinities.length === 0 || affinities.some((affinity) => clusterMatches(cluster, affinity));
}

/** The filter over all clusters: keeps in `set` those that pass. */
export function keepMatchingBindingAffinity(
  set: ClusterSet,
  columns: ClusterColumns,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): void {
  const affinities = affinitiesInForce(spec, status);
  if (affinities.length === 0) return;
  if (affinities.length === 1) return keepMatching(set, columns, affinities[0]!);
  const all = set.slice();
  set.fill(0);
  for (const affinity of affinities) {
    const matching = all.slice();
    keepMatching(matching, columns, affinity);
    addAll(set, matching);
  }
}

/** The reason for which the ClusterAffinity filter rejects a cluster, undefined when the cluster passes. */
export function clusterAffinityFilter(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
): string | undefined {
  return bindingAffinityMatches(spec, status, cluster) ? undefined : CLUSTER_AFFINITY_REASON;
}

function affinitiesInForce(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): ClusterAffinity[] {
  const placement = spec.placement;
  if (placement?.clusterAffinity) return [placement.clusterAffinity];
  const observed = status?.schedulerObservingAffinityName ?? '';
  const term = placement?.clusterAffinities?.find(({ affinityName }) => (affinityName ?? '') === observed);
  if (!term) return [];
  return isWorkload(spec) ? [term, ...(term.overflowAffinities ?? [])] : [term];
}
