// Writes examples/shop: a small control plane as `kubectl get … -o json` would print it, consistent in
// itself (generations, permanent ids, Works, statuses, allocated resources). node scripts/example.mjs [DIRECTORY]
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const CREATED = '2026-08-03T08:12:40Z';
const SCHEDULED = '2026-08-31T16:04:11Z';
const NOW = '2026-09-01T09:30:00Z';

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

// What runs where; `clusters` is what the scheduler of Karmada v1.18 decides for the placement.
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
    // left its cluster in the night, and nobody has confirmed the deletion there yet
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

const kinds = {
  ClusterRole: { apiVersion: 'rbac.authorization.k8s.io/v1', group: 'rbac.authorization.k8s.io' },
  ConfigMap: { apiVersion: 'v1', group: '' },
  CronJob: { apiVersion: 'batch/v1', group: 'batch' },
  DaemonSet: { apiVersion: 'apps/v1', group: 'apps' },
  Deployment: { apiVersion: 'apps/v1', group: 'apps' },
  StatefulSet: { apiVersion: 'apps/v1', group: 'apps' },
};
const served = {
  'apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  v1: [
    'ConfigMap',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'Secret',
    'Service',
  ],
};
const plural = (kind) =>
  `${kind.toLowerCase()}${/(s|ss)$/.test(kind) ? 'es' : kind.endsWith('y') ? '' : 's'}`;

const hash = (text) => createHash('sha256').update(text).digest('hex');
function uid(text) {
  const h = hash(text);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
}
let resourceVersion = 4_812_300;
const meta = (kind, name, more = {}) => ({
  name,
  uid: uid(`${kind}/${more.namespace ?? ''}/${name}`),
  resourceVersion: String((resourceVersion += 7)),
  creationTimestamp: CREATED,
  ...more,
});

const milli = (cpu) => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);
const mebi = (memory) => Number(memory.slice(0, -2)) * (memory.endsWith('Gi') ? 1024 : 1);

// Where containers are: also in clusters that a workload is being evicted from.
function running(workload) {
  const tasks = (workload.tasks ?? []).map(({ fromCluster, replicas }) => [fromCluster, replicas]);
  return [...Object.entries(workload.clusters), ...tasks].sort(([a], [b]) => (a < b ? -1 : 1));
}

const MODELS = [0, 1, 2, 4, 8, 16, 32, 64, 128];
const MODELS_MEMORY = [0, 4, 16, 32, 64, 128, 256, 512, 1024];
const UNLIMITED = '9223372036854775807';
const gibi = (size) => (size === 0 ? '0' : size === 1024 ? '1Ti' : `${size}Gi`);
const resourceModels = MODELS.map((cpu, grade) => ({
  grade,
  ranges: [
    { name: 'cpu', min: String(cpu), max: grade === 8 ? UNLIMITED : String(MODELS[grade + 1]) },
    {
      name: 'memory',
      min: gibi(MODELS_MEMORY[grade]),
      max: grade === 8 ? UNLIMITED : gibi(MODELS_MEMORY[grade + 1]),
    },
  ],
}));

function resourceSummary({ name, nodes, cpu, memory }) {
  let [usedCpu, usedMemory, pods] = [nodes * 500, nodes * 1024, nodes * 6];
  for (const workload of workloads) {
    for (const [cluster, replicas] of running(workload)) {
      if (cluster !== name) continue;
      const count = workload.kind === 'DaemonSet' ? nodes : replicas;
      pods += count;
      if (!workload.request) continue;
      usedCpu += count * milli(workload.request.cpu);
      usedMemory += count * mebi(workload.request.memory);
    }
  }
  // nodes are used about evenly; a node's grade is that of its scarcer resource
  const grade = (ranges, free) => ranges.findLastIndex((min) => free >= min);
  const free = Math.min(
    grade(MODELS, cpu - usedCpu / nodes / 1000),
    grade(MODELS_MEMORY, memory - usedMemory / nodes / 1024),
  );
  return {
    allocatable: { cpu: String(nodes * cpu), memory: `${nodes * memory}Gi`, pods: String(nodes * 110) },
    allocated: { cpu: `${usedCpu}m`, memory: `${usedMemory}Mi`, pods: String(pods) },
    allocatableModelings: MODELS.map((_, index) => ({ grade: index, count: index === free ? nodes : 0 })),
  };
}

