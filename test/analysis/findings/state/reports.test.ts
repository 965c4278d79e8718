import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { explainFailover } from '../../../../src/useCases/explanation/explainFailover.ts';
import { quietPorts } from '../../../useCases/quietPorts.ts';
import { patched } from './applied.ts';
import { diagnosed, explained } from './diagnosed.ts';
import type { Example } from './examples/example.ts';
import { changed, NOW, type Written } from './healthyWorld.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

// Reports of Karmada users, each as the healthy control plane with the reported change: the cause comes first.

type Patch = [target: { kind: string; namespace?: string; name: string }, merge: unknown];

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
const config = { ...web, name: 'web-config-configmap' };
const policy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
const taintPolicy = { kind: 'ClusterTaintPolicy', name: 'ready' };
const controllers = { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-controller-manager' };
const cluster = (name: string) => ({ kind: 'Cluster', name });
const lease = (namespace: string, name: string) => ({ kind: 'Lease', namespace, name });

const HOURS_AGO = '2026-05-04T08:00:00Z';
const condition = (type: string, reason: string, message: string, status = 'False') => ({
  status: { conditions: [{ type, status, reason, message, lastTransitionTime: HOURS_AGO }] },
});
const notReady = {
  spec: { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule', timeAdded: HOURS_AGO }] },
  ...condition('Ready', 'ClusterNotReachable', 'cluster is not reachable'),
};
const task = (more: object) => ({
  fromCluster: 'member1',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  ...more,
});
const applicationFailover = (tolerationSeconds: number) => ({
  spec: {
    propagateDeps: true,
    failover: { application: { decisionConditions: { tolerationSeconds }, purgeMode: 'Gracefully' } },
  },
});
const tolerates = (toleration: object) => ({
  spec: { placement: { clusterTolerations: [{ key: 'rebalance', operator: 'Exists', ...toleration }] } },
});
const tainted = (effect: string) => ({
  spec: { taints: [{ key: 'rebalance', effect, timeAdded: '2026-05-04T09:57:00Z' }] },
});
const readySince = (lastTransitionTime: string) => ({
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime }] },
});
const reportedOn = (clusterName: string, readyReplicas: number, health = 'Healthy') => ({
  ...{ clusterName, applied: true, health },
  status: { replicas: 2, readyReplicas, availableReplicas: readyReplicas, updatedReplicas: 2 },
});
const work = (metadata: object): Written => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: {
    namespace: 'karmada-es-member3',
    name: 'left',
    finalizers: ['karmada.io/execution-controller'],
    ...metadata,
  },
  spec: {},
});

const equalWeights = {
  clusterAffinity: { clusterNames: ['member1', 'member2'] },
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      dynamicWeight: null,
      staticWeightList: ['member1', 'member2'].map((name) => ({
        targetCluster: { clusterNames: [name] },
        weight: 1,
      })),
    },
  },
};

interface Report {
  /** of Karmada; absent: the newest release */
  version?: string;
  flags?: Example['flags'];
  patches: Patch[];
  adds?: Written[];
  first: string;
  says: RegExp;
}

const objectsOf = ({ version, flags, patches, adds = [] }: Report): Written[] =>
  patches.reduce(
    (left, [target, merge]) => patched(left, target, merge),
    [...changed({ ...(version && { version }), ...(flags && { flags }) }), ...adds],
  );

const evicting = (since: string, ...names: string[]): Patch[] =>
  names.map((name) => [
    cluster(name),
    {
      spec: {
        taints: ['NoSchedule', 'NoExecute'].map((effect) => ({
          key: 'cluster.karmada.io/not-ready',
          effect,
          timeAdded: since,
        })),
      },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'ClusterNotReachable',
            message: 'cluster is not reachable',
            lastTransitionTime: since,
          },
        ],
      },
    },
  ]);
const withoutWork = (name: string): Patch => [
  { kind: 'Work', namespace: `karmada-es-${name}`, name: 'web-5d4f' },
  null,
];
/** The Service and the ConfigMap of the workload are there, and the MultiClusterService is not. */
const besides = (...names: string[]): Patch[] => [
  [{ kind: 'MultiClusterService', namespace: 'shop', name: 'web' }, null],
  ...['web-service', 'web-config-configmap'].map((name): Patch => [
    { ...web, name },
    { spec: { clusters: names.map((one) => ({ name: one })) } },
  ]),
];
const copyOn = (clusterName: string, replicas: number) => ({
  clusterName,
  applied: true,
  health: 'Healthy',
  status: {
    replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    updatedReplicas: replicas,
  },
});
const primaryAndBackup = {
  clusterAffinity: null,
  clusterAffinities: ['member1', 'member2'].map((name, at) => ({
    affinityName: ['primary', 'backup'][at],
    clusterNames: [name],
  })),
};
const noFit = {
  type: 'Scheduled',
  status: 'False',
  reason: 'NoClusterFit',
  message: '0/3 clusters are available: 1 cluster(s) had untolerated taint.',
  lastTransitionTime: '2026-05-04T09:48:00Z',
};
const listing = (...kinds: string[]) => ({
  status: {
    apiEnablements: [
      {
        groupVersion: 'v1',
        resources: [...kinds, 'Service', 'ConfigMap'].map((kind) => ({ kind, name: kind })),
      },
      { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
    ],
  },
});
const estimator = (name: string): Written => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'karmada-system', name: `karmada-scheduler-estimator-${name}` },
  spec: { replicas: 1 },
  status: { replicas: 1, readyReplicas: 1 },
});
const endless = { clusterAffinity: {}, clusterTolerations: [{ operator: 'Exists' }] };
const tolerant = (at: number): Written => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    namespace: 'other',
    name: `stays-${at}`,
    annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(endless) },
  },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'other', name: `stays-${at}` },
    replicas: 1,
    clusters: [{ name: 'member1', replicas: 1 }],
    placement: endless,
  },
});

