import type { Cluster } from '../../api/cluster.ts';
import type { ClusterAffinity } from '../../api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import { addAll, type ClusterSet } from '../../selection/clusterSet.ts';
import { isWorkload } from '../../selection/isWorkload.ts';
import { observedAffinity } from '../observedAffinity.ts';
import { overflowAffinitiesOf } from '../overflow.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { FilterColumns, FilterContext } from './filter.ts';

const CLUSTER_AFFINITY_REASON = 'cluster(s) did not match the placement cluster affinity constraint';

/** What decides besides the binding and the cluster. */
export type AffinityContext = Pick<FilterContext, 'affinities' | 'rules'>;

/**
 * Whether the ClusterAffinity filter lets a cluster pass for a binding: the clusters that placement.clusterAffinity
 * selects, else the observed affinity term (for workloads, with its overflow terms). Without a clusterAffinity and a
 * term of that name, every cluster passes.
 */
export function bindingAffinityMatches(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  { affinities, rules }: AffinityContext,
): boolean {
  const inForce = affinitiesInForce(spec, status, rules);
  return inForce.length === 0 || inForce.some((affinity) => affinities.matches(cluster, affinity));
}

/** The filter over all clusters: keeps in `set` those that pass. */
export function keepMatchingBindingAffinity(
  set: ClusterSet,
  columns: FilterColumns,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): void {
  const { affinities, rules } = columns;
  const inForce = affinitiesInForce(spec, status, rules);
  if (inForce.length === 0) return;
  if (inForce.length === 1) return affinities.keep(set, columns, inForce[0]!);
  const all = set.slice();
  set.fill(0);
  for (const affinity of inForce) {
    const matching = all.slice();
    affinities.keep(matching, columns, affinity);
    addAll(set, matching);
  }
}

/** The reason for which the ClusterAffinity filter rejects a cluster, undefined if the cluster passes. */
export function clusterAffinityFilter(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  context: AffinityContext,
): string | undefined {
  return bindingAffinityMatches(spec, status, cluster, context) ? undefined : CLUSTER_AFFINITY_REASON;
}

function affinitiesInForce(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  rules: SchedulingRules,
): ClusterAffinity[] {
  const placement = spec.placement;
  if (placement?.clusterAffinity) return [placement.clusterAffinity];
  const term = placement?.clusterAffinities?.[observedAffinity(placement, status)];
  if (!term) return [];
  return isWorkload(spec) ? [term, ...overflowAffinitiesOf(term, rules)] : [term];
}
