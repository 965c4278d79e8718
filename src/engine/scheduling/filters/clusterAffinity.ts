import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../karmada/api/work.ts';
import { compileClusterAffinity } from '../../selection/clusterAffinity.ts';
import type { ClusterMatcher } from '../../selection/clusterAffinity.ts';
import { isWorkload } from '../../selection/isWorkload.ts';

export const CLUSTER_AFFINITY_REASON = 'cluster(s) did not match the placement cluster affinity constraint';

/**
 * The ClusterAffinity filter for one binding, over many clusters: what placement.clusterAffinity selects,
 * else what the affinity term that the scheduler is at selects, its overflow terms included for workloads.
 * Without a clusterAffinity and without a term of that name every cluster passes.
 */
export function compileBindingAffinity(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): ClusterMatcher {
  const affinities = affinitiesInForce(spec, status).map(compileClusterAffinity);
  if (affinities.length === 0) return () => true;
  if (affinities.length === 1) return affinities[0]!;
  return (cluster) => affinities.some((matches) => matches(cluster));
}

/** Whether the ClusterAffinity filter lets one cluster pass for a binding. */
export function bindingAffinityMatches(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
): boolean {
  return compileBindingAffinity(spec, status)(cluster);
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