const condition = (type, reason, message, time, status = 'True') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: time,
});

function cluster(one) {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: meta('Cluster', one.name, {
      generation: one.taints ? 3 : 2,
      labels: one.labels,
      finalizers: ['karmada.io/cluster-controller'],
    }),
    spec: {
      apiEndpoint: `https://${one.name}.clusters.shop.example:6443`,
      id: uid(`id of ${one.name}`),
      provider: one.provider,
      region: one.region,
      resourceModels,
      ...(one.syncMode === 'Pull'
        ? {}
        : {
            secretRef: { namespace: 'karmada-cluster', name: one.name },
            impersonatorSecretRef: { namespace: 'karmada-cluster', name: `${one.name}-impersonator` },
          }),
      syncMode: one.syncMode ?? 'Push',
      ...(one.taints ? { taints: one.taints } : {}),
      zones: [one.zone],
    },
    status: {
      apiEnablements: Object.entries(served).map(([groupVersion, list]) => ({
        groupVersion,
        resources: list.map((kind) => ({ kind, name: plural(kind) })),
      })),
      conditions: [
        condition('Ready', 'ClusterReady', 'cluster is healthy and ready to accept workloads', CREATED),
        condition(
          'CompleteAPIEnablements',
          'Complete',
          'collected complete APIEnablements from the cluster',
          CREATED,
        ),
      ],
      kubernetesVersion: 'v1.34.1',
      nodeSummary: { totalNum: one.nodes, readyNum: one.nodes },
      resourceSummary: resourceSummary(one),
    },
  };
}

function template(workload) {
  const { kind = 'Deployment', name, namespace, replicas, request } = workload;
  const labels = { app: name };
  const pod = {
    metadata: { labels },
    spec: {
      containers: [
        {
          name,
          image: `registry.shop.example/${name}:2026.35`,
          ...(request ? { resources: { requests: request } } : {}),
        },
      ],
    },
  };
  const selector = { matchLabels: labels };
  const bodies = {
    ClusterRole: { rules: [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['get', 'list', 'watch'] }] },
    ConfigMap: { data: { 'de.json': '{"cart":"Warenkorb"}', 'ja.json': '{"cart":"カート"}' } },
    CronJob: {
      spec: {
        schedule: '15 4 * * *',
        jobTemplate: {
          spec: { template: { ...pod, spec: { ...pod.spec, restartPolicy: 'OnFailure' } } },
        },
      },
    },
    DaemonSet: { spec: { selector, template: pod } },
    Deployment: { spec: { replicas, selector, template: pod } },
    StatefulSet: { spec: { replicas, serviceName: name, selector, template: pod } },
  };
  return {
    apiVersion: kinds[kind].apiVersion,
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), labels },
    ...bodies[kind],
  };
}

function statusIn({ kind = 'Deployment' }, replicas, nodes) {
  const observed = { generation: 1, observedGeneration: 1, resourceTemplateGeneration: 1 };
  if (kind === 'Deployment' || kind === 'StatefulSet')
    return {
      ...observed,
      replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      updatedReplicas: replicas,
    };
  if (kind === 'DaemonSet')
    return {
      ...observed,
      currentNumberScheduled: nodes,
      desiredNumberScheduled: nodes,
      numberAvailable: nodes,
      numberMisscheduled: 0,
      numberReady: nodes,
      updatedNumberScheduled: nodes,
    };
  return undefined;
}

