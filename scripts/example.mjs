// Writes examples/: shop, a small control plane as `kubectl get … -o json` would print it, and incident, the same while a cluster is
// failing. Each is consistent: generations, permanent ids, Works, statuses, allocated resources.
// node scripts/example.mjs [DIRECTORY]
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { controlPlane } from './example/controlPlane.mjs';

const SCHEDULED = '2026-08-31T16:04:11Z';

const clusters = [
  {
    name: 'frankfurt',
    region: 'europe',
    zone: 'eu-central-1a',
    provider: 'aws',
    nodes: 6,
    cpu: 16,
    memory: 64,
    labels: { tier: 'public' },
  },
  {
    name: 'dublin',
    region: 'europe',
    zone: 'eu-west-1b',
    provider: 'aws',
    nodes: 4,
    cpu: 16,
    memory: 64,
    labels: { tier: 'public' },
  },
  {
    name: 'virginia',
    region: 'america',
    zone: 'us-east4-a',
    provider: 'gcp',
    nodes: 6,
    cpu: 16,
    memory: 64,
    labels: { tier: 'public' },
  },
  {
    name: 'oregon',
    region: 'america',
    zone: 'us-west1-b',
    provider: 'gcp',
    nodes: 4,
    cpu: 16,
    memory: 64,
    labels: { tier: 'public' },
  },
  {
    name: 'tokyo',
    region: 'asia',
    zone: 'asia-northeast1-c',
    provider: 'gcp',
    nodes: 3,
    cpu: 8,
    memory: 32,
    labels: { tier: 'edge' },
    syncMode: 'Pull',
    taints: [
      {
        key: 'maintenance',
        value: 'kernel-upgrade',
        effect: 'NoSchedule',
        timeAdded: '2026-09-01T06:00:03Z',
      },
    ],
  },
];

const tolerates = (seconds) =>
  ['not-ready', 'unreachable'].map((condition) => ({
    key: `cluster.karmada.io/${condition}`,
    operator: 'Exists',
    effect: 'NoExecute',
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  }));
const duplicated = { replicaSchedulingType: 'Duplicated' };
const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const weighted = (weightPreference) => ({
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference,
});
const spread = (field, minGroups, maxGroups) => ({ spreadByField: field, minGroups, maxGroups });
const on = (...clusterNames) => ({ clusterNames });

