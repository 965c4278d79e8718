import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';

/** Why the room for replicas is an estimate. */
export function roomDoubts(
  { scheduler, featureGates }: Pick<Configuration, 'scheduler' | 'featureGates'>,
  clusters: readonly Cluster[],
): string[] {
  const modelled = clusters.some(
    ({ status }) =>
      status?.resourceSummary?.allocatableModelings?.length && status.nodeSummary?.totalNum !== 1,
  );
  return [
    scheduler['enable-scheduler-estimator']
      ? 'the answers of the scheduler estimators, which are not in the state'
      : featureGates.CustomizedClusterResourceModeling && modelled
        ? 'the room that clusters report, taken as captured and followed from there but for the nodes of resource models: no state tells which node a pod is on'
        : 'the room that clusters report, taken as captured and followed from there',
    ...(featureGates.SchedulingOvercommitProtection
      ? [
          'what the scheduler keeps free for workloads that are not healthy yet (SchedulingOvercommitProtection)',
        ]
      : []),
  ];
}
