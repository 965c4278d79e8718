import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { explainFailover } from '../../../../src/useCases/explanation/explainFailover.ts';
import { quietPorts } from '../../../useCases/quietPorts.ts';
import { patched } from './applied.ts';
import { diagnosed } from './diagnosed.ts';
import { healthyObjects, NOW, type Written } from './healthyWorld.ts';

// What users of Karmada have reported, each as the healthy control plane with what the report says changed: the cause comes first.

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

const reports: Record<string, { patches: Patch[]; adds?: Written[]; first: string; says: RegExp }> = {
  '#2188: no cluster has room for what is asked': {
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
  '#5406: the agent is down, and what is deleted meanwhile goes when it is back': {
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
    first: 'work-deletion-stuck',
    says: /for member3 is being deleted/,
  },
  '#5564: a cluster cannot be deleted after its Secret is gone': {
    patches: [[cluster('member3'), { metadata: { deletionTimestamp: HOURS_AGO }, ...notReady }]],
    adds: [work({ deletionTimestamp: HOURS_AGO })],
    first: 'cluster-deletion-stuck',
    says: /waits for Work karmada-es-member3\/left/,
  },
  '#1847: a Pull cluster that is away cannot be deleted': {
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
    says: /ConfigMap shop\/web-config: the eviction from member1 is overdue since/,
  },
  '#6233: a workload needs longer to start than it may be ill': {
    patches: [[policy, applicationFailover(30)]],
    first: 'toleration-shorter-than-start',
    says: /after 30 s of ill health/,
  },
  '#1189, #2769: a recovered cluster does not get its share back': {
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
  '#7431: ill health swings through Unknown': {
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
  '#6811: a member already has an object of that name': {
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
  '#6317: the gate is on, and no policy taints a cluster that fails': {
    patches: [
      [cluster('member2'), notReady],
      [taintPolicy, null],
    ],
    first: 'no-evicting-taint',
    says: /adds none itself/,
  },
  '#5669: a finalizer of an operator keeps an object': {
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
  '#7302: a taint set by hand has no time, so that no toleration ends': {
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
    says: /no clock runs: the taint has no timeAdded/,
  },
  '#4952: a toleration of NoSchedule, and the taint is NoExecute': {
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
  '#4952: a toleration of NoSchedule with seconds, and the taint is NoSchedule': {
    patches: [
      [policy, tolerates({ effect: 'NoSchedule', tolerationSeconds: 0 })],
      [cluster('member1'), tainted('NoSchedule')],
    ],
    first: 'toleration-effect-differs',
    says: /has tolerationSeconds of 0s, which count for NoExecute alone: it never ends/,
  },
  '#4952: a toleration of NoExecute, and the taint is NoSchedule': {
    patches: [
      [policy, tolerates({ effect: 'NoExecute' })],
      [cluster('member1'), tainted('NoSchedule')],
      [web, { spec: { clusters: [{ name: 'member2', replicas: 4 }] } }],
      [{ kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' }, null],
    ],
    first: 'toleration-effect-differs',
    says: /has the effect NoExecute, and the taint of member1 has NoSchedule: the scheduler does not place/,
  },
  '#4952: the policy of taints has another effect': {
    patches: [
      [policy, tolerates({ effect: 'NoSchedule' })],
      [taintPolicy, { spec: { taints: [{ key: 'rebalance', effect: 'NoExecute' }] } }],
    ],
    first: 'toleration-effect-differs',
    says: /ClusterTaintPolicy ready adds the taint with NoExecute/,
  },
};

describe('doctor names first what users have reported', () => {
  test.each(Object.entries(reports))('%s', async (_, { patches, adds = [], first, says }) => {
    const objects = patches.reduce(
      (left, [target, merge]) => patched(left, target, merge),
      [...healthyObjects(), ...adds],
    );
    const { findings } = await diagnosed(objects);
    expect(findings[0]).toMatchObject({ check: first, message: expect.stringMatching(says) });
  });

  const ofWorkloads = [
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
  test.each(Object.entries(reports).filter(([name]) => ofWorkloads.includes(name.split(':')[0]!)))(
    'and so does the explanation of the workload: %s',
    async (name, { patches, adds = [], first, says }) => {
      const objects = patches.reduce(
        (left, [target, merge]) => patched(left, target, merge),
        [...healthyObjects(), ...adds],
      );
      const file = join(mkdtempSync(join(tmpdir(), 'explained-')), 'state.json');
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      const { brokenLinks } = await explainFailover(
        {
          state: { source: { files: [file] }, at: { time: Date.parse(NOW), text: NOW } },
          target: name.startsWith('#4951') ? 'shop/configmap/web-config' : 'shop/deployment/web',
          ...{ failures: [], clusters: [] },
        },
        quietPorts(),
      );
      expect(brokenLinks[0]).toMatchObject({ check: first, message: expect.stringMatching(says) });
    },
  );
});

test('an explanation speaks of the loss of those clusters alone that it is asked about', async () => {
  const checksIf = async (cluster: string) => {
    const { brokenLinks } = await explainFailover(
      {
        state: { source: { files: [join('examples', 'shop')] } },
        target: 'shop/deployment/pricing',
        ...{ failures: [{ cluster, after: 0 }], clusters: [] },
      },
      quietPorts(),
    );
    return brokenLinks.map(({ check }) => check);
  };
  // it spreads over two regions: oregon takes what virginia loses, and no cluster what frankfurt loses
  expect(await checksIf('frankfurt')).toContain('loss-breaks-spread');
  expect(await checksIf('virginia')).not.toContain('loss-breaks-spread');
});