const reports: Record<string, Report> = {
  '#397: the control plane runs the deployment controller': {
    patches: [
      [{ kind: 'Deployment', namespace: 'shop', name: 'web' }, { status: { unavailableReplicas: 4 } }],
    ],
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'kube-controller-manager' },
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'kube-controller-manager', command: ['kube-controller-manager', '--controllers=*'] },
              ],
            },
          },
        },
      },
    ],
    first: 'workload-controllers-run',
    says: /kube-controller-manager runs controllers of workloads/,
  },
  '#5206: no replica returns to a recovered cluster': {
    patches: [
      [policy, { spec: { placement: equalWeights } }],
      ...['web-deployment', 'web-service', 'web-config-configmap'].map((name): Patch => [
        { ...web, name },
        {
          metadata: { annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(equalWeights) } },
          spec: { placement: equalWeights },
        },
      ]),
      [cluster('member2'), readySince('2026-05-04T09:20:00Z')],
      [
        web,
        {
          spec: { clusters: [{ name: 'member1', replicas: 4 }] },
          status: { aggregatedStatus: [copyOn('member1', 4)] },
        },
      ],
      ...besides('member1', 'member2'),
      withoutWork('member2'),
    ],
    first: 'weights-not-restored',
    says: /no replica on a Ready cluster although static weights give it some/,
  },
  '#2188: no cluster has capacity for the requests': {
    patches: [
      [
        web,
        {
          spec: { replicas: 40 },
          ...condition(
            'Scheduled',
            'Unschedulable',
            'Clusters available replicas 12 are not enough to schedule.',
          ),
        },
      ],
    ],
    first: 'scheduling-failed',
    says: /available replicas 12 are not enough/,
  },
  '#3479: a new cluster serves the kind only after the workload was scheduled': {
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              replicaScheduling: {
                replicaSchedulingType: 'Duplicated',
                replicaDivisionPreference: null,
                weightPreference: null,
              },
            },
          },
        },
      ],
      [
        web,
        {
          spec: {
            replicas: 0,
            resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
            clusters: [{ name: 'member1' }, { name: 'member2' }],
          },
        },
      ],
    ],
    first: 'does-not-return',
    says: /Widget shop\/web: no copy is on member3, which is Ready and selected/,
  },
  '#5905: a change reaches only one of two clusters': {
    patches: [
      [{ kind: 'Deployment', namespace: 'shop', name: 'web' }, { spec: { replicas: 6 } }],
      [
        web,
        {
          spec: { replicas: 6, clusters: ['member1', 'member2'].map((name) => ({ name, replicas: 3 })) },
          status: { aggregatedStatus: [copyOn('member1', 3), copyOn('member2', 2)] },
        },
      ],
      ...[
        ['member1', 3],
        ['member2', 2],
      ].map(([name, replicas]): Patch => [
        { kind: 'Work', namespace: `karmada-es-${name}`, name: 'web-5d4f' },
        {
          spec: {
            workload: {
              manifests: [
                { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas } },
              ],
            },
          },
        },
      ]),
    ],
    first: 'copy-scaled-elsewhere',
    says: /member2 runs 2 replicas, where 3 are placed: its Work there has the old number/,
  },
  '#1411: the policy selects other clusters, and the workload has not moved': {
    patches: [
      [policy, { spec: { placement: { clusterAffinity: { clusterNames: ['member2', 'member3'] } } } }],
      [
        web,
        {
          spec: { clusters: [{ name: 'member1', replicas: 4 }] },
          status: { aggregatedStatus: [copyOn('member1', 4)] },
        },
      ],
      withoutWork('member2'),
      ...besides('member2', 'member3'),
    ],
    first: 'placed-outside-placement',
    says: /on member1, which the placement does not select/,
  },
  '#5406: the agent is down, and deletions wait for its recovery': {
    patches: [
      [cluster('member3'), condition('Ready', 'ClusterStatusUnknown', '', 'Unknown')],
      [lease('karmada-cluster', 'member3'), { spec: { renewTime: '2026-05-04T08:00:00.000000Z' } }],
      [
        web,
        {
          spec: {
            clusters: [
              { name: 'member1', replicas: 2 },
              { name: 'member2', replicas: 2 },
            ],
          },
        },
      ],
      ...['web-service', 'web-config-configmap'].map((name): Patch => [
        { ...web, name },
        { spec: { clusters: [{ name: 'member1' }, { name: 'member2' }] } },
      ]),
    ],
    adds: [
      work({
        deletionTimestamp: HOURS_AGO,
        labels: { 'resourcebinding.karmada.io/permanent-id': 'b1' },
        annotations: {
          'resourcebinding.karmada.io/namespace': 'shop',
          'resourcebinding.karmada.io/name': 'web-deployment',
        },
      }),
    ],
    first: 'runs-twice-after-partition',
    says: /web may still run on member3, which has not answered since/,
  },
  '#5564: a cluster cannot be deleted after its Secret is deleted': {
    patches: [[cluster('member3'), { metadata: { deletionTimestamp: HOURS_AGO }, ...notReady }]],
    adds: [work({ deletionTimestamp: HOURS_AGO })],
    first: 'cluster-deletion-stuck',
    says: /waits for Work karmada-es-member3\/left/,
  },
  '#1847: an unreachable Pull cluster cannot be deleted': {
    patches: [
      [
        cluster('member3'),
        {
          metadata: { deletionTimestamp: '2026-05-04T09:40:00Z' },
          ...condition('Ready', 'ClusterStatusUnknown', '', 'Unknown'),
        },
      ],
    ],
    adds: [work({})],
    first: 'cluster-deletion-stuck',
    says: /execution-controller/,
  },
  '#4951: the eviction of an object without health never ends': {
    patches: [[config, { spec: { gracefulEvictionTasks: [task({ creationTimestamp: HOURS_AGO })] } }]],
    first: 'eviction-overdue',
    says: /ConfigMap shop\/web-config: the eviction from member1 has been overdue since/,
  },
  '#6233: a workload needs longer to start than its toleration': {
    patches: [[policy, applicationFailover(30)]],
    first: 'toleration-shorter-than-start',
    says: /after 30 s of ill health/,
  },
  '#1189, #2769: a recovered cluster gets no replicas back': {
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              replicaScheduling: {
                weightPreference: {
                  dynamicWeight: null,
                  staticWeightList: ['member1', 'member2'].map((name, at) => ({
                    targetCluster: { clusterNames: [name] },
                    weight: at + 1,
                  })),
                },
              },
            },
          },
        },
      ],
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      [{ kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' }, null],
    ],
    first: 'weights-not-restored',
    says: /no replica on a Ready cluster/,
  },
  '#7431: health changes to Unknown while a workload is unhealthy': {
    patches: [
      [policy, applicationFailover(60)],
      [
        web,
        {
          status: {
            aggregatedStatus: ['member1', 'member2'].map((clusterName, at) => ({
              clusterName,
              applied: true,
              ...(at === 0
                ? { health: 'Unknown' }
                : {
                    health: 'Healthy',
                    status: { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 },
                  }),
            })),
          },
        },
      ],
    ],
    first: 'health-unknown',
    says: /member1 is Unknown/,
  },
  '#3973, #634: a cluster has joined and never reports': {
    patches: [
      [cluster('member3'), { status: { conditions: null } }],
      [lease('karmada-cluster', 'member3'), null],
    ],
    first: 'cluster-never-reported',
    says: /does karmada-agent run there/,
  },
  '#5087: karmada-controller-manager crashes again and again': {
    patches: [
      [controllers, { status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 } }],
      [
        lease('karmada-system', 'karmada-controller-manager'),
        { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
      ],
    ],
    first: 'component-down',
    says: /nothing detects failures/,
  },
  '#5157, #6334: no component starts': {
    patches: ['karmada-controller-manager', 'karmada-scheduler', 'karmada-webhook'].map((name): Patch => [
      { ...controllers, name },
      { status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 } },
    ]),
    first: 'component-down',
    says: /karmada-controller-manager has no ready replica/,
  },
  '#7813: the kube-controller-manager of the control plane restarts again and again': {
    patches: [],
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-demo-kube-controller-manager' },
        spec: { replicas: 1 },
        status: { replicas: 1, unavailableReplicas: 1 },
      },
    ],
    first: 'component-down',
    says: /bindings and Works of deleted objects are not collected/,
  },
  '#3678: a cluster was unjoined from another control plane, which deleted its RBAC': {
    patches: [
      [
        cluster('member1'),
        {
          ...notReady,
          ...condition('Ready', 'ClusterNotReachable', 'Failed to get healthz: Unauthorized'),
        },
      ],
    ],
    first: 'cluster-down',
    says: /ClusterNotReachable: Failed to get healthz: Unauthorized/,
  },
  '#6811: a member already has an object with the same name': {
    patches: [
      [
        { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        condition(
          'Applied',
          'AppliedFailed',
          'resource(kind=Deployment, shop/web) already exists in the cluster',
        ),
      ],
    ],
    first: 'work-not-applied',
    says: /already exists in the cluster/,
  },
  '#6317: the gate is on, and no policy taints a failed cluster': {
    patches: [
      [cluster('member2'), notReady],
      [taintPolicy, null],
    ],
    first: 'no-evicting-taint',
    says: /adds none itself/,
  },
  '#5669: the finalizer of an operator blocks the deletion of an object': {
    patches: [
      [
        web,
        {
          metadata: {
            deletionTimestamp: HOURS_AGO,
            finalizers: ['karmada.io/binding-controller', 'operator.example.com/cleanup'],
          },
        },
      ],
    ],
    first: 'foreign-finalizer',
    says: /operator\.example\.com\/cleanup/,
  },
  '#7302: a manual taint has no timeAdded, so its tolerations never end': {
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              clusterTolerations: [
                { key: 'down', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
              ],
            },
          },
        },
      ],
      [cluster('member1'), { spec: { taints: [{ key: 'down', effect: 'NoExecute' }] } }],
    ],
    first: 'tolerates-forever',
    says: /the toleration never expires: the taint has no timeAdded/,
  },
  '#4952: a toleration of NoSchedule does not match a NoExecute taint': {
    patches: [
      [policy, tolerates({ effect: 'NoSchedule', tolerationSeconds: 0 })],
      [cluster('member1'), tainted('NoExecute')],
      [
        web,
        {
          spec: {
            clusters: [{ name: 'member2', replicas: 4 }],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:58:00Z' })],
          },
        },
      ],
    ],
    first: 'toleration-effect-differs',
    says: /the toleration of rebalance has the effect NoSchedule, and the taint of member1 has NoExecute/,
  },
  '#4952: a toleration of NoSchedule has tolerationSeconds': {
    patches: [
      [policy, tolerates({ effect: 'NoSchedule', tolerationSeconds: 0 })],
      [cluster('member1'), tainted('NoSchedule')],
    ],
    first: 'toleration-effect-differs',
    says: /has tolerationSeconds of 0s, which count only for NoExecute: it never ends/,
  },
  '#4952: a toleration of NoExecute does not match a NoSchedule taint': {
    patches: [
      [policy, tolerates({ effect: 'NoExecute' })],
      [cluster('member1'), tainted('NoSchedule')],
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      [{ kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' }, null],
    ],
    first: 'toleration-effect-differs',
    says: /has the effect NoExecute, and the taint of member1 has NoSchedule: the scheduler does not place/,
  },
  '#4787: the certificate of karmada-apiserver has expired': {
    patches: [],
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-apiserver' },
        spec: { replicas: 1 },
        status: { replicas: 1, unavailableReplicas: 1 },
      },
    ],
    first: 'component-down',
    says: /karmada-apiserver has no ready replica/,
  },
  '#7024: a policy cannot be deleted, because the kind that it selects is gone': {
    patches: [],
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          namespace: 'shop',
          name: 'foos',
          deletionTimestamp: HOURS_AGO,
          finalizers: ['karmada.io/propagation-policy-controller'],
        },
        spec: { resourceSelectors: [{ apiVersion: 'example.com/v1', kind: 'Foo' }], placement: {} },
      },
    ],
    first: 'policy-deletion-stuck',
    says: /it selects Foo, which the control plane may no longer serve/,
  },
  '#4952: a toleration does not match the effect in the taint policy': {
    patches: [
      [policy, tolerates({ effect: 'NoSchedule' })],
      [taintPolicy, { spec: { taints: [{ key: 'rebalance', effect: 'NoExecute' }] } }],
    ],
    first: 'toleration-effect-differs',
    says: /ClusterTaintPolicy ready adds the taint with NoExecute/,
  },
};

