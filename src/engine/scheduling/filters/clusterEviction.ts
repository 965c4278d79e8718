import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';

export const CLUSTER_EVICTION_REASON = 'cluster(s) is in the process of eviction';

/**
 * The reason for which the ClusterEviction filter rejects a cluster: a graceful eviction task of the binding
 * names it, even where the scheduling result does too. Undefined when the cluster passes.
 */
export function clusterEvictionFilter(spec: ResourceBindingSpec, cluster: Cluster): string | undefined {
  return spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster.metadata.name)
    ? CLUSTER_EVICTION_REASON
    : undefined;
}
