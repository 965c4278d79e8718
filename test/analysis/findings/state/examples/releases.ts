import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';
import { type Example, asks, member1, notReady, patched, patient, web } from './example.ts';

const directly = { controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] };

const member2Silent = patched(web, {
  status: {
    aggregatedStatus: [
      {
        clusterName: 'member1',
        applied: true,
        health: 'Healthy',
        status: { replicas: 2, readyReplicas: 2 },
      },
      { clusterName: 'member2', applied: true, health: 'Unknown' },
    ],
  },
});

const withPriorities = { scheduler: ['--feature-gates=PriorityBasedScheduling=true'] };

const failed = {
  status: {
    conditions: [{ type: 'Scheduled', status: 'False', reason: 'SchedulerError', message: 'timeout' }],
  },
};

export const releases: Readonly<Record<string, Example>> = {
  'bug-tolerant-in-eviction-queue': {
    version: 'v1.18.1',
    ...patched(web, { spec: { placement: { clusterTolerations: [{ key: 'away', operator: 'Exists' }] } } }),
  },
  'bug-grace-period-leaks': {
    version: 'v1.16.2',
    ...patched(web, {
      spec: {
        gracefulEvictionTasks: [
          { fromCluster: 'member1', producer: 'x', reason: 'Y', gracePeriodSeconds: 60 },
          { fromCluster: 'member3', producer: 'x', reason: 'Y' },
        ],
      },
    }),
  },
  'bug-scheduler-divides-by-zero': {
    version: 'v1.16.2',
    ...patched(web, {
      spec: {
        placement: {
          replicaScheduling: { replicaSchedulingType: 'Duplicated' },
          spreadConstraints: [{ spreadByField: 'region', minGroups: 1, maxGroups: 2 }],
        },
      },
    }),
  },
  'bug-unjoin-waits-forever': {
    version: 'v1.14.0',
    flags: { controllerManager: ['--enable-taint-manager=false'] },
    ...patched(clusterObject('member3'), {
      metadata: {
        deletionTimestamp: '2026-05-04T09:00:00Z',
        finalizers: ['karmada.io/cluster-controller'],
      },
    }),
  },
  'bug-client-failure-at-once': { version: 'v1.17.2' },
  'bug-taint-policy-drops-taints': {
    version: 'v1.17.1',
    ...patched(member1, notReady('2026-05-04T09:59:30Z')),
  },
  'bug-eviction-tasks-dropped': {
    version: 'v1.17.0',
    ...patched(member1, {
      spec: { taints: [{ key: 'away', effect: 'NoExecute', timeAdded: '2026-05-04T09:00:00Z' }] },
    }),
  },
  'bug-components-not-rescheduled': {
    version: 'v1.16.1',
    ...patched(web, {
      spec: {
        components: [
          { name: 'jobmanager', replicas: 1 },
          { name: 'taskmanager', replicas: 2 },
        ],
      },
    }),
  },
  'bug-suspension-stays': {
    version: 'v1.14.3',
    ...patched(web, { spec: { suspension: { dispatching: true } } }),
  },
  'bug-attached-changes-lost': { version: 'v1.14.6' },
  'bug-purge-mode-ignored-at-once': {
    version: 'v1.14.3',
    flags: directly,
    ...patched(web, {
      spec: {
        placement: { clusterTolerations: [{ key: 'away', operator: 'Exists', tolerationSeconds: 60 }] },
      },
    }),
  },
  'bug-purge-mode-of-cluster-scope': {
    version: 'v1.14.0',
    flags: directly,
    adds: [
      {
        apiVersion: 'work.karmada.io/v1alpha2',
        kind: 'ClusterResourceBinding',
        metadata: { name: 'reader-clusterrole' },
        spec: {
          resource: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' },
          clusters: [{ name: 'member1' }],
        },
      },
    ],
  },
  'bug-ready-overwritten': { version: 'v1.10.4' },
  'bug-flink-error-is-healthy': {
    version: 'v1.17.3',
    ...asks(patient, { resource: { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment' } }),
  },
  'bug-interpreters-late': {
    version: 'v1.14.2',
    adds: [
      {
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterCustomization',
        metadata: { name: 'widget' },
        spec: { target: { apiVersion: 'example.com/v1', kind: 'Widget' }, customizations: {} },
      },
    ],
  },
  'bug-endpoints-deleted': { version: 'v1.14.1' },
  'bug-suspended-comes-back': {
    version: 'v1.14.1',
    ...patched(web, { spec: { suspension: { dispatching: true } } }),
  },
  'bug-suspended-is-scheduled': {
    version: 'v1.13.1',
    ...patched(web, { spec: { suspension: { scheduling: true } } }),
  },
  'bug-failed-attempt-waits': { version: 'v1.13.2', flags: withPriorities, ...patched(web, failed) },
  'bug-priority-holds-up': {
    version: 'v1.16.2',
    flags: withPriorities,
    ...patched(web, { spec: { schedulePriority: { priority: 10 } }, ...failed }),
  },
  'bug-models-overcount': {
    version: 'v1.10.5',
    ...patched(member1, {
      status: { resourceSummary: { allocatableModelings: [{ grade: 0, count: 3 }] } },
    }),
  },
  'bug-components-without-room': {
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
  'bug-scale-down-keeps-clusters': {
    version: 'v1.16.6',
    ...patched(member1, notReady('2026-05-04T09:59:30Z')),
  },
  'bug-completions-swapped': {
    version: 'v1.16.4',
    ...patched(web, { spec: { resource: { apiVersion: 'batch/v1', kind: 'Job' } } }),
  },
  'bug-quota-counts-unplaced': {
    version: 'v1.14.0',
    flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
    ...patched(web, { spec: { clusters: [{ name: 'member2', replicas: 2 }] } }),
  },
  'bug-rebalancer-outlives-ttl': {
    version: 'v1.12.1',
    ...patched(
      { kind: 'WorkloadRebalancer', name: 'back' },
      { spec: { ttlSecondsAfterFinished: 60 }, status: { finishTime: '2026-05-04T09:00:00Z' } },
    ),
  },
  'bug-dependents-collected': { version: 'v1.12.2' },
  'bug-quota-bypassed': {
    version: 'v1.14.0',
    flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
    ...patched(web, {
      spec: { placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } } },
    }),
  },
  'bug-informers-shut-down': { version: 'v1.14.3', ...member2Silent },
  'bug-informers-keep-old-token': { version: 'v1.18.2', ...member2Silent },
  'bug-cron-scales-from-zero': {
    version: 'v1.16.2',
    ...patched({ kind: 'Deployment', namespace: 'shop', name: 'web' }, { spec: { replicas: null } }),
    adds: [
      {
        apiVersion: 'autoscaling.karmada.io/v1alpha1',
        kind: 'CronFederatedHPA',
        metadata: { namespace: 'shop', name: 'night' },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, rules: [] },
      },
    ],
  },
};