const MINUTES_AGO = '2026-05-04T09:48:00Z';

const suspendedOn = (name: string) => ({
  spec: { suspension: { dispatchingOnClusters: { clusterNames: [name] } } },
});

/** The Work of a cluster, with the Deployment of two replicas and these annotations. */
const withManifest = (name: string, annotations: Record<string, string>): Patch => [
  { kind: 'Work', namespace: `karmada-es-${name}`, name: 'web-5d4f' },
  {
    metadata: { annotations },
    spec: {
      workload: {
        manifests: [
          { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2 } },
        ],
      },
    },
  },
];
const overrideOf = (name: string, kind: string): Written => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { namespace: 'shop', name },
  spec: {
    resourceSelectors: [{ apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind }],
    overrideRules: [
      {
        targetCluster: { clusterNames: ['member1'] },
        overriders: { plaintext: [{ path: '/metadata/labels/a', operator: 'add', value: 'b' }] },
      },
    ],
  },
});

/** About workloads and what moves them: the explanation of the workload begins with the same. */
const ofWorkloadsToo: Record<string, Report> = {
  '#3467: a task is not reconciled after a restart of karmada-controller-manager': {
    patches: [
      [
        web,
        {
          spec: {
            clusters: [{ name: 'member2', replicas: 4 }],
            gracefulEvictionTasks: [task({ replicas: 2 })],
          },
          status: {
            lastScheduledTime: HOURS_AGO,
            aggregatedStatus: [copyOn('member1', 2), copyOn('member2', 4)],
          },
        },
      ],
      ...besides('member2', 'member3'),
    ],
    first: 'eviction-overdue',
    says: /eviction from member1 has no creationTimestamp, although the workload was placed again at 2026-05-04T08/,
  },
  '#6475: karmada-descheduler ignores replicas that are divided by static weights': {
    patches: [
      [policy, { spec: { placement: equalWeights } }],
      ...['web-deployment', 'web-service', 'web-config-configmap'].map((name): Patch => [
        { ...web, name },
        {
          metadata: { annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(equalWeights) } },
          spec: { placement: equalWeights },
        },
      ]),
      ...besides('member1', 'member2'),
      [web, { status: { aggregatedStatus: [reportedOn('member1', 1, 'Unhealthy'), copyOn('member2', 2)] } }],
    ],
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-descheduler' },
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'karmada-descheduler',
                  image: 'karmada-descheduler:v1.18.2',
                  command: ['karmada-descheduler'],
                },
              ],
            },
          },
        },
      },
    ],
    first: 'copy-unhealthy',
    says: /Unhealthy on member1: karmada-descheduler moves only Deployments whose replicas are divided by capacity/,
  },
  '#4861: the override of a Work was deleted': {
    patches: [withManifest('member1', { 'policy.karmada.io/applied-overrides': '[{"policyName":"gone"}]' })],
    adds: [overrideOf('other', 'Secret')],
    first: 'override-outdated',
    says: /the Work for member1 still has the override of OverridePolicy gone, which does not exist/,
  },
  '#507: the override of a Work was changed': {
    patches: [
      withManifest('member1', {
        'policy.karmada.io/applied-overrides': '[{"policyName":"registry","overriders":{"plaintext":[]}}]',
      }),
    ],
    adds: [overrideOf('registry', 'Deployment')],
    first: 'override-outdated',
    says: /the Work for member1 has an older form of OverridePolicy shop\/registry/,
  },
  '#2863: a copy was changed in its cluster': {
    patches: [
      withManifest('member1', {}),
      [web, { status: { aggregatedStatus: [copyOn('member1', 5), copyOn('member2', 2)] } }],
    ],
    first: 'copy-scaled-elsewhere',
    says: /member1 runs 5 replicas, where 2 are placed/,
  },
  '#5011: a quota of the cluster refuses the Pods': {
    patches: [
      [
        web,
        {
          status: {
            aggregatedStatus: ['member1', 'member2'].map((clusterName) => ({
              ...{ clusterName, applied: true, health: 'Unhealthy' },
              status: { unavailableReplicas: 2 },
            })),
          },
        },
      ],
    ],
    first: 'pods-not-created',
    says: /member1 creates no Pod/,
  },
  '#3167: the old copy still runs on a recovered cluster': {
    patches: [
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      [cluster('member1'), readySince('2026-05-04T09:58:00Z')],
      [
        { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        { metadata: { deletionTimestamp: HOURS_AGO } },
      ],
    ],
    first: 'work-deletion-stuck',
    says: /^1 Work for member1 is still in deletion/,
  },
  '#1325: an operator that runs only in members added a finalizer to the template': {
    patches: [
      [
        { kind: 'Deployment', namespace: 'shop', name: 'web' },
        { metadata: { deletionTimestamp: HOURS_AGO, finalizers: ['delete-pods-in-order'] } },
      ],
    ],
    first: 'foreign-finalizer',
    says: /^Deployment shop\/web is being deleted and waits for the finalizer delete-pods-in-order/,
  },
  '#1385: other workloads use up a cluster that was chosen by capacity': {
    patches: [
      [
        cluster('member2'),
        {
          status: {
            resourceSummary: {
              allocated: { cpu: '15900m', memory: '8Gi', pods: '20' },
              allocating: { cpu: '2', pods: '1' },
            },
          },
        },
      ],
      [
        web,
        {
          spec: { replicaRequirements: { resourceRequest: { cpu: '2' } } },
          status: { aggregatedStatus: [reportedOn('member1', 2), reportedOn('member2', 1, 'Unhealthy')] },
        },
      ],
    ],
    first: 'full-cluster-chosen',
    says: /member2 has no capacity for its replicas, and the scheduler keeps current clusters/,
  },
  '#1601: a workload is placed on a cluster without its ConfigMap': {
    patches: [
      [config, { spec: { clusters: [{ name: 'member1' }] } }],
      [
        web,
        { status: { aggregatedStatus: [reportedOn('member1', 2), reportedOn('member2', 0, 'Unhealthy')] } },
      ],
    ],
    first: 'siblings-parted',
    says: /runs on member2, where ConfigMap shop\/web-config is missing/,
  },
  '#6730: the scheduler chooses a cluster whose dispatching is suspended': {
    version: 'v1.14.4',
    patches: [
      [policy, suspendedOn('member2')],
      [
        { kind: 'Work', namespace: 'karmada-es-member2', name: 'web-5d4f' },
        { spec: { suspendDispatching: true } },
      ],
    ],
    first: 'dispatching-suspended',
    says: /to member2 is suspended: nothing starts there$/,
  },
  '#6763: a workload is scaled down, and its copy on a suspended cluster is deleted': {
    version: 'v1.14.4',
    patches: [
      [policy, suspendedOn('member1')],
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      withoutWork('member1'),
    ],
    first: 'dispatching-suspended',
    says: /to member1 is suspended: .* from which the scheduler takes all replicas is deleted all the same/,
  },
  '#6103: one override selects two kinds': {
    patches: [],
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'OverridePolicy',
        metadata: { namespace: 'shop', name: 'both' },
        spec: {
          resourceSelectors: [
            { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'web-config' },
          ],
          overrideRules: [
            {
              targetCluster: { clusterNames: ['member1', 'member2', 'member3'] },
              overriders: { plaintext: [{ path: '/data/a', operator: 'replace', value: 'b' }] },
            },
          ],
        },
      },
    ],
    first: 'override-does-not-apply',
    says: /OverridePolicy shop\/both is for Deployment shop\/web, too, which has no \/data\/a/,
  },
  '#6461: a member has lost the CustomResourceDefinition, and the copy with it': {
    version: 'v1.14.4',
    patches: [
      [
        web,
        {
          spec: {
            resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
            clusters: [{ name: 'member1', replicas: 4 }],
          },
        },
      ],
      [cluster('member2'), listing()],
      withoutWork('member2'),
    ],
    first: 'api-not-served',
    says: /the scheduler leaves out member2, which does not serve example\.com\/v1 Widget/,
  },
  '#6676: a toleration ends, and its purge mode is lost': {
    version: 'v1.14.3',
    flags: { controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] },
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              clusterTolerations: [
                {
                  key: 'cluster.karmada.io/not-ready',
                  operator: 'Exists',
                  effect: 'NoExecute',
                  tolerationSeconds: 300,
                },
              ],
            },
          },
        },
      ],
      ...evicting('2026-05-04T09:52:00Z', 'member1'),
      [
        web,
        {
          spec: {
            clusters: [{ name: 'member2', replicas: 4 }],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:57:00Z' })],
          },
        },
      ],
      ...besides('member2', 'member3'),
    ],
    first: 'bug-purge-mode-ignored-at-once',
    says: /purge mode Directly is ignored for workloads that tolerate the taint for a time/,
  },
  '#7065: a workload with several components is not rescheduled': {
    version: 'v1.16.0',
    flags: { scheduler: ['--feature-gates=MultiplePodTemplatesScheduling=true'] },
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              replicaScheduling: null,
              spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
            },
          },
        },
      ],
      ...evicting(MINUTES_AGO, 'member1'),
      [
        web,
        {
          metadata: { generation: 3 },
          spec: {
            resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
            replicas: 0,
            replicaRequirements: null,
            clusters: [],
            components: [
              { name: 'jobmanager', replicas: 1 },
              { name: 'taskmanager', replicas: 2 },
            ],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:53:00Z' })],
          },
          status: { schedulerObservedGeneration: 3, aggregatedStatus: [] },
        },
      ],
      withoutWork('member2'),
      ...besides('member2', 'member3'),
    ],
    first: 'bug-components-not-rescheduled',
    says: /not scheduled again when its cluster fails/,
  },
  '#744: the scheduler has the gate, and the controllers do not': {
    flags: {
      controllerManager: ['--feature-gates=Failover=false'],
      scheduler: ['--feature-gates=Failover=true'],
    },
    patches: [[cluster('member1'), notReady]],
    first: 'failover-gate-off',
    says: /gate Failover=false on karmada-controller-manager/,
  },
  '#5783: new replicas go to a cluster that is down': {
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              clusterTolerations: [
                {
                  key: 'cluster.karmada.io/not-ready',
                  operator: 'Exists',
                  effect: 'NoExecute',
                  tolerationSeconds: 7200,
                },
              ],
            },
          },
        },
      ],
      ...evicting('2026-05-04T09:30:00Z', 'member1'),
      [{ kind: 'Deployment', namespace: 'shop', name: 'web' }, { spec: { replicas: 8 } }],
      [
        web,
        {
          spec: {
            replicas: 8,
            clusters: ['member1', 'member2'].map((name) => ({ name, replicas: 4 })),
          },
          status: {
            lastScheduledTime: '2026-05-04T09:40:00Z',
            aggregatedStatus: [copyOn('member1', 2), copyOn('member2', 4)],
          },
        },
      ],
    ],
    first: 'scaled-onto-failed-cluster',
    says: /scaled up after member1 became not Ready: 2 new replicas are placed there/,
  },
  '#2989: a workload on a failed cluster still counts as ready': {
    patches: [[cluster('member1'), notReady]],
    first: 'cluster-down',
    says: /member1 has not been Ready since .*ClusterNotReachable/,
  },
  '#7612: workloads that tolerate the taint delay the evictions of others': {
    version: 'v1.18.1',
    patches: evicting(MINUTES_AGO, 'member1'),
    adds: Array.from({ length: 200 }, (_, at) => tolerant(at)),
    first: 'bug-tolerant-in-eviction-queue',
    says: /pass through the eviction queue, and delay the others/,
  },
  '#4990: the backup cluster fails after the primary cluster has recovered': {
    patches: [
      [policy, { spec: { placement: primaryAndBackup } }],
      ...evicting(MINUTES_AGO, 'member2'),
      [
        web,
        {
          metadata: { generation: 3 },
          spec: {
            clusters: [],
            gracefulEvictionTasks: [
              task({ fromCluster: 'member2', creationTimestamp: '2026-05-04T09:53:00Z' }),
            ],
          },
          status: {
            schedulerObservingAffinityName: 'backup',
            conditions: [noFit],
            aggregatedStatus: [copyOn('member2', 4)],
          },
        },
      ],
      withoutWork('member1'),
      ...besides(),
    ],
    first: 'earlier-group-skipped',
    says: /in the affinity group backup, and the scheduler does not return to an earlier one with member1/,
  },
  '#7717: a rebalance does not return a workload to the primary cluster': {
    patches: [
      [policy, { spec: { placement: primaryAndBackup } }],
      [
        web,
        {
          spec: {
            clusters: [{ name: 'member2', replicas: 4 }],
            rescheduleTriggeredAt: '2026-05-04T09:30:00Z',
          },
          status: {
            schedulerObservingAffinityName: 'backup',
            lastScheduledTime: '2026-05-04T09:30:01Z',
            aggregatedStatus: [copyOn('member2', 4)],
          },
        },
      ],
      withoutWork('member1'),
      ...besides('member2'),
    ],
    first: 'earlier-group-skipped',
    says: /the rebalance has begun with the same group/,
  },
  '#5904: the placement selects only the failed cluster': {
    patches: [
      [policy, { spec: { placement: { clusterAffinity: { clusterNames: ['member1'] } } } }],
      ...evicting(MINUTES_AGO, 'member1'),
      [
        web,
        {
          metadata: { generation: 3 },
          spec: {
            clusters: [],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:53:00Z' })],
          },
          status: { conditions: [noFit], aggregatedStatus: [copyOn('member1', 4)] },
        },
      ],
      withoutWork('member2'),
      ...besides(),
    ],
    first: 'eviction-without-target',
    says: /NoClusterFit, as its placement selects member1 alone/,
  },
  '#5997: a Pod is Pending in the first affinity group, and the next group is not tried': {
    patches: [
      [policy, { spec: { placement: { ...primaryAndBackup, replicaScheduling: null } } }],
      ...['member1', 'member2', 'member3'].map((name): Patch => [cluster(name), listing('Pod')]),
      [
        cluster('member1'),
        { status: { resourceSummary: { allocated: { cpu: '16', memory: '64Gi', pods: '110' } } } },
      ],
      [
        web,
        {
          spec: {
            resource: { apiVersion: 'v1', kind: 'Pod' },
            replicas: 1,
            clusters: [{ name: 'member1', replicas: 1 }],
          },
          status: {
            schedulerObservingAffinityName: 'primary',
            aggregatedStatus: [
              { clusterName: 'member1', applied: true, health: 'Unhealthy', status: { phase: 'Pending' } },
            ],
          },
        },
      ],
      withoutWork('member2'),
      ...besides('member1'),
    ],
    first: 'duplicated-ignores-room',
    says: /Pod shop\/web: member1 has no capacity .* affinity group backup is not tried/,
  },
};

