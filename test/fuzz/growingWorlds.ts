import type { Json, Manifest } from './world.ts';

/** A control plane with one part that grows with a number, and the commands that read that part. */
export interface GrowingWorld {
  name: string;
  /** the smaller of the two sizes, if not the usual one */
  size?: number;
  objects: (size: number) => Manifest[];
  /** what grows outside the control plane, in a file for this flag */
  file?: { flag: string; content: (size: number) => Json };
  /** what grows on the command line */
  words?: (size: number) => string[];
  commands: readonly (readonly string[])[];
}

const SINCE = '2026-08-03T08:12:40Z';
const LATELY = '2026-09-01T09:30:00Z';
const EVICTING = ['--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'];
const inspect = ['eviction', 'inspect'];
const fail = ['failover', 'simulate', '--fail', 'm0', ...EVICTING];
const status = ['failover', 'status'];
const snapshot = ['snapshot', 'save', '-'];
const explain = ['failover', 'explain', 'deployment/web', '-n', 'shop', '--if-fails', 'm0'];
const drain = ['drain', 'm0', '--dry-run', '--allow-loss', '--allow-blocked', '--allow-overcommit'];
const explainOne = ['failover', 'explain', 'deployment/web', '-n', 'shop', ...EVICTING];
const play = ['failover', 'simulate', ...EVICTING];
const DESIGN = ['--karmada-version', 'proposal'];
const explainTaints = ['taint-policy', 'explain'];
const listTaints = ['taint-policy', 'list'];
const deleteTaints = ['taint-policy', 'delete', 'p0', '--with-taints'];
const ofTaints = [explainTaints, listTaints, fail];

const many = <T>(size: number, item: (at: number) => T) => Array.from({ length: size }, (_, at) => item(at));
const named = (size: number, prefix: string) => many(size, (at) => `${prefix}${at}`);
const metadata = (name: string, more: Record<string, Json> = {}): Json => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: SINCE,
  generation: 1,
  ...more,
});
const reported = (conditions: Json[]): Json[] => [
  { type: 'Ready', status: 'True', reason: 'ClusterReady', message: 'ok', lastTransitionTime: SINCE },
  ...conditions,
];

interface ClusterParts {
  labels?: Record<string, Json>;
  taints?: Json[];
  conditions?: Json[];
}

const cluster = (
  name: string,
  { labels = {}, taints = [], conditions = [] }: ClusterParts = {},
): Manifest => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: metadata(name, { labels }),
  spec: { syncMode: 'Push', taints },
  status: {
    apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
    conditions: reported(conditions),
    resourceSummary: { allocatable: { cpu: '96', memory: '384Gi', pods: '660' }, allocated: { cpu: '1' } },
  },
});

const everywhere: Manifest = {
  clusterAffinity: {},
  replicaScheduling: { replicaSchedulingType: 'Duplicated' },
};

interface WorkloadParts {
  name?: string;
  placement?: Manifest;
  clusters: string[];
  tasks?: Json[];
  annotations?: Record<string, Json>;
  managedFields?: Json[];
  status?: Record<string, Json>;
}

/** A Deployment with its policy, its binding and its Works. */
function workload({
  name = 'web',
  placement = everywhere,
  clusters,
  tasks = [],
  annotations = {},
  managedFields = [],
  status = {},
}: WorkloadParts): Manifest[] {
  const permanentId = { 'propagationpolicy.karmada.io/permanent-id': `id-${name}` };
  const template = { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'shop' };
  const deployment: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(name, { namespace: 'shop', labels: permanentId, annotations, managedFields }),
    spec: { replicas: 2, template: { spec: { containers: [{ name, image: name }] } } },
  };
  const policy: Manifest = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: metadata(name, { namespace: 'shop', labels: permanentId }),
    spec: { placement, resourceSelectors: [template] },
  };
  const health = (clusterName: string): Json => ({
    clusterName,
    applied: true,
    health: 'Healthy',
    status: { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 },
  });
  const binding: Manifest = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: metadata(`${name}-deployment`, {
      namespace: 'shop',
      labels: { ...permanentId, 'resourcebinding.karmada.io/permanent-id': `rb-${name}` },
      annotations: {
        'policy.karmada.io/applied-placement': JSON.stringify(placement),
        'propagationpolicy.karmada.io/name': name,
        'propagationpolicy.karmada.io/namespace': 'shop',
      },
    }),
    spec: {
      resource: { ...template, uid: `uid-${name}`, resourceVersion: '1' },
      placement,
      replicas: 2,
      clusters: clusters.map((one) => ({ name: one, replicas: 2 })),
      gracefulEvictionTasks: tasks,
    },
    status: {
      schedulerObservedGeneration: 1,
      lastScheduledTime: LATELY,
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', lastTransitionTime: LATELY }],
      aggregatedStatus: clusters.map(health),
      ...status,
    },
  };
  return [deployment, policy, binding];
}