// Where workloads run; `clusters` is the decision of the scheduler of Karmada v1.18 for the placement.
const workloads = [
  {
    namespace: 'shop',
    name: 'storefront',
    replicas: 4,
    request: { cpu: '500m', memory: '512Mi' },
    placement: {
      clusterAffinity: { labelSelector: { matchLabels: { tier: 'public' } } },
      replicaScheduling: duplicated,
      spreadConstraints: [spread('region', 2, 2), spread('cluster', 2, 3)],
    },
    clusters: { frankfurt: 4, virginia: 4, dublin: 4 },
  },
  {
    namespace: 'shop',
    name: 'cart',
    replicas: 9,
    request: { cpu: '250m', memory: '256Mi' },
    placement: {
      clusterAffinity: on('frankfurt', 'dublin', 'virginia', 'oregon'),
      replicaScheduling: weighted({ dynamicWeight: 'AvailableReplicas' }),
    },
    clusters: { dublin: 2, frankfurt: 3, oregon: 2, virginia: 2 },
  },
  {
    namespace: 'shop',
    name: 'checkout',
    replicas: 6,
    request: { cpu: '500m', memory: '1Gi' },
    placement: {
      clusterAffinities: [
        { affinityName: 'primary', ...on('frankfurt') },
        { affinityName: 'backup', ...on('virginia', 'oregon') },
      ],
      clusterTolerations: tolerates(60),
      replicaScheduling: aggregated,
    },
    affinityName: 'primary',
    clusters: { frankfurt: 6 },
  },
  {
    namespace: 'shop',
    name: 'search',
    replicas: 6,
    request: { cpu: '1', memory: '2Gi' },
    placement: {
      clusterAffinity: on('frankfurt', 'dublin'),
      replicaScheduling: weighted({
        staticWeightList: [
          { targetCluster: on('frankfurt'), weight: 2 },
          { targetCluster: on('dublin'), weight: 1 },
        ],
      }),
    },
    clusters: { dublin: 2, frankfurt: 4 },
  },
  {
    namespace: 'shop',
    name: 'recommendations',
    replicas: 6,
    request: { cpu: '6', memory: '20Gi' },
    placement: { clusterAffinity: on('frankfurt', 'dublin'), replicaScheduling: aggregated },
    clusters: { frankfurt: 6 },
  },
  {
    namespace: 'shop',
    name: 'pricing',
    replicas: 2,
    request: { cpu: '250m', memory: '256Mi' },
    placement: {
      clusterAffinity: on('frankfurt', 'virginia', 'oregon'),
      replicaScheduling: duplicated,
      spreadConstraints: [spread('region', 2, 2), spread('cluster', 2, 2)],
    },
    clusters: { virginia: 2, frankfurt: 2 },
  },
  {
    namespace: 'shop',
    name: 'translations',
    kind: 'ConfigMap',
    placement: { clusterAffinity: on('frankfurt', 'dublin', 'virginia', 'oregon') },
    clusters: { dublin: 0, frankfurt: 0, oregon: 0, virginia: 0 },
  },
  {
    namespace: 'data',
    name: 'ledger',
    kind: 'StatefulSet',
    replicas: 3,
    request: { cpu: '2', memory: '8Gi' },
    placement: { clusterAffinity: on('frankfurt'), replicaScheduling: duplicated },
    clusters: { frankfurt: 3 },
  },
  {
    namespace: 'data',
    name: 'archive',
    replicas: 2,
    request: { cpu: '1', memory: '4Gi' },
    placement: {
      clusterAffinity: on('frankfurt', 'dublin'),
      clusterTolerations: tolerates(undefined),
      replicaScheduling: duplicated,
    },
    clusters: { frankfurt: 2, dublin: 2 },
  },
  {
    namespace: 'data',
    name: 'session-cache',
    kind: 'StatefulSet',
    replicas: 3,
    request: { cpu: '1', memory: '4Gi' },
    failover: {
      cluster: {
        purgeMode: 'Directly',
        statePreservation: {
          rules: [{ aliasLabelName: 'failover.shop.example/replicas', jsonPath: '{.readyReplicas}' }],
        },
      },
    },
    placement: {
      clusterAffinity: on('frankfurt', 'dublin'),
      replicaScheduling: aggregated,
      spreadConstraints: [spread('cluster', 1, 1)],
    },
    clusters: { frankfurt: 3 },
  },
  {
    namespace: 'data',
    name: 'queue',
    replicas: 2,
    request: { cpu: '1', memory: '2Gi' },
    propagateDeps: true,
    failover: {
      application: { decisionConditions: { tolerationSeconds: 120 }, purgeMode: 'Never' },
    },
    placement: {
      clusterAffinity: on('virginia', 'oregon'),
      replicaScheduling: aggregated,
      spreadConstraints: [spread('cluster', 1, 1)],
    },
    clusters: { virginia: 2 },
    // left its cluster during the night; the member has not confirmed the deletion yet
    tasks: [
      {
        fromCluster: 'oregon',
        purgeMode: 'Never',
        replicas: 2,
        reason: 'ApplicationFailure',
        producer: 'resource-binding-application-failover-controller',
        suppressDeletion: true,
        creationTimestamp: '2026-09-01T01:17:42Z',
      },
    ],
    scheduledAt: '2026-09-01T01:17:43Z',
  },
  {
    namespace: 'data',
    name: 'reports',
    kind: 'CronJob',
    placement: { clusterAffinity: on('virginia') },
    clusters: { virginia: 0 },
  },
  {
    namespace: 'platform',
    name: 'metrics-agent',
    kind: 'DaemonSet',
    clusterWide: true,
    placement: { clusterAffinity: { exclude: ['tokyo'] } },
    clusters: { dublin: 0, frankfurt: 0, oregon: 0, virginia: 0 },
  },
  {
    name: 'support-readonly',
    kind: 'ClusterRole',
    clusterWide: true,
    placement: { clusterAffinity: on('frankfurt', 'virginia') },
    clusters: { frankfurt: 0, virginia: 0 },
  },
];

const taintPolicies = [
  { name: 'evict-when-not-ready', status: 'False', removeOn: ['True'], key: 'not-ready' },
  { name: 'evict-when-unreachable', status: 'Unknown', removeOn: ['True', 'False'], key: 'unreachable' },
];