/** About components, clusters and others. */
const ofOthers: Record<string, Report> = {
  '#4410, #5286: a member already has a dependency, and no Work is in the state': {
    patches: [
      [
        { ...web, name: 'web-extra-configmap' },
        {
          status: {
            aggregatedStatus: [
              {
                clusterName: 'member1',
                applied: false,
                appliedMessage:
                  'Failed to apply all manifests (0/1): resource(kind=ConfigMap, shop/web-extra) already exists in the cluster member1 and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
              },
            ],
            ...condition('FullyApplied', 'FullyAppliedFailed', 'Failed to apply all works').status,
          },
        },
      ],
    ],
    first: 'binding-not-applied',
    says: /ConfigMap shop\/web-extra: not applied .*: Failed to apply .* already exists/,
  },
  '#7463: a copy to preserve is already deleted': {
    patches: [
      [
        { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        { metadata: { deletionTimestamp: HOURS_AGO }, spec: { preserveResourcesOnDeletion: true } },
      ],
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      ...besides('member2', 'member3'),
    ],
    first: 'work-deletion-stuck',
    says: /with preserveResourcesOnDeletion the copy must exist, and it may be gone/,
  },
  '#5942: a workload is deleted, and the binding of its dependent stays': {
    patches: [
      [
        { ...web, name: 'web-extra-configmap' },
        { spec: { requiredBy: [{ namespace: 'shop', name: 'gone' }] } },
      ],
    ],
    first: 'dependent-left-over',
    says: /ConfigMap shop\/web-extra: propagated for shop\/gone: its binding is gone/,
  },
  '#5348: a Lazy policy was deleted before it propagated the workload': {
    patches: [],
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          namespace: 'shop',
          name: 'lazy',
          labels: { 'propagationpolicy.karmada.io/permanent-id': 'gone' },
          annotations: {
            'propagationpolicy.karmada.io/namespace': 'shop',
            'propagationpolicy.karmada.io/name': 'was-lazy',
          },
        },
        spec: { template: { spec: { containers: [] } } },
      },
    ],
    first: 'policy-missing',
    says: /Deployment shop\/lazy: claimed by PropagationPolicy shop\/was-lazy, which does not exist/,
  },
  '#6815: one cluster has no estimator, and the other estimators are ignored': {
    flags: { scheduler: ['--enable-scheduler-estimator=true'] },
    patches: [],
    adds: [estimator('member1'), estimator('member2')],
    first: 'estimator-down',
    says: /member3 has no scheduler estimator: .*ignores the estimators of all clusters/,
  },
  '#7373: a short failure has emptied the list of APIs': {
    patches: [[cluster('member3'), { status: { apiEnablements: null } }]],
    first: 'cluster-reports-nothing',
    says: /member3 reports no API/,
  },
  '#6774: a WorkloadRebalancer finished before the cluster recovered': {
    patches: [
      [{ kind: 'WorkloadRebalancer', name: 'back' }, { status: { finishTime: '2026-05-04T09:30:00Z' } }],
      [
        web,
        {
          spec: {
            clusters: [{ name: 'member2', replicas: 4 }],
            rescheduleTriggeredAt: '2026-05-04T09:30:00Z',
          },
          status: { lastScheduledTime: '2026-05-04T09:30:01Z', aggregatedStatus: [copyOn('member2', 4)] },
        },
      ],
      withoutWork('member1'),
    ],
    first: 'rebalancer-without-effect',
    says: /has left Deployment shop\/web on one cluster, and another is free: it acted only once/,
  },
  '#4431: an unreachable cluster cannot be unjoined': {
    patches: [
      [cluster('member1'), { metadata: { deletionTimestamp: HOURS_AGO }, ...notReady }],
      ...[
        { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        { kind: 'Namespace', name: 'karmada-es-member1' },
      ].map((target): Patch => [target, { metadata: { deletionTimestamp: HOURS_AGO } }]),
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      ...besides('member2', 'member3'),
    ],
    first: 'cluster-deletion-stuck',
    says: /waits for Work karmada-es-member1\/web-5d4f/,
  },
  '#439: a member is shut down and still Ready': {
    patches: [[lease('karmada-cluster', 'member3'), { spec: { renewTime: '2026-05-04T09:30:00.000000Z' } }]],
    first: 'agent-silent',
    says: /the agent of member3 has renewed no Lease for 30m/,
  },
  '#386: an autoscaler in the members and Karmada both set the replicas': {
    patches: [],
    adds: [
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace: 'shop', name: 'web' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 2,
          maxReplicas: 9,
        },
      },
    ],
    first: 'hpa-without-retained-replicas',
    says: /both write the replicas of Deployment shop\/web/,
  },
};

