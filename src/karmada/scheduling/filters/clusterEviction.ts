import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import { notNamed } from '../../selection/clusterAffinity.ts';
import { because, type Filter } from './filter.ts';

const CLUSTER_EVICTION_REASON = 'cluster(s) is in the process of eviction';

/** No graceful eviction task of the binding may name a cluster, even if the scheduling result does too. */
export const clusterEviction: Filter = {
  plugin: 'ClusterEviction',
  spares: 'none',
  demands: ({ gracefulEvictionTasks: tasks }) =>
    tasks?.length
      ? [because(CLUSTER_EVICTION_REASON, notNamed(tasks.map(({ fromCluster }) => fromCluster)))]
      : [],
  evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
};

/** The task that names the cluster. */
function clusterEvictionEvidence(spec: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (spec.gracefulEvictionTasks ?? []).flatMap((task, index): Evidence[] => {
    const { fromCluster, reason, producer } = task;
    if (fromCluster !== cluster.metadata.name) return [];
    return [
      {
        rule: `is being left by an eviction task (${[reason, producer].filter(Boolean).join(', by ')})`,
        field: `spec.gracefulEvictionTasks[${index}].fromCluster`,
        value: fromCluster,
      },
    ];
  });
}
