import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import { withBlocksAt } from './filters/evictionHistory.ts';
import type { FilterContext } from './filters/filter.ts';
import { rejecting } from './filters/filters.ts';

/**
 * Whether karmada-scheduler may choose a cluster for a binding again after the eviction: all filters let the cluster
 * pass if the binding is on none of the clusters to leave and has no eviction task for it. Room, spread and scores may
 * still decide otherwise.
 *
 * @param leave names of the clusters to leave
 * @param context a snapshot of the clusters
 * @param now epoch milliseconds
 */
export function mayReturn(
  { spec, status }: ResourceBinding,
  leave: readonly string[],
  cluster: Cluster,
  context: FilterContext,
  now: number,
): boolean {
  if (cluster.metadata.deletionTimestamp) return false;
  const after: ResourceBindingSpec = {
    ...withBlocksAt(spec, now),
    clusters: (spec.clusters ?? []).filter(({ name }) => !leave.includes(name)),
    gracefulEvictionTasks: [],
  };
  return context.filters.every((filter) => rejecting(filter, after, status, context)(cluster) === undefined);
}