const task = (fromCluster: string, more: Record<string, Json> = {}): Json => ({
  fromCluster,
  replicas: 2,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  purgeMode: 'Graciously',
  creationTimestamp: LATELY,
  ...more,
});

const taint = (key: string): Record<string, Json> => ({ key, effect: 'NoExecute' });
const taintPolicy = (name: string, taints: Json[], more: Record<string, Json> = {}): Manifest => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: metadata(name),
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints,
    ...more,
  },
});

const windowPolicy = (name: string, keys: string[]): Manifest => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: metadata(name),
  spec: {
    matchConditions: [{ conditionType: 'Net', operator: 'In', statusValues: ['False'] }],
    taintsToAdd: keys.map((key) => ({ ...taint(key), addOnMatchSeconds: 60, removeOnMismatchSeconds: 30 })),
  },
});

/** The Work of the binding of web on a cluster, with these manifests. */
const work = (clusterName: string, manifests: string[] = ['web']): Manifest => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: metadata('web-1', {
    namespace: `karmada-es-${clusterName}`,
    labels: { 'resourcebinding.karmada.io/permanent-id': 'rb-web' },
    annotations: {
      'resourcebinding.karmada.io/name': 'web-deployment',
      'resourcebinding.karmada.io/namespace': 'shop',
    },
  }),
  spec: {
    workload: {
      manifests: manifests.map((name) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, namespace: 'shop' },
        spec: { replicas: 2, template: { spec: { containers: [{ name, image: name }] } } },
      })),
    },
  },
  status: {
    conditions: [{ type: 'Applied', status: 'True', lastTransitionTime: LATELY }],
    manifestStatuses: [
      {
        identifier: {
          ordinal: 0,
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          resource: 'deployments',
          namespace: 'shop',
          name: 'web',
        },
        health: 'Healthy',
        status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
      },
    ],
  },
});

const rebalancer = (name: string, workloads: string[]): Manifest => ({
  apiVersion: 'apps.karmada.io/v1alpha1',
  kind: 'WorkloadRebalancer',
  metadata: metadata(name),
  spec: {
    workloads: workloads.map((one) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: one,
    })),
  },
});

const override = (name: string, rules: number): Manifest => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: metadata(name, { namespace: 'shop' }),
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    overrideRules: many(rules, (at) => ({
      targetCluster: { clusterNames: [`m${at}`] },
      overriders: { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: at }] },
    })),
  },
});

const three = () => ['m0', 'm1', 'm2'].map((name) => cluster(name));
const web = (parts: Partial<WorkloadParts> = {}) => workload({ clusters: ['m0', 'm1'], ...parts });

/** The same objects in another namespace. */
const inNamespace = (namespace: string, objects: readonly Manifest[]): Manifest[] =>
  JSON.parse(JSON.stringify(objects).replaceAll('"shop"', JSON.stringify(namespace))) as Manifest[];