const components = [
  {
    name: 'karmada-controller-manager',
    flags: [
      '--feature-gates=Failover=true,StatefulFailoverInjection=true',
      '--enable-no-execute-taint-eviction=true',
      '--cluster-status-update-frequency=10s',
      '--v=2',
    ],
  },
  {
    name: 'karmada-scheduler',
    flags: ['--feature-gates=Failover=true,StatefulFailoverInjection=true', '--v=2'],
  },
  { name: 'karmada-webhook', flags: ['--allow-no-execute-taint-policy=true', '--v=2'] },
];

const shop = {
  clusters,
  workloads,
  taintPolicies,
  components,
  scheduled: SCHEDULED,
  now: '2026-09-01T09:30:00Z',
};

// Two minutes later: frankfurt has been unreachable since half past nine.
const notReady = { key: 'cluster.karmada.io/not-ready', timeAdded: '2026-09-01T09:30:35Z' };
const evicted = (replicas, more = {}) => [
  {
    fromCluster: 'frankfurt',
    purgeMode: 'Gracefully',
    ...(replicas ? { replicas } : {}),
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    creationTimestamp: '2026-09-01T09:30:37Z',
    ...more,
  },
];
const moved = (clusters, leaving) => ({
  clusters,
  leaving: { frankfurt: leaving },
  leftAt: '2026-09-01T09:31:11Z',
  scheduledAt: '2026-09-01T09:30:38Z',
});
const refused = (reason, message) => ({ reason, message, at: '2026-09-01T09:30:38Z' });
const since = {
  storefront: moved({ virginia: 4, dublin: 4, oregon: 4 }, 4),
  cart: moved({ dublin: 3, oregon: 3, virginia: 3 }, 3),
  search: moved({ dublin: 6 }, 4),
  translations: moved({ dublin: 0, oregon: 0, virginia: 0 }, 0),
  'metrics-agent': moved({ dublin: 0, oregon: 0, virginia: 0 }, 0),
  'support-readonly': moved({ virginia: 0 }, 0),
  checkout: {
    clusters: { virginia: 6 },
    affinityName: 'backup',
    tasks: evicted(6, { creationTimestamp: '2026-09-01T09:31:35Z' }),
    scheduledAt: '2026-09-01T09:31:36Z',
    starting: ['virginia'],
  },
  recommendations: {
    clusters: {},
    tasks: evicted(6),
    refused: refused(
      'Unschedulable',
      'failed to assign replicas: failed to scale up: Clusters available replicas 0 are not enough to schedule.',
    ),
  },
  pricing: {
    clusters: { virginia: 2 },
    tasks: evicted(2),
    refused: refused(
      'SchedulerError',
      'failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
    ),
  },
  ledger: {
    clusters: {},
    tasks: evicted(3),
    refused: refused(
      'NoClusterFit',
      '0/5 clusters are available: 1 cluster(s) is in the process of eviction, 4 cluster(s) did not match the placement cluster affinity constraint.',
    ),
  },
  'session-cache': {
    clusters: { dublin: 3 },
    tasks: evicted(3, {
      purgeMode: 'Directly',
      preservedLabelState: { 'failover.shop.example/replicas': '3' },
    }),
    scheduledAt: '2026-09-01T09:30:37Z',
    leftAt: '2026-09-01T09:30:37Z',
    unwritten: ['dublin'],
  },
};
const incident = {
  ...shop,
  clusters: clusters.map((one) =>
    one.name === 'frankfurt'
      ? {
          ...one,
          down: notReady.timeAdded,
          taints: ['NoSchedule', 'NoExecute'].map((effect) => ({ ...notReady, effect })),
          lastReported: workloads,
        }
      : one,
  ),
  workloads: workloads.map((workload) => ({
    ...workload,
    before: workload.clusters,
    ...since[workload.name],
  })),
  now: '2026-09-01T09:32:00Z',
};

const folder = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../examples'));
for (const [name, state] of Object.entries({ shop, incident })) {
  mkdirSync(resolve(folder, name), { recursive: true });
  for (const [file, items] of Object.entries(controlPlane(state))) {
    const list = { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
    writeFileSync(resolve(folder, name, file), `${JSON.stringify(list, null, 2)}\n`);
  }
}