function objectsOf(workload) {
  const { kind = 'Deployment', name, namespace, clusterWide, replicas, request } = workload;
  const scope = namespace ? { namespace } : {};
  const policyKind = clusterWide ? 'ClusterPropagationPolicy' : 'PropagationPolicy';
  const bindingKind = namespace ? 'ResourceBinding' : 'ClusterResourceBinding';
  const policyPrefix = policyKind.toLowerCase();
  const bindingPrefix = bindingKind.toLowerCase();
  const policyId = uid(`permanent id of ${policyKind}/${namespace}/${name}`);
  const bindingId = uid(`permanent id of ${bindingKind}/${namespace}/${name}`);
  const policyAnnotations = clusterWide
    ? { 'clusterpropagationpolicy.karmada.io/name': name }
    : { 'propagationpolicy.karmada.io/name': name, 'propagationpolicy.karmada.io/namespace': namespace };
  const policyLabels = { [`${policyPrefix}.karmada.io/permanent-id`]: policyId };
  const bindingName = `${name}-${kind.toLowerCase()}`;
  const behaviour = {
    ...(workload.failover ? { failover: workload.failover } : {}),
    ...(workload.propagateDeps ? { propagateDeps: true } : {}),
    conflictResolution: 'Abort',
    placement: workload.placement,
    schedulerName: 'default-scheduler',
  };
  const resource = template(workload);
  resource.metadata = {
    ...meta(kind, name, { ...scope, generation: 1 }),
    labels: { ...resource.metadata.labels, ...policyLabels },
    annotations: policyAnnotations,
  };
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: policyKind,
    metadata: meta(policyKind, name, {
      ...(clusterWide ? {} : scope),
      generation: 1,
      labels: policyLabels,
      finalizers: [`karmada.io/${clusterWide ? 'cluster-' : ''}propagation-policy-controller`],
    }),
    spec: {
      ...behaviour,
      preemption: 'Never',
      priority: 0,
      resourceSelectors: [{ apiVersion: kinds[kind].apiVersion, kind, name, ...scope }],
    },
  };
  const bindingMeta = {
    labels: { ...policyLabels, [`${bindingPrefix}.karmada.io/permanent-id`]: bindingId },
    annotations: { ...policyAnnotations },
  };
  const works = running(workload).map(([clusterName, count]) => {
    const workName = `${name}-${hash(`${bindingKind}/${namespace}/${bindingName}`).slice(0, 10)}`;
    const workId = uid(`permanent id of Work/${clusterName}/${bindingName}`);
    const manifest = template(workload);
    if (replicas !== undefined) manifest.spec.replicas = count;
    manifest.metadata.labels = {
      ...manifest.metadata.labels,
      'karmada.io/managed': 'true',
      'work.karmada.io/permanent-id': workId,
    };
    const status = statusIn(workload, count, clusters.find((one) => one.name === clusterName).nodes);
    return {
      clusterName,
      status,
      object: {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: meta('Work', workName, {
          namespace: `karmada-es-${clusterName}`,
          generation: 1,
          labels: {
            [`${bindingPrefix}.karmada.io/permanent-id`]: bindingId,
            'work.karmada.io/permanent-id': workId,
          },
          annotations: {
            [`${bindingPrefix}.karmada.io/name`]: bindingName,
            ...(namespace ? { [`${bindingPrefix}.karmada.io/namespace`]: namespace } : {}),
          },
          finalizers: ['karmada.io/execution-controller'],
        }),
        spec: { workload: { manifests: [manifest] } },
        status: {
          conditions: [
            condition('Applied', 'AppliedSuccessful', 'Manifest has been successfully applied', SCHEDULED),
            condition(
              'Dispatching',
              'Dispatching',
              'Work is being dispatched to member clusters.',
              SCHEDULED,
            ),
          ],
          manifestStatuses: [
            {
              health: 'Healthy',
              identifier: {
                group: kinds[kind].group,
                kind,
                name,
                ...scope,
                ordinal: 0,
                resource: plural(kind),
                version: 'v1',
              },
              ...(status ? { status } : {}),
            },
          ],
        },
      },
    };
  });
  const scheduledAt = workload.scheduledAt ?? SCHEDULED;
  const generation = workload.tasks ? 5 : 2;
  const binding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: bindingKind,
    metadata: meta(bindingKind, bindingName, {
      ...scope,
      generation,
      labels: bindingMeta.labels,
      annotations: {
        'policy.karmada.io/applied-placement': JSON.stringify(workload.placement),
        ...bindingMeta.annotations,
      },
      finalizers: [`karmada.io/${namespace ? '' : 'cluster-resource-'}binding-controller`],
      ownerReferences: [
        {
          apiVersion: kinds[kind].apiVersion,
          kind,
          name,
          uid: resource.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    }),
    spec: {
      ...behaviour,
      clusters: Object.entries(workload.clusters).map(([target, count]) => ({
        name: target,
        ...(count > 0 ? { replicas: count } : {}),
      })),
      ...(workload.tasks ? { gracefulEvictionTasks: workload.tasks } : {}),
      ...(replicas === undefined ? {} : { replicas }),
      ...(request ? { replicaRequirements: { namespace, resourceRequest: request } } : {}),
      resource: {
        apiVersion: kinds[kind].apiVersion,
        kind,
        name,
        ...scope,
        resourceVersion: resource.metadata.resourceVersion,
        uid: resource.metadata.uid,
      },
    },
    status: {
      aggregatedStatus: works.map(({ clusterName, status }) => ({
        applied: true,
        clusterName,
        health: 'Healthy',
        ...(status ? { status } : {}),
      })),
      conditions: [
        condition('Scheduled', 'Success', 'Binding has been scheduled successfully.', scheduledAt),
        condition(
          'FullyApplied',
          'FullyAppliedSuccess',
          'All works have been successfully applied',
          scheduledAt,
        ),
      ],
      lastScheduledTime: scheduledAt,
      schedulerObservedGeneration: generation,
      ...(workload.affinityName ? { schedulerObservingAffinityName: workload.affinityName } : {}),
    },
  };
  return { resource, policy, binding, works: works.map(({ object }) => object) };
}