const webIs = { kind: 'Deployment', namespace: 'shop', name: 'web' };
/** Events that repeat, for the control plane of three clusters and one workload. */
const scenarioEvents: readonly (readonly [string, (at: number) => Manifest])[] = [
  ['failures and recoveries', (at) => ({ [at % 2 === 0 ? 'fail' : 'recover']: 'm0' })],
  [
    'NoExecute taints',
    (at) => ({ [at % 2 === 0 ? 'taint' : 'untaint']: { cluster: 'm0', key: 'k', effect: 'NoExecute' } }),
  ],
  [
    'conditions',
    (at) => ({ condition: { cluster: 'm0', type: 'Ready', status: at % 2 === 0 ? 'False' : 'True' } }),
  ],
  [
    'reports of health',
    (at) => ({ health: { ...webIs, cluster: 'm0', status: at % 2 === 0 ? 'Unhealthy' : 'Healthy' } }),
  ],
  [
    'objects that are applied and deleted',
    (at): Manifest => {
      const name = `c${at - (at % 2)}`;
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } };
      if (at % 2 === 0) return { apply: [object] };
      return { delete: { kind: 'ConfigMap', namespace: 'shop', name } };
    },
  ],
  ['restarts', () => ({ restart: 'karmada-controller-manager' })],
];

