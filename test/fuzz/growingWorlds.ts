import type { Json, Manifest } from './world.ts';

/** A control plane one part of which grows with a number, and the commands that look at that part. */
export interface GrowingWorld {
  name: string;
  /** the smaller one of the two sizes, if not the usual one */
  size?: number;
  objects: (size: number) => Manifest[];
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
const explainTaints = ['taint-policy', 'explain'];
const listTaints = ['taint-policy', 'list'];
const deleteTaints = ['taint-policy', 'delete', 'p0', '--with-taints'];
const ofTaints = [explainTaints, listTaints, fail];

const many = <T>(size: number, item: (at: number) => T) => Array.from({ length: size }, (_, at) => item(at));
const named = (size: number, prefix: string) => many(size, (at) => `${prefix}${at}`);
const metadata = (name: string, more: Record<string, Json> = {}): Json => ({
  ...{ name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: SINCE, generation: 1 },
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
  status?: Record<string, Json>;
}

/** A Deployment with its policy, its binding and its Works. */
function workload({
  name = 'web',
  placement = everywhere,
  clusters,
  tasks = [],
  annotations = {},
  status = {},
}: WorkloadParts): Manifest[] {
  const permanentId = { 'propagationpolicy.karmada.io/permanent-id': `id-${name}` };
  const template = { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'shop' };
  const deployment: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(name, { namespace: 'shop', labels: permanentId, annotations }),
    spec: { replicas: 2, template: { spec: { containers: [{ name, image: name }] } } },
  };
  const policy: Manifest = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: metadata(name, { namespace: 'shop', labels: permanentId }),
    spec: { placement, resourceSelectors: [template] },
  };
  const health = (clusterName: string): Json => ({
    ...{ clusterName, applied: true, health: 'Healthy' },
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
  ...{
    fromCluster,
    replicas: 2,
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    purgeMode: 'Graciously',
  },
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

const three = () => ['m0', 'm1', 'm2'].map((name) => cluster(name));
const web = (parts: Partial<WorkloadParts> = {}) => workload({ clusters: ['m0', 'm1'], ...parts });

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
          ...{ conditionType, operator: 'In', statusValues: ['False'] },
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
    name: 'clusters that a status tells of and that are not there',
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
];
