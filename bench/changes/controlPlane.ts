/** What a scenario changes about each workload: its replicas, or a field of its policy. */
export type Changed = 'templates' | 'policies';

const CREATED = '2026-09-01T09:00:00Z';
const CLUSTERS = ['a', 'b', 'c'];
const placement = {
  clusterAffinity: { clusterNames: CLUSTERS },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};

/** A steady control plane of workloads, each with its own policy, and a scenario that changes all of them at once. */
export function controlPlane(count: number, changed: Changed) {
  const workloads = Array.from({ length: count }, (_, at) => ({
    name: `w${String(at).padStart(6, '0')}`,
    namespace: `ns${at % 50}`,
  }));
  const items = [...CLUSTERS.map(cluster), ...workloads.flatMap(objectsOf)];
  const [kind, merge] =
    changed === 'templates'
      ? ['Deployment', { spec: { replicas: 6 } }]
      : ['PropagationPolicy', { spec: { preserveResourcesOnDeletion: true } }];
  const events = workloads.map((workload) => ({ at: '1m', patch: { kind, ...workload, merge } }));
  return {
    state: { apiVersion: 'v1', kind: 'List', items },
    scenario: { start: '2026-09-01T09:30:00Z', until: '80s', events },
  };
}

function cluster(name: string) {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, uid: name },
    spec: { syncMode: 'Push' },
    status: {
      conditions: [{ type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime: CREATED }],
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
      resourceSummary: { allocatable: { cpu: '100k', memory: '1000Ti', pods: '1M' } },
    },
  };
}

function objectsOf({ name, namespace }: { name: string; namespace: string }) {
  const labels = { 'propagationpolicy.karmada.io/permanent-id': `policy-${name}` };
  const annotations = {
    'propagationpolicy.karmada.io/namespace': namespace,
    'propagationpolicy.karmada.io/name': name,
  };
  const reference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
  const common = { generation: 1, creationTimestamp: CREATED };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace, uid: `uid-${name}`, labels, annotations, ...common },
      spec: { replicas: 3, template: { spec: { containers: [{ name: 'main' }] } } },
    },
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name, namespace, labels, ...common },
      spec: { resourceSelectors: [reference], placement, conflictResolution: 'Abort', priority: 0 },
    },
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: `${name}-deployment`,
        namespace,
        labels: { ...labels, 'resourcebinding.karmada.io/permanent-id': `binding-${name}` },
        annotations: { ...annotations, 'policy.karmada.io/applied-placement': JSON.stringify(placement) },
        finalizers: ['karmada.io/binding-controller'],
        ...common,
      },
      spec: {
        resource: { ...reference, uid: `uid-${name}` },
        replicas: 3,
        placement,
        conflictResolution: 'Abort',
        clusters: CLUSTERS.map((name) => ({ name, replicas: 1 })),
      },
      status: {
        schedulerObservedGeneration: 1,
        lastScheduledTime: CREATED,
        conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', lastTransitionTime: CREATED }],
      },
    },
  ];
}
