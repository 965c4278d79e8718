import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { filtersOf } from './feasibleClusters.ts';
import { noWorkloadGroups } from './workloadGroups.ts';

/**
 * Whether karmada-scheduler may choose a cluster for a binding again once it has left: all of its filters let the cluster
 * pass when the binding is on none of the clusters to leave and no eviction task stands in the way. What else decides
 * (room, spread, scores) is the scheduler's.
 *
 * @param leave names of the clusters to leave
 * @param snapshot without it the filters of the gate WorkloadAffinity, which look at other bindings, are not asked
 */
export function mayReturn(
  { spec, status }: ResourceBinding,
  leave: readonly string[],
  cluster: Cluster,
  snapshot?: Pick<ClusterSnapshot, 'options' | 'workloads'>,
): boolean {
  if (cluster.metadata.deletionTimestamp) return false;
  const after: ResourceBindingSpec = {
    ...spec,
    clusters: (spec.clusters ?? []).filter(({ name }) => !leave.includes(name)),
    gracefulEvictionTasks: [],
  };
  return filtersOf(snapshot?.options).every(
    ({ reject }) => reject(after, status, cluster, snapshot?.workloads ?? noWorkloadGroups) === undefined,
  );
}
