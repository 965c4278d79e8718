import { applyMergePatch } from '../../../../src/kubernetes/mergePatch.ts';
import type { Example } from './examples/example.ts';
import { binaries, components } from '../../../../src/karmada/dialects/flags.ts';

/** The instant of the healthy control plane. */
export const NOW = '2026-05-04T10:00:00Z';

const LONG_AGO = '2026-05-01T08:00:00Z';

export type Written = {
  apiVersion: string;
  kind: string;
  metadata: { namespace?: string; name: string; [field: string]: unknown };
  [field: string]: unknown;
};

const condition = (type: string, reason: string) => ({
  type,
  status: 'True',
  reason,
  message: '',
  lastTransitionTime: LONG_AGO,
});

const APIS = [
  { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
  {
    groupVersion: 'discovery.k8s.io/v1',
    resources: [{ kind: 'EndpointSlice', name: 'endpointslices' }],
  },
  { groupVersion: 'batch/v1', resources: [{ kind: 'Job', name: 'jobs' }] },
  { groupVersion: 'example.com/v1', resources: [{ kind: 'Widget', name: 'widgets' }] },
  {
    groupVersion: 'v1',
    resources: [
      { kind: 'Service', name: 'services' },
      { kind: 'ConfigMap', name: 'configmaps' },
    ],
  },
];

const cluster = (name: string, syncMode: string): Written => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, creationTimestamp: LONG_AGO, finalizers: ['karmada.io/cluster-controller'] },
  spec: { syncMode, apiEndpoint: `https://${name}:6443`, region: `region-${name}` },
  status: {
    kubernetesVersion: 'v1.31.2',
    apiEnablements: APIS,
    conditions: [condition('Ready', 'ClusterReady'), condition('CompleteAPIEnablements', 'Complete')],
    resourceSummary: {
      allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
      allocated: { cpu: '4', memory: '8Gi', pods: '20' },
    },
  },
});

const placement = { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } };
const divided = {
  ...placement,
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};

const binding = (name: string, id: string, spec: object, status: object): Written => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    namespace: 'shop',
    name,
    generation: 2,
    creationTimestamp: LONG_AGO,
    labels: {
      'resourcebinding.karmada.io/permanent-id': id,
      'propagationpolicy.karmada.io/permanent-id': 'p1',
    },
    annotations: {
      'propagationpolicy.karmada.io/namespace': 'shop',
      'propagationpolicy.karmada.io/name': 'web',
      'policy.karmada.io/applied-placement': JSON.stringify(divided),
    },
  },
  spec: { schedulerName: 'default-scheduler', placement: divided, ...spec },
  status: {
    schedulerObservedGeneration: 2,
    lastScheduledTime: LONG_AGO,
    conditions: [
      { ...condition('Scheduled', 'Success'), message: 'Binding has been scheduled successfully.' },
    ],
    ...status,
  },
});

const copy = (clusterName: string, status?: object) => ({
  clusterName,
  applied: true,
  health: 'Healthy',
  ...(status && { status }),
});
const ready = {
  replicas: 2,
  readyReplicas: 2,
  availableReplicas: 2,
  updatedReplicas: 2,
  conditions: [{ type: 'Available' }],
};

const work = (namespace: string, name: string, id: string, bindingName: string): Written => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: {
    namespace: `karmada-es-${namespace}`,
    name,
    finalizers: ['karmada.io/execution-controller'],
    labels: { 'resourcebinding.karmada.io/permanent-id': id },
    annotations: {
      'resourcebinding.karmada.io/namespace': 'shop',
      'resourcebinding.karmada.io/name': bindingName,
    },
  },
  spec: {},
  status: { conditions: [{ ...condition('Applied', 'AppliedSuccessful') }] },
});

const component = (binary: string, args: readonly string[]): Written => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'karmada-system', name: binary },
  spec: {
    replicas: 1,
    template: {
      spec: {
        containers: [
          {
            name: binary,
            image: `docker.io/karmada/${binary}:v1.18.2`,
            command: [`/bin/${binary}`, ...args],
          },
        ],
      },
    },
  },
  status: { replicas: 1, readyReplicas: 1 },
});

const lease = (namespace: string, name: string): Written => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace, name },
  spec: { renewTime: '2026-05-04T09:59:57.000000Z', leaseDurationSeconds: 15 },
});

/**
 * A control plane of v1.18.2 whose failover works: three clusters, a Deployment with everything it needs, and one object of each kind that
 * checks read.
 */
