import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import type { KnownBugId } from '../../../../karmada/dialects/knownBugs.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { dividesReplicas } from '../../../../karmada/objects/placement.ts';
import { isDividedByCapacity } from '../../../../karmada/scheduling/strategy.ts';
import type { Examined } from '../examined.ts';
import type { Pattern } from './bugPattern.ts';

/** Whether the last attempt failed for a reason other than no fitting cluster, so that the scheduler retries. */
function isRetried({ status }: ResourceBinding): boolean {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  return scheduled?.status === 'False' && scheduled.reason !== 'NoClusterFit';
}

const hasPriorities = ({ configuration }: Examined) => configuration.featureGates.PriorityBasedScheduling;

/** Conditions that trigger bugs of karmada-scheduler, and of readers of its results. */
export const schedulingBugs = {
  'bug-suspended-is-scheduled': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'spec.clusters of a suspended binding changes',
    bindings: ({ spec }) => spec.suspension?.scheduling,
  },
  'bug-failed-attempt-waits': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'an evicted workload is placed five minutes later',
    when: hasPriorities,
    bindings: isRetried,
  },
  'bug-priority-holds-up': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'bindings of a low priority are not tried again while one of a high priority fails',
    when: (seen) =>
      hasPriorities(seen) &&
      new Set(seen.world.bindings.map(({ spec }) => spec.schedulePriority?.priority ?? 0)).size > 1,
    bindings: isRetried,
  },
  'bug-models-overcount': {
    severity: 'warning',
    needs: ['Cluster', 'Configuration'],
    symptom: 'Pods stay Pending: no node is large enough',
    when: ({ configuration }) => configuration.featureGates.CustomizedClusterResourceModeling,
    clusters: ({ status }) => status?.resourceSummary?.allocatableModelings?.length,
  },
  'bug-components-without-room': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'Pods of a FlinkDeployment stay Pending after a failover',
    when: ({ configuration }) => configuration.featureGates.MultiplePodTemplatesScheduling,
    bindings: ({ spec }) => (spec.components?.length ?? 0) > 1,
  },
  'bug-scale-down-keeps-clusters': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding'],
    symptom: 'a workload is scaled down, and keeps replicas on a failed cluster',
    bindings: ({ spec: { placement, clusters = [] } }, seen) =>
      isDividedByCapacity(placement) &&
      clusters.length > 1 &&
      clusters.some(({ name }) => !isReady(seen.clusters().get(name)) || !seen.selects(placement, name)),
  },
  'bug-completions-swapped': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'a Job never completes in one cluster, and does too much in another',
    bindings: ({ spec }) =>
      spec.resource.kind === 'Job' && dividesReplicas(spec) && (spec.clusters?.length ?? 0) > 1,
  },
  'bug-quota-counts-unplaced': {
    severity: 'warning',
    needs: ['ResourceBinding', 'FederatedResourceQuota', 'Configuration'],
    symptom: 'overallUsed is more than what runs',
    when: ({ configuration }) => configuration.featureGates.FederatedQuotaEnforcement,
    bindings: ({ spec }) =>
      dividesReplicas(spec) &&
      spec.clusters?.length &&
      spec.clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0) < (spec.replicas ?? 0),
  },
} satisfies Partial<Record<KnownBugId, Pattern>>;