/** The workload of a report. */
function targetOf(name: string, report: Report): string {
  if (name.startsWith('#4951')) return 'shop/configmap/web-config';
  const kinds = report.patches.map(([, merge]) => JSON.stringify(merge));
  const kind = ['Widget', 'Pod'].find((one) => kinds.some((text) => text?.includes(`"kind":"${one}"},"`)));
  return `shop/${(kind ?? 'Deployment').toLowerCase()}/web`;
}

/** Reports about objects that never got to their clusters, or run there in another way than wanted. */
const ofPropagation: Record<string, Report> = {
  '#1215: an override changes the namespace': {
    patches: [],
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'OverridePolicy',
        metadata: { namespace: 'shop', name: 'elsewhere', creationTimestamp: HOURS_AGO },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          overrideRules: [
            {
              overriders: {
                plaintext: [{ path: '/metadata/namespace', operator: 'replace', value: 'other' }],
              },
            },
          ],
        },
      },
    ],
    first: 'override-changes-identity',
    says: /changes \/metadata\/namespace/,
  },
  '#6362: the Namespace already exists in the cluster': {
    patches: [],
    adds: [
      {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: { namespace: 'karmada-es-member2', name: 'shop-5c88' },
        spec: {
          workload: { manifests: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }] },
        },
        ...condition(
          'Applied',
          'AppliedFailed',
          'Failed to apply all manifests (0/1): resource(kind=Namespace, /shop) already exists in the cluster member2 and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
        ),
      },
    ],
    first: 'work-not-applied',
    says: /kind=Namespace, \/shop\) already exists/,
  },
  '#4802: the certificates of a member were renewed': {
    patches: [
      [
        { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        condition(
          'Applied',
          'AppliedFailed',
          'Failed to apply all manifests (0/1): the server has asked for the client to provide credentials',
        ),
      ],
    ],
    first: 'work-not-applied',
    says: /the cluster refuses the credentials of Karmada/,
  },
  '#3187: the policy spreads by label': {
    patches: [
      [
        web,
        {
          ...condition('Scheduled', 'SchedulerError', 'just support cluster and region spread constraint'),
          spec: { clusters: null },
        },
      ],
      ...['member1', 'member2'].map(withoutWork),
    ],
    first: 'scheduling-failed',
    says: /spreads by cluster or region only, not by label/,
  },
  '#4028: a cluster has lost the label that the placement selects': {
    patches: [
      [
        policy,
        {
          spec: {
            placement: {
              clusterAffinity: null,
              clusterAffinities: [
                { affinityName: 'group1', labelSelector: { matchLabels: { 'cluster.io/all': 'true' } } },
              ],
            },
          },
        },
      ],
      ...['member2', 'member3'].map((name): Patch => [
        cluster(name),
        { metadata: { labels: { 'cluster.io/all': 'true' } } },
      ]),
    ],
    first: 'placed-outside-placement',
    says: /on member1, which the placement does not select/,
  },
  '#4434: no cluster had a device that the workload requests': {
    patches: [
      [
        web,
        {
          spec: { clusters: null, replicaRequirements: { resourceRequest: { 'nvidia.com/vgpu': '1' } } },
          ...condition(
            'Scheduled',
            'Unschedulable',
            'Clusters available replicas 0 are not enough to schedule.',
          ),
        },
      ],
      ...['member1', 'member2'].map(withoutWork),
    ],
    first: 'scheduling-failed',
    says: /too little capacity for all replicas/,
  },
  '#447: a Work was deleted manually': {
    patches: [withoutWork('member1')],
    first: 'work-missing',
    says: /placed on member1, and it has no Work there/,
  },
  '#3569: the CustomResourceDefinitions are outdated': {
    patches: [[web, { spec: { placement: null } }]],
    first: 'binding-without-placement',
    says: /the binding has no placement, although PropagationPolicy shop\/web has one/,
  },
  '#4697: a policy of higher priority does not take over the workload': {
    patches: [
      [policy, { spec: { placement: { clusterAffinity: { clusterNames: ['member1'] } } } }],
      [web, { spec: { clusters: [{ name: 'member1', replicas: 4 }] } }],
      ...['web-service', 'web-config-configmap'].map((name): Patch => [
        { ...web, name },
        { spec: { clusters: [{ name: 'member1' }] } },
      ]),
      withoutWork('member2'),
    ],
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { namespace: 'shop', name: 'urgent' },
        spec: {
          priority: 4,
          preemption: 'Never',
          placement: {},
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        },
      },
    ],
    first: 'priority-cannot-take-over',
    says: /has the higher priority and does not get Deployment shop\/web/,
  },
};

