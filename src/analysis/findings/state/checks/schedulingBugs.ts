import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import type { KnownBugId } from '../../../../karmada/dialects/knownBugs.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { dividesReplicas, placementSelects } from '../../../../karmada/objects/placement.ts';
import { strategyOf } from '../../../../karmada/scheduling/strategy.ts';
import type { Examined } from '../examined.ts';
import { member1, notReady, patched, web } from '../examples.ts';
import type { Pattern } from './bugPattern.ts';

/** Whether the last attempt failed for another reason than that no cluster fits: the scheduler retries. */
function isRetried({ status }: ResourceBinding): boolean {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  return scheduled?.status === 'False' && scheduled.reason !== 'NoClusterFit';
}

const hasPriorities = ({ configuration }: Examined) => configuration.featureGates.PriorityBasedScheduling;
const withPriorities = { scheduler: ['--feature-gates=PriorityBasedScheduling=true'] };

const failed = {
  status: {
    conditions: [{ type: 'Scheduled', status: 'False', reason: 'SchedulerError', message: 'timeout' }],
  },
};

/** Conditions under which bugs of karmada-scheduler, and of readers of its results, occur. */
export const schedulingBugs = {
  'bug-suspended-is-scheduled': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'spec.clusters of a suspended binding changes',
    bindings: ({ spec }) => spec.suspension?.scheduling,
    example: { version: 'v1.13.1', ...patched(web, { spec: { suspension: { scheduling: true } } }) },
  },
  'bug-failed-attempt-waits': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'an evicted workload is placed five minutes later',
    when: hasPriorities,
    bindings: isRetried,
    example: { version: 'v1.13.2', flags: withPriorities, ...patched(web, failed) },
  },
  'bug-priority-holds-up': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'bindings of a low priority are not tried again while one of a high priority fails',
    when: (seen) =>
      hasPriorities(seen) &&
      new Set(seen.bindings.map(({ spec }) => spec.schedulePriority?.priority ?? 0)).size > 1,
    bindings: isRetried,
    example: {
      version: 'v1.16.2',
      flags: withPriorities,
      ...patched(web, { spec: { schedulePriority: { priority: 10 } }, ...failed }),
    },
  },
  'bug-models-overcount': {
    severity: 'warning',
    needs: ['Cluster', 'Configuration'],
    symptom: 'Pods stay Pending: no node is large enough',
    when: ({ configuration }) => configuration.featureGates.CustomizedClusterResourceModeling,
    clusters: ({ status }) => status?.resourceSummary?.allocatableModelings?.length,
    example: {
      version: 'v1.10.5',
      ...patched(member1, {
        status: { resourceSummary: { allocatableModelings: [{ grade: 0, count: 3 }] } },
      }),
    },
  },
  'bug-components-without-room': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'Pods of a FlinkDeployment stay Pending after a failover',
    when: ({ configuration }) => configuration.featureGates.MultiplePodTemplatesScheduling,
    bindings: ({ spec }) => (spec.components?.length ?? 0) > 1,
    example: {
      version: 'v1.16.5',
      flags: { scheduler: ['--feature-gates=MultiplePodTemplatesScheduling=true'] },
      ...patched(web, {
        spec: {
          components: [
            { name: 'jobmanager', replicas: 1 },
            { name: 'taskmanager', replicas: 2 },
          ],
        },
      }),
    },
  },
  'bug-scale-down-keeps-clusters': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding'],
    symptom: 'a workload is scaled down, and keeps replicas on a failed cluster',
    bindings: ({ spec: { placement, clusters = [] } }, seen) =>
      ['Aggregated', 'DynamicWeight'].includes(strategyOf(placement) ?? '') &&
      clusters.length > 1 &&
      clusters.some(
        ({ name }) => !isReady(seen.clusters().get(name)) || !placementSelects(placement, name, seen.facts()),
      ),
    example: { version: 'v1.16.6', ...patched(member1, notReady('2026-05-04T09:59:30Z')) },
  },
  'bug-completions-swapped': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'a Job never completes in one cluster, and does too much in another',
    bindings: ({ spec }) =>
      spec.resource.kind === 'Job' && dividesReplicas(spec) && (spec.clusters?.length ?? 0) > 1,
    example: {
      version: 'v1.16.4',
      ...patched(web, { spec: { resource: { apiVersion: 'batch/v1', kind: 'Job' } } }),
    },
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
    example: {
      version: 'v1.14.0',
      flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
      ...patched(web, { spec: { clusters: [{ name: 'member2', replicas: 2 }] } }),
    },
  },
} satisfies Partial<Record<KnownBugId, Pattern>>;
