import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../evidence.ts';

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

/** The task that the filter's refusal rests on. */
export function clusterEvictionEvidence(spec: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  const tasks = spec.gracefulEvictionTasks ?? [];
  const index = tasks.findIndex(({ fromCluster }) => fromCluster === cluster.metadata.name);
  if (index === -1) return [];
  const { reason, producer } = tasks[index]!;
  return [
    {
      rule: `is being left by an eviction task (${[reason, producer].filter(Boolean).join(', by ')})`,
      field: `spec.gracefulEvictionTasks[${index}].fromCluster`,
      value: cluster.metadata.name,
    },
  ];
}