function taintPolicy({ name, status, removeOn, key }) {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: meta('ClusterTaintPolicy', name, { generation: 1 }),
    spec: {
      addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: [status] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: removeOn }],
      taints: [{ key: `cluster.karmada.io/${key}`, effect: 'NoExecute' }],
    },
  };
}

function lease({ name }) {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: meta('Lease', name, { namespace: 'karmada-cluster' }),
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: NOW.replace('Z', '.000000Z') },
  };
}

function component(name, flags) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta('Deployment', name, { namespace: 'karmada-system', generation: 4, labels }),
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name,
              image: `docker.io/karmada/${name}:v1.18.2`,
              command: [`/bin/${name}`, '--kubeconfig=/etc/karmada/config/karmada.config', ...flags],
            },
          ],
        },
      },
    },
    status: {
      observedGeneration: 4,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      updatedReplicas: 2,
    },
  };
}

const parts = workloads.map(objectsOf);
const list = (items) => ({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items });
const files = {
  'control-plane.json': [
    ...clusters.map(cluster),
    ...clusters.filter(({ syncMode }) => syncMode === 'Pull').map(lease),
    ...taintPolicies.map(taintPolicy),
    ...parts.map(({ policy }) => policy),
    ...parts.map(({ resource }) => resource),
    ...parts.map(({ binding }) => binding),
    ...parts.flatMap(({ works }) => works),
  ],
  'karmada-system.json': [
    component('karmada-controller-manager', [
      '--feature-gates=Failover=true,StatefulFailoverInjection=true',
      '--enable-no-execute-taint-eviction=true',
      '--cluster-status-update-frequency=10s',
      '--v=2',
    ]),
    component('karmada-scheduler', ['--feature-gates=Failover=true,StatefulFailoverInjection=true', '--v=2']),
    component('karmada-webhook', ['--allow-no-execute-taint-policy=true', '--v=2']),
  ],
};
const folder = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../examples/shop'));
mkdirSync(folder, { recursive: true });
for (const [name, items] of Object.entries(files))
  writeFileSync(resolve(folder, name), `${JSON.stringify(list(items), null, 2)}\n`);