const all = { ...reports, ...ofWorkloadsToo, ...ofOthers, ...ofPropagation };

test.each(Object.entries(ofPropagation))(
  'where failover is off by default, an explanation opens with the present problem: %s',
  async (_, { first, says, patches, ...report }) => {
    const command = (binary: string) => ({
      spec: {
        template: {
          spec: {
            containers: [
              { name: binary, image: `docker.io/karmada/${binary}:v1.18.2`, command: [`/bin/${binary}`] },
            ],
          },
        },
      },
    });
    const off: Patch[] = [
      [controllers, command('karmada-controller-manager')],
      [taintPolicy, null],
    ];
    const objects = objectsOf({ ...report, first, says, patches: [...patches, ...off] });
    const { findings } = await diagnosed(objects);
    expect(findings[0]).toMatchObject({ check: first, message: expect.stringMatching(says) });
    const [broken] = await explained();
    expect(broken).toMatchObject({ check: first, message: expect.stringMatching(says) });
  },
);

describe('the cause of a problem from a user report', () => {
  test.each(Object.entries(all))('comes first in doctor: %s', async (_, { first, says, ...report }) => {
    const { findings } = await diagnosed(objectsOf({ first, says, ...report }));
    expect(findings[0]).toMatchObject({ check: first, message: expect.stringMatching(says) });
  });

  const ofWorkloads = [
    '#397',
    '#5206',
    '#2188',
    '#4951',
    '#4952',
    '#6233',
    '#7431',
    '#5087',
    '#6811',
    '#6317',
    '#5669',
    '#7302',
  ];
  test.each([
    ...Object.entries(reports).filter(([name]) => ofWorkloads.includes(name.split(':')[0]!)),
    ...Object.entries(ofWorkloadsToo),
  ])('comes first in the explanation of the workload: %s', async (name, report) => {
    const { first, says } = report;
    const objects = objectsOf(report);
    const file = join(temporaryFolder('explained-'), 'state.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const { brokenLinks } = await explainFailover(
      {
        state: { source: { files: [file] }, at: { time: Date.parse(NOW), text: NOW } },
        target: targetOf(name, report),
        failures: [],
        clusters: [],
      },
      quietPorts(),
    );
    expect(brokenLinks[0]).toMatchObject({ check: first, message: expect.stringMatching(says) });
  });
});

