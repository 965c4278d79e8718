import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';
import { type Example, overridePolicy, copyOf, noClusterFits, patched, reported, web } from './example.ts';

const task = (fields: object) => ({
  fromCluster: 'member1',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  ...fields,
});

export const stuck: Readonly<Record<string, Example>> = {
  'earlier-group-skipped': patched(web, {
    spec: {
      clusters: [],
      placement: {
        clusterAffinity: null,
        clusterAffinities: [
          { affinityName: 'primary', clusterNames: ['member1'] },
          { affinityName: 'backup', clusterNames: ['member2'] },
        ],
      },
    },
    status: { schedulerObservingAffinityName: 'backup', ...noClusterFits('2026-05-04T09:50:00Z').status },
  }),
  'placed-on-missing-cluster': patched(web, {
    spec: {
      clusters: [
        { name: 'member1', replicas: 2 },
        { name: 'gone', replicas: 2 },
      ],
    },
  }),
  'task-of-unscheduled-binding': {
    version: 'v1.12.1',
    ...patched(web, {
      metadata: { generation: 5 },
      spec: {
        clusters: [],
        gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T08:00:00Z' })],
      },
    }),
  },
  'eviction-unattended': {
    flags: { controllerManager: ['--controllers=*,-gracefulEviction'] },
    ...patched(web, { spec: { gracefulEvictionTasks: [task({})] } }),
  },
  'eviction-overdue': patched(web, {
    spec: { gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T08:00:00Z' })] },
  }),
  'eviction-without-target': patched(web, {
    metadata: { generation: 3 },
    spec: {
      clusters: [],
      gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:58:00Z' })],
    },
    ...noClusterFits('2026-05-04T09:58:00Z'),
  }),
  'foreign-finalizer': patched(web, {
    metadata: { deletionTimestamp: '2026-05-04T08:00:00Z', finalizers: ['example.com/backup'] },
  }),
  'cluster-deletion-stuck': {
    ...patched(clusterObject('member3'), {
      metadata: {
        deletionTimestamp: '2026-05-04T08:00:00Z',
        finalizers: ['karmada.io/cluster-controller'],
      },
    }),
    adds: [
      {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: {
          namespace: 'karmada-es-member3',
          name: 'web-5d4f',
          finalizers: ['karmada.io/execution-controller'],
          deletionTimestamp: '2026-05-04T08:00:00Z',
        },
        spec: {},
      },
    ],
  },
  'workload-down': patched(
    web,
    reported(copyOf('member1', 'Unhealthy', 0), copyOf('member2', 'Unhealthy', 0)),
  ),
  'scheduling-failed': patched(web, noClusterFits('2026-05-04T09:00:00Z')),
  'scheduling-overdue': patched(web, { spec: { rescheduleTriggeredAt: '2026-05-04T09:30:00Z' } }),
  'override-does-not-apply': {
    adds: [
      {
        ...overridePolicy,
        spec: {
          resourceSelectors: [
            { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'web-config' },
          ],
          overrideRules: [
            { overriders: { plaintext: [{ path: '/data/a', operator: 'replace', value: 'b' }] } },
          ],
        },
      },
    ],
  },
  'override-changes-identity': {
    adds: [
      {
        ...overridePolicy,
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          overrideRules: [
            { overriders: { plaintext: [{ path: '/metadata/namespace', operator: 'replace', value: 'b' }] } },
          ],
        },
      },
    ],
  },
  'work-not-applied': patched(
    { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
    {
      status: {
        conditions: [
          {
            type: 'Applied',
            status: 'False',
            reason: 'AppliedFailed',
            message: 'Failed to apply all manifests (0/1): namespaces "shop" not found',
            lastTransitionTime: '2026-05-04T09:00:00Z',
          },
        ],
      },
    },
  ),
  'work-missing': patched({ kind: 'Work', namespace: 'karmada-es-member2', name: 'web-5d4f' }, null),
  'binding-not-observed': patched(web, {
    metadata: { generation: 9 },
    spec: { clusters: [{ name: 'member1', replicas: 2 }] },
  }),
  'affinity-group-gone': patched(web, {
    spec: { placement: { clusterAffinity: null, clusterAffinities: [{ affinityName: 'new' }] } },
    status: { schedulerObservingAffinityName: 'old' },
  }),
  'template-not-applied': patched(
    { kind: 'Deployment', namespace: 'shop', name: 'web' },
    { spec: { replicas: 9 } },
  ),
  'namespace-being-deleted': {
    adds: [
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop', deletionTimestamp: '2026-05-04T09:00:00Z', finalizers: ['a.b/c'] },
      },
    ],
  },
  'binding-deletion-stuck': patched(web, {
    metadata: {
      deletionTimestamp: '2026-05-04T08:00:00Z',
      finalizers: ['karmada.io/binding-controller'],
    },
  }),
  'work-deletion-stuck': patched(
    { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
    { metadata: { deletionTimestamp: '2026-05-04T08:00:00Z' } },
  ),
  'execution-space-orphaned': {
    adds: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-gone' } }],
  },
  'rebalancer-without-effect': patched(
    { kind: 'WorkloadRebalancer', name: 'back' },
    {
      status: {
        observedWorkloads: [
          {
            workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'webb' },
            result: 'Failed',
            reason: 'ReferencedBindingNotFound',
          },
        ],
      },
    },
  ),
  'binding-not-applied': patched(web, {
    status: {
      conditions: [
        { type: 'Scheduled', status: 'True', reason: 'Success' },
        {
          type: 'FullyApplied',
          status: 'False',
          reason: 'FullyAppliedFailed',
          message: 'Failed to apply all works, see status.aggregatedStatus for details',
          lastTransitionTime: '2026-05-04T08:00:00Z',
        },
      ],
    },
  }),
  'work-orphaned': patched(web, { spec: { clusters: [{ name: 'member2', replicas: 2 }], replicas: 2 } }),
  'condition-failed': patched(clusterObject('member2'), {
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime: '2026-05-01T08:00:00Z' },
        {
          type: 'CompleteAPIEnablements',
          status: 'False',
          reason: 'Partial',
          message: 'might collect partial APIEnablements(3) from the cluster',
          lastTransitionTime: '2026-05-04T08:00:00Z',
        },
      ],
    },
  }),
  'copy-unhealthy': patched(
    web,
    reported(copyOf('member1', 'Unhealthy', 1), copyOf('member2', 'Healthy', 2)),
  ),
  'eviction-held': patched(web, {
    spec: {
      gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:58:00Z', suppressDeletion: true })],
    },
  }),
  'finished-job-stays': {
    adds: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { namespace: 'shop', name: 'import' },
        spec: { ttlSecondsAfterFinished: 60 },
        status: { completionTime: '2026-05-04T08:00:00Z' },
      },
    ],
  },
  'copy-refused': {
    adds: [
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'karmada-es-member1', name: 'web-5d4f.17b' },
        type: 'Warning',
        reason: 'SyncFailed',
        message: 'services "web" is forbidden: exceeded quota: services',
        firstTimestamp: '2026-05-04T09:00:00Z',
        lastTimestamp: '2026-05-04T09:58:00Z',
        involvedObject: { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
      },
    ],
  },
  'full-cluster-chosen': patched(web, {
    spec: {
      placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
      replicas: 200,
      replicaRequirements: { resourceRequest: { cpu: '1' } },
      clusters: [{ name: 'member1', replicas: 200 }],
    },
    ...reported(copyOf('member1', 'Unhealthy', 2)),
  }),
  'override-outdated': {
    patches: [
      {
        target: { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        merge: {
          metadata: {
            annotations: { 'policy.karmada.io/applied-overrides': '[{"policyName":"gone","overriders":{}}]' },
          },
          spec: {
            workload: {
              manifests: [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }],
            },
          },
        },
      },
    ],
    adds: [
      {
        ...overridePolicy,
        spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret' }], overrideRules: [] },
      },
    ],
  },
  'policy-deletion-stuck': {
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          namespace: 'shop',
          name: 'foos',
          deletionTimestamp: '2026-05-04T08:00:00Z',
          finalizers: ['karmada.io/propagation-policy-controller'],
        },
        spec: { resourceSelectors: [{ apiVersion: 'example.com/v1', kind: 'Foo' }], placement: {} },
      },
    ],
  },
  'pods-not-created': patched(web, {
    status: {
      aggregatedStatus: ['member1', 'member2'].map((clusterName) => ({
        clusterName,
        applied: true,
        health: 'Unhealthy',
        status: { unavailableReplicas: 2 },
      })),
    },
  }),
  'dependency-without-binding': {
    patches: [
      { target: web, merge: { spec: { propagateDeps: true } } },
      { target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-config-configmap' }, merge: null },
    ],
    adds: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'web-config' } }],
  },
  'webhook-in-control-plane': {
    adds: [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: {
          name: 'operator',
          labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'c1' },
          annotations: { 'clusterpropagationpolicy.karmada.io/name': 'operator' },
        },
        webhooks: [
          { name: 'a.example.com', clientConfig: { service: { namespace: 'operator', name: 'webhook' } } },
        ],
      },
    ],
  },
  'copy-scaled-elsewhere': {
    patches: [
      {
        target: web,
        merge: {
          status: {
            aggregatedStatus: ['member1', 'member2'].map((clusterName, at) => ({
              clusterName,
              applied: true,
              health: 'Healthy',
              status: { replicas: 5 - 3 * at, readyReplicas: 5 - 3 * at, updatedReplicas: 5 - 3 * at },
            })),
          },
        },
      },
      {
        target: { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        merge: {
          spec: {
            workload: {
              manifests: [
                {
                  apiVersion: 'apps/v1',
                  kind: 'Deployment',
                  metadata: { name: 'web' },
                  spec: { replicas: 2 },
                },
              ],
            },
          },
        },
      },
    ],
  },
  'status-not-aggregated': patched(
    { kind: 'Deployment', namespace: 'shop', name: 'web' },
    { status: { observedGeneration: 1 } },
  ),
};