export const growingWorlds: readonly GrowingWorld[] = [
  {
    name: 'clusters that a workload is on',
    objects: (n) => [...named(n, 'm').map((name) => cluster(name)), ...web({ clusters: named(n, 'm') })],
    commands: [inspect, fail, drain, snapshot],
  },
  {
    name: 'workloads',
    objects: (n) => [...three(), ...many(n, (at) => web({ name: `web-${at}` })).flat()],
    commands: [inspect, fail, drain, snapshot, status],
  },
  {
    name: 'eviction tasks',
    objects: (n) => [...three(), ...web({ tasks: named(n, 'gone-').map((from) => task(from)) })],
    commands: [inspect, status, fail, drain],
  },
  {
    name: 'eviction tasks that are held',
    // more than a sentence names
    size: 150,
    objects: (n) => [
      ...three(),
      ...web({ tasks: named(n, 'gone-').map((from) => task(from, { suppressDeletion: true })) }),
    ],
    commands: [inspect, status],
  },
  {
    name: 'taints of a cluster',
    objects: (n) => [
      cluster('m0', { taints: named(n, 'k').map((key) => ({ ...taint(key), timeAdded: LATELY })) }),
      ...three().slice(1),
      ...web(),
    ],
    commands: [status, fail, explainTaints, listTaints, drain],
  },
  {
    name: 'tolerations',
    objects: (n) => [
      ...three(),
      ...web({
        placement: {
          ...everywhere,
          clusterTolerations: named(n, 'k').map((key) => ({ key, operator: 'Exists', tolerationSeconds: 9 })),
        },
      }),
    ],
    commands: [fail, explain, drain],
  },
  {
    name: 'taints of a policy',
    objects: (n) => [...three(), ...web(), taintPolicy('p0', named(n, 'k').map(taint))],
    commands: [...ofTaints, status, explain],
  },
  {
    name: 'taints of a policy that are there',
    objects: (n) => [
      cluster('m0', { taints: named(n, 'k').map((key) => ({ ...taint(key), timeAdded: LATELY })) }),
      ...three().slice(1),
      ...web(),
      taintPolicy('p0', named(n, 'k').map(taint)),
    ],
    commands: [...ofTaints, deleteTaints],
  },
  {
    name: 'taint policies',
    objects: (n) => [...three(), ...web(), ...many(n, (at) => taintPolicy(`p${at}`, [taint(`k${at}`)]))],
    commands: [...ofTaints, deleteTaints],
  },
  {
    name: 'conditions that a policy names',
    objects: (n) => [
      cluster('m0', {
        conditions: named(n, 'C').map((type) => ({ type, status: 'True', lastTransitionTime: SINCE })),
      }),
      ...three().slice(1),
      ...web(),
      taintPolicy('p0', [taint('k')], {
        addOnConditions: named(n, 'C').map((conditionType) => ({
          conditionType,
          operator: 'In',
          statusValues: ['False'],
        })),
      }),
    ],
    commands: [fail, listTaints],
  },
  {
    name: 'statuses that a policy names',
    objects: (n) => [
      ...three(),
      ...web(),
      taintPolicy('p0', [taint('k')], {
        addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: named(n, 'S') }],
      }),
    ],
    commands: [fail, listTaints],
  },
  {
    name: 'affinity groups',
    objects: (n) => {
      const clusterAffinities = many(n, (at) => ({ affinityName: `g${at}`, clusterNames: [`x${at}`] }));
      clusterAffinities.at(-1)!.clusterNames = ['m0'];
      const placement = { clusterAffinities, replicaScheduling: everywhere['replicaScheduling']! };
      const status = { schedulerObservedAffinityName: `g${n - 1}` };
      return [...three(), ...web({ clusters: ['m0'], placement, status })];
    },
    commands: [fail, explain, drain],
  },
  {
    name: 'clusters that a placement leaves out',
    objects: (n) => [
      ...three(),
      ...web({ placement: { ...everywhere, clusterAffinity: { exclude: named(n, 'x') } } }),
    ],
    commands: [fail, drain, explain],
  },
  {
    name: 'labels and annotations',
    objects: (n) => {
      const texts = Object.fromEntries(named(n, 'l').map((key) => [key, 'v']));
      return [cluster('m0', { labels: texts }), ...three().slice(1), ...web({ annotations: texts })];
    },
    commands: [fail, explain, snapshot],
  },
  {
    name: 'clusters that a status reports and that are not there',
    objects: (n) => [
      ...three(),
      ...web({
        status: {
          aggregatedStatus: named(n, 'gone-').map((clusterName) => ({ clusterName, applied: true })),
        },
      }),
    ],
    commands: [inspect, fail, drain, status],
  },
  {
    name: 'clusters beside the two of a workload',
    objects: (n) => [...named(n, 'm').map((name) => cluster(name)), ...web()],
    commands: [status, explainOne, explainTaints, listTaints],
  },
  {
    name: 'steps of a scenario',
    objects: () => [...three(), ...web()],
    file: {
      flag: '--scenario',
      content: (n) => ({
        events: many(n, (at) => ({
          at: `${at}m`,
          [at % 2 === 0 ? 'taint' : 'untaint']: { cluster: 'm0', key: 'k', effect: 'NoSchedule' },
        })),
      }),
    },
    commands: [play],
  },
  ...scenarioEvents.map(([name, event]): GrowingWorld => ({
    name: `${name} in a scenario`,
    objects: () => [...three(), ...web()],
    file: {
      flag: '--scenario',
      content: (n) => ({ events: many(n, (at) => ({ at: `${at}m`, ...event(at) })) }),
    },
    commands: [play],
  })),
  {
    name: 'propagation policies for other workloads',
    objects: (n) => [...three(), ...web(), ...many(n, (at) => web({ name: `other-${at}` })[1]!)],
    commands: [fail, explain, status],
  },
  {
    name: 'namespaces, with a workload in each',
    objects: (n) => [
      ...three(),
      ...many(n, (at) => inNamespace(`ns-${at}`, web({ name: `web-${at}` }))).flat(),
    ],
    commands: [status, inspect, fail, drain],
  },
  {
    name: 'entries of a ConfigMap',
    objects: (n) => [
      ...three(),
      ...web(),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: metadata('settings', { namespace: 'shop' }),
        data: Object.fromEntries(named(n, 'entry-').map((name) => [name, 'value'])),
      },
    ],
    commands: [status, fail, snapshot],
  },
  {
    name: 'patches in a scenario',
    objects: () => [...three(), ...web()],
    file: {
      flag: '--scenario',
      content: (n) => ({
        events: many(n, (at) => ({
          at: `${at}s`,
          patch: {
            kind: 'Deployment',
            namespace: 'shop',
            name: 'web',
            merge: { spec: { replicas: 2 + (at % 3) } },
          },
        })),
      }),
    },
    commands: [play],
  },
  {
    name: 'manifests in a step of a scenario',
    objects: () => [...three(), ...web()],
    file: {
      flag: '--scenario',
      content: (n) => ({
        events: [
          {
            at: '1s',
            apply: many(n, (at) => taintPolicy(`p${at}`, [{ key: `k${at}`, effect: 'NoSchedule' }])),
          },
        ],
      }),
    },
    commands: [play],
  },
  {
    name: 'workloads that a scenario says are never ready',
    objects: () => [...three(), ...web()],
    file: {
      flag: '--scenario',
      content: (n) => ({
        assume: {
          neverReady: named(n, 'web-').map((name) => ({
            kind: 'Deployment',
            namespace: 'shop',
            name,
            cluster: 'm1',
          })),
        },
        events: [{ at: '0s', fail: 'm0' }],
      }),
    },
    commands: [play],
  },
  {
    name: 'settings on the command line',
    objects: () => [...three(), ...web()],
    words: (n) => many(n, () => ['--assume', 'Failover=true']).flat(),
    commands: [status, explain],
  },
  {
    name: 'Works of a workload',
    objects: (n) => [
      ...named(n, 'm').map((name) => cluster(name)),
      ...web({ clusters: named(n, 'm') }),
      ...named(n, 'm').map((name) => work(name)),
    ],
    commands: [inspect, fail, snapshot],
  },
  {
    name: 'manifests in a Work',
    objects: (n) => [
      ...three(),
      ...web(),
      work(
        'm0',
        many(n, () => 'web'),
      ),
      work('m1'),
    ],
    commands: [fail, snapshot],
  },
  {
    name: 'managedFields',
    objects: (n) => [
      ...three(),
      ...web({
        managedFields: named(n, 'manager-').map((manager) => ({
          manager,
          operation: 'Update',
          apiVersion: 'apps/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        })),
      }),
    ],
    commands: [inspect, fail, snapshot],
  },
  {
    name: 'rebalancers',
    objects: (n) => [...three(), ...web(), ...named(n, 'again-').map((name) => rebalancer(name, ['web']))],
    commands: [fail, drain],
  },
  {
    name: 'workloads of a rebalancer',
    objects: (n) => [
      ...three(),
      ...many(n, (at) => web({ name: `web-${at}` })).flat(),
      rebalancer('again', named(n, 'web-')),
    ],
    commands: [fail],
  },
  {
    name: 'overrides',
    objects: (n) => [...three(), ...web(), ...named(n, 'o').map((name) => override(name, 1))],
    commands: [fail, drain, snapshot],
  },
  {
    name: 'rules of an override',
    objects: (n) => [...three(), ...web(), override('o', n)],
    commands: [fail, snapshot],
  },
  {
    name: 'characters of messages, names and values',
    objects: (n) => {
      const long = 'x'.repeat(100 * n);
      const conditions = [{ type: 'Long', status: 'True', message: long, lastTransitionTime: SINCE }];
      return [
        cluster('m0', { conditions, taints: [{ ...taint('k'), value: long }] }),
        ...three().slice(1),
        ...web({ annotations: { long } }),
        taintPolicy('p0', [taint('k')], {
          addOnConditions: [{ conditionType: long, operator: 'In', statusValues: [long] }],
        }),
      ];
    },
    commands: [inspect, status, explain, listTaints, explainTaints, snapshot],
  },
  {
    name: 'windows of a policy',
    objects: (n) => [
      cluster('m0', {
        conditions: [{ type: 'Net', status: 'False', lastTransitionTime: LATELY }],
        taints: named(n, 'k').map((key) => ({ ...taint(key), timeAdded: LATELY })),
      }),
      ...three().slice(1),
      ...web(),
      windowPolicy('p0', named(n, 'k')),
    ],
    commands: [
      [...explainTaints, ...DESIGN],
      [...listTaints, ...DESIGN],
      ['failover', 'simulate', '--fail', 'm0', ...DESIGN],
    ],
  },
  {
    name: 'policies with windows',
    objects: (n) => [...three(), ...web(), ...many(n, (at) => windowPolicy(`p${at}`, [`k${at}`]))],
    commands: [
      [...explainTaints, ...DESIGN],
      ['failover', 'simulate', '--fail', 'm0', ...DESIGN],
    ],
  },
];