export function healthyObjects(): Written[] {
  return [
    cluster('member1', 'Push'),
    cluster('member2', 'Push'),
    cluster('member3', 'Pull'),
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { name: 'ready', creationTimestamp: LONG_AGO },
      spec: {
        addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
        removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
        taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }],
      },
    },
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: {
        namespace: 'shop',
        name: 'web',
        labels: { 'propagationpolicy.karmada.io/permanent-id': 'p1' },
      },
      spec: {
        resourceSelectors: ['Deployment', 'Service', 'ConfigMap'].map((kind) => ({
          apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
          kind,
        })),
        placement: divided,
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        namespace: 'shop',
        name: 'web',
        labels: { 'propagationpolicy.karmada.io/permanent-id': 'p1' },
        annotations: {
          'propagationpolicy.karmada.io/namespace': 'shop',
          'propagationpolicy.karmada.io/name': 'web',
        },
      },
      spec: {
        replicas: 4,
        template: {
          spec: {
            containers: [
              {
                name: 'web',
                readinessProbe: { httpGet: { path: '/', port: 80 } },
                envFrom: [{ configMapRef: { name: 'web-config' } }],
              },
            ],
          },
        },
      },
    },
    binding(
      'web-deployment',
      'b1',
      {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
        replicas: 4,
        replicaRequirements: { resourceRequest: { cpu: '100m' } },
        clusters: [
          { name: 'member1', replicas: 2 },
          { name: 'member2', replicas: 2 },
        ],
      },
      { aggregatedStatus: [copy('member1', ready), copy('member2', ready)] },
    ),
    ...['Service', 'ConfigMap'].map((kind, at) =>
      binding(
        kind === 'Service' ? 'web-service' : 'web-config-configmap',
        `b${at + 2}`,
        {
          resource: {
            apiVersion: 'v1',
            kind,
            namespace: 'shop',
            name: kind === 'Service' ? 'web' : 'web-config',
          },
          clusters: [{ name: 'member1' }, { name: 'member2' }, { name: 'member3' }],
        },
        { aggregatedStatus: ['member1', 'member2', 'member3'].map((name) => copy(name)) },
      ),
    ),
    {
      ...binding(
        'web-extra-configmap',
        'b4',
        {
          resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'web-extra' },
          placement: undefined,
          requiredBy: [
            {
              namespace: 'shop',
              name: 'web-deployment',
              clusters: [{ name: 'member1' }, { name: 'member2' }],
            },
          ],
        },
        { aggregatedStatus: [copy('member1'), copy('member2')] },
      ),
    },
    work('member1', 'web-5d4f', 'b1', 'web-deployment'),
    work('member2', 'web-5d4f', 'b1', 'web-deployment'),
    ...['member1', 'member2', 'member3'].map((name): Written => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `karmada-es-${name}` },
    })),
    component('karmada-controller-manager', [
      '--feature-gates=Failover=true',
      '--enable-no-execute-taint-eviction=true',
    ]),
    component('karmada-scheduler', []),
    component('karmada-webhook', ['--allow-no-execute-taint-policy=true']),
    lease('karmada-system', 'karmada-controller-manager'),
    lease('karmada-system', 'karmada-scheduler'),
    lease('karmada-cluster', 'member3'),
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'shop', name: 'web.17a' },
      type: 'Normal',
      reason: 'ScheduleBindingSucceed',
      lastTimestamp: LONG_AGO,
      involvedObject: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
    },
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      metadata: { namespace: 'shop', name: 'quota' },
      spec: { overall: { cpu: '20' } },
      status: { overall: { cpu: '20' }, overallUsed: { cpu: '2' } },
    },
    {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'back', creationTimestamp: LONG_AGO },
      spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }] },
      status: {
        finishTime: LONG_AGO,
        observedWorkloads: [
          {
            workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
            result: 'Successful',
          },
        ],
      },
    },
    {
      apiVersion: 'networking.karmada.io/v1alpha1',
      kind: 'MultiClusterService',
      metadata: { namespace: 'shop', name: 'web' },
      spec: { providerClusters: [{ name: 'member1' }, { name: 'member2' }] },
      status: { conditions: [condition('ServiceApplied', 'ServiceAppliedSucceed')] },
    },
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { namespace: 'monitoring', name: 'karmada' },
      spec: {
        groups: [{ rules: [{ alert: 'KarmadaEvictionQueueGrowing', expr: 'eviction_queue_depth > 100' }] }],
      },
    },
  ];
}

/** The healthy control plane with an example's changes. */
export function changed({ version, flags, patches = [], adds = [] }: Example): Written[] {
  const objects = structuredClone(healthyObjects());
  for (const { target, merge } of patches) {
    const at = objects.findIndex(
      ({ kind, metadata }) =>
        kind === target.kind && metadata.name === target.name && metadata.namespace === target.namespace,
    );
    if (at < 0) throw new Error(`the healthy world has no ${target.kind} ${target.name}`);
    if (merge === null) objects.splice(at, 1);
    else objects[at] = applyMergePatch(objects[at], merge) as Written;
  }
  for (const object of objects) {
    if (object.kind !== 'Deployment' || object.metadata.namespace !== 'karmada-system') continue;
    const [container] = (
      object['spec'] as { template: { spec: { containers: { image: string; command: string[] }[] } } }
    ).template.spec.containers;
    if (version) container!.image = container!.image.replace('v1.18.2', version);
    const which = components.find((one) => binaries[one] === object.metadata.name);
    container!.command.push(...((which && flags?.[which]) ?? []));
  }
  return [...objects, ...(adds as Written[])];
}
