import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import type { ClusterColumns } from '../../selection/clusterColumns.ts';
import { removeCluster, type ClusterSet } from '../../selection/clusterSet.ts';

const CLUSTER_EVICTION_REASON = 'cluster(s) is in the process of eviction';

/**
 * The reason for which the ClusterEviction filter rejects a cluster: a graceful eviction task of the binding names
 * it, even if the scheduling result does too. Undefined if the cluster passes.
 */
export function clusterEvictionFilter(spec: ResourceBindingSpec, cluster: Cluster): string | undefined {
  return spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster.metadata.name)
    ? CLUSTER_EVICTION_REASON
    : undefined;
}

/** The filter over all clusters: keeps in `set` those that no task names. */
export function keepNotEvicted(set: ClusterSet, { index }: ClusterColumns, spec: ResourceBindingSpec): void {
  for (const { fromCluster } of spec.gracefulEvictionTasks ?? []) {
    const at = index.get(fromCluster);
    if (at !== undefined) removeCluster(set, at);
  }
}