test('for a deletion that is stuck on Ready clusters, doctor suggests a restart of its controller (#7474)', async () => {
  const deleted = { deletionTimestamp: HOURS_AGO, finalizers: ['karmada.io/binding-controller'] };
  const { findings } = await diagnosed(patched(changed({}), web, { metadata: deleted }));
  expect(findings[0]).toMatchObject({
    check: 'binding-deletion-stuck',
    remedy: {
      commands: [
        [
          ...['kubectl', '-n', 'karmada-system', 'rollout', 'restart'],
          'deployment/karmada-controller-manager',
        ],
      ],
    },
  });
});

test('doctor reports a copy that may run twice before its stuck Work (#5406)', async () => {
  const { findings } = await diagnosed(
    objectsOf(reports['#5406: the agent is down, and deletions wait for its recovery']!),
  );
  expect(findings.map(({ check }) => check).slice(0, 2)).toEqual([
    'runs-twice-after-partition',
    'work-deletion-stuck',
  ]);
});

test('an explanation covers only failures of the requested clusters', async () => {
  const checksIf = async (cluster: string) => {
    const { brokenLinks } = await explainFailover(
      {
        state: { source: { files: [join('examples', 'shop')] } },
        target: 'shop/deployment/pricing',
        failures: [{ cluster, after: 0 }],
        clusters: [],
      },
      quietPorts(),
    );
    return brokenLinks.map(({ check }) => check);
  };
  // it spreads over two regions: oregon takes what virginia loses, and no cluster what frankfurt loses
  expect(await checksIf('frankfurt')).toContain('loss-breaks-spread');
  expect(await checksIf('virginia')).not.toContain('loss-breaks-spread');
});
