// Builds the objects of a control plane from a short description of clusters and workloads.
import { createHash } from 'node:crypto';

const CREATED = '2026-08-03T08:12:40Z';

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

// Where a workload has a Work: in its clusters unless `unwritten`, where it is being evicted from, and where a Work is `leaving`, which a
// cluster that is not ready cannot delete.
function placesOf(workload) {
  const { tasks = [], unwritten = [], leaving = {} } = workload;
  const direct = tasks.filter(({ purgeMode }) => purgeMode === 'Directly');
  const goingAway = [...Object.keys(leaving), ...direct.map(({ fromCluster }) => fromCluster)];
  const places = {
    ...workload.clusters,
    ...Object.fromEntries(tasks.map(({ fromCluster, replicas = 0 }) => [fromCluster, replicas])),
    ...leaving,
  };
  return Object.entries(places)
    .filter(([name]) => !unwritten.includes(name))
    .map(([name, replicas]) => ({ name, replicas, deleting: goingAway.includes(name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
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

function resourceSummary({ name, nodes, cpu, memory }, workloads) {
  let [usedCpu, usedMemory, pods] = [nodes * 500, nodes * 1024, nodes * 6];
  for (const workload of workloads) {
    for (const { name: place, replicas } of placesOf(workload)) {
      if (place !== name) continue;
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

function cluster(one, workloads) {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: meta('Cluster', one.name, {
      generation: 2 + (one.taints ?? []).length,
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
        one.down
          ? condition('Ready', 'ClusterNotReachable', 'cluster is not reachable', one.down, 'False')
          : condition('Ready', 'ClusterReady', 'cluster is healthy and ready to accept workloads', CREATED),
        condition(
          'CompleteAPIEnablements',
          'Complete',
          'collected complete APIEnablements from the cluster',
          CREATED,
        ),
      ],
      kubernetesVersion: 'v1.34.1',
      nodeSummary: { totalNum: one.nodes, readyNum: one.nodes },
      resourceSummary: resourceSummary(one, one.lastReported ?? workloads),
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

function statusIn({ kind = 'Deployment' }, replicas, nodes, starting) {
  const observed = { generation: 1, observedGeneration: 1, resourceTemplateGeneration: 1 };
  if (kind === 'Deployment' || kind === 'StatefulSet')
    return {
      ...observed,
      replicas,
      ...(starting
        ? { unavailableReplicas: replicas }
        : { readyReplicas: replicas, availableReplicas: replicas }),
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

function objectsOf(workload, clusters, scheduledBefore) {
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
  const scheduledAt = workload.scheduledAt ?? scheduledBefore;
  const generation = 2 + 3 * (workload.tasks ?? []).length + (workload.leaving ? 4 : 0);
  const { refused } = workload;
  const works = placesOf(workload).map(({ name: clusterName, replicas: count, deleting }) => {
    const workName = `${name}-${hash(`${bindingKind}/${namespace}/${bindingName}`).slice(0, 10)}`;
    const workId = uid(`permanent id of Work/${clusterName}/${bindingName}`);
    const manifest = template(workload);
    if (replicas !== undefined) manifest.spec.replicas = count;
    manifest.metadata.labels = {
      ...manifest.metadata.labels,
      'karmada.io/managed': 'true',
      'work.karmada.io/permanent-id': workId,
    };
    const starting = (workload.starting ?? []).includes(clusterName);
    const health = starting ? 'Unhealthy' : 'Healthy';
    const { nodes } = clusters.find((one) => one.name === clusterName);
    const status = statusIn(workload, count, nodes, starting);
    const isNew = workload.before !== undefined && !Object.hasOwn(workload.before, clusterName);
    const isAsBefore = !isNew && count === (workload.before?.[clusterName] ?? count);
    const appliedAt = isAsBefore ? scheduledBefore : scheduledAt;
    return {
      clusterName,
      status,
      health,
      object: {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: meta('Work', workName, {
          namespace: `karmada-es-${clusterName}`,
          generation: 1,
          ...(isNew ? { creationTimestamp: scheduledAt } : {}),
          labels: {
            [`${bindingPrefix}.karmada.io/permanent-id`]: bindingId,
            'work.karmada.io/permanent-id': workId,
          },
          annotations: {
            [`${bindingPrefix}.karmada.io/name`]: bindingName,
            ...(namespace ? { [`${bindingPrefix}.karmada.io/namespace`]: namespace } : {}),
          },
          finalizers: ['karmada.io/execution-controller'],
          ...(deleting ? { deletionTimestamp: workload.leftAt, deletionGracePeriodSeconds: 0 } : {}),
        }),
        spec: { workload: { manifests: [manifest] } },
        status: {
          conditions: [
            condition('Applied', 'AppliedSuccessful', 'Manifest has been successfully applied', appliedAt),
            condition(
              'Dispatching',
              'Dispatching',
              'Work is being dispatched to member clusters.',
              appliedAt,
            ),
          ],
          manifestStatuses: [
            {
              health,
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
      // also for Works being deleted: nothing has triggered Karmada to reconcile them
      aggregatedStatus: works.map(({ clusterName, status, health }) => ({
        applied: true,
        clusterName,
        health,
        ...(status ? { status } : {}),
      })),
      conditions: [
        refused
          ? condition('Scheduled', refused.reason, refused.message, refused.at, 'False')
          : condition('Scheduled', 'Success', 'Binding has been scheduled successfully.', scheduledAt),
        condition(
          'FullyApplied',
          'FullyAppliedSuccess',
          'All works have been successfully applied',
          scheduledAt,
        ),
      ],
      lastScheduledTime: scheduledAt,
      schedulerObservedGeneration: refused ? 2 : generation,
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

function lease({ name }, now) {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: meta('Lease', name, { namespace: 'karmada-cluster' }),
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now.replace('Z', '.000000Z') },
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

/** The files of a control plane, by name: each holds the items of a List. `scheduled` is the default time of placement. */
export function controlPlane({ clusters, workloads, taintPolicies, components, now, scheduled }) {
  resourceVersion = 4_812_300;
  const parts = workloads.map((workload) => objectsOf(workload, clusters, scheduled));
  return {
    'control-plane.json': [
      ...clusters.map((one) => cluster(one, workloads)),
      ...clusters.filter(({ syncMode }) => syncMode === 'Pull').map((one) => lease(one, now)),
      ...taintPolicies.map(taintPolicy),
      ...parts.map(({ policy }) => policy),
      ...parts.map(({ resource }) => resource),
      ...parts.map(({ binding }) => binding),
      ...parts.flatMap(({ works }) => works),
    ],
    'karmada-system.json': components.map(({ name, flags }) => component(name, flags)),
  };
}
