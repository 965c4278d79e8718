import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';
import {
  type Example,
  overridePolicy,
  patched,
  dividedByWeights,
  placed,
  policyFor,
  replicasOn,
  web,
  webPolicy,
} from './example.ts';

const overriding = (...clusterNames: string[]) => ({
  adds: [
    {
      ...overridePolicy,
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        overrideRules: [{ targetCluster: { clusterNames }, overriders: {} }],
      },
    },
  ],
});

export const placement: Readonly<Record<string, Example>> = {
  'duplicated-ignores-room': placed(
    {
      clusterAffinity: null,
      clusterAffinities: [
        { affinityName: 'local', clusterNames: ['member1'] },
        { affinityName: 'cloud', clusterNames: ['member2'] },
      ],
      replicaScheduling: { replicaSchedulingType: 'Duplicated' },
    },
    replicasOn('1', { member1: 400 }),
  ),
  'label-selector-invalid': patched(webPolicy, {
    spec: {
      placement: {
        clusterAffinity: {
          labelSelector: { matchExpressions: [{ key: 'zone', operator: 'Equals', values: ['a'] }] },
        },
      },
    },
  }),
  'placement-selects-no-cluster': patched(webPolicy, {
    spec: { placement: { clusterAffinity: { clusterNames: ['memberX'] } } },
  }),
  'spread-unsatisfiable': patched(webPolicy, {
    spec: { placement: { spreadConstraints: [{ spreadByField: 'region', minGroups: 5 }] } },
  }),
  'components-without-room': patched(web, {
    spec: {
      clusters: [{ name: 'member1' }],
      components: [
        { name: 'jobmanager', replicas: 1, replicaRequirements: { resourceRequest: { cpu: '2' } } },
        { name: 'taskmanager', replicas: 40, replicaRequirements: { resourceRequest: { cpu: '8' } } },
      ],
    },
  }),
  'spread-not-met': placed({ spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 3 }] }),
  'no-room-elsewhere': placed(
    {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    },
    replicasOn('100m', { member1: 200, member2: 200 }),
  ),
  'no-second-home': placed(
    { clusterAffinity: { clusterNames: ['member1'] } },
    { clusters: [{ name: 'member1', replicas: 4 }] },
  ),
  'loss-breaks-spread': placed(
    { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 3 }] },
    replicasOn('100m', { member1: 2, member2: 1, member3: 1 }),
  ),
  'pinned-config-deleted': placed(
    { clusterAffinity: { clusterNames: ['member1'] } },
    {
      clusters: [{ name: 'member1' }],
      replicas: null,
      replicaRequirements: null,
      resource: { apiVersion: 'v1', kind: 'ConfigMap' },
    },
  ),
  'quota-used-up': {
    flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
    ...patched(
      { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
      {
        status: { overall: { cpu: '2' }, overallUsed: { cpu: '2' } },
        spec: { overall: { cpu: '2' } },
      },
    ),
  },
  'cluster-joined-twice': patched(clusterObject('member2'), {
    spec: { apiEndpoint: 'https://member1:6443' },
  }),
  'sibling-stays-behind': {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            propagateDeps: true,
            failover: {
              application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
            },
          },
        },
      },
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-service' },
        merge: { spec: { clusters: [{ name: 'member1' }, { name: 'member2' }] } },
      },
    ],
  },
  'siblings-parted': patched(
    { kind: 'ResourceBinding', namespace: 'shop', name: 'web-config-configmap' },
    { spec: { clusters: [{ name: 'member1' }], requiredBy: null } },
  ),
  'cluster-name-unknown': patched(webPolicy, {
    spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'membre3'] } } },
  }),
  'weight-without-cluster': patched(webPolicy, {
    spec: {
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [
              { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
              { targetCluster: { clusterNames: ['gone'] }, weight: 2 },
            ],
          },
        },
      },
    },
  }),
  'cluster-reports-nothing': patched(clusterObject('member3'), { status: { resourceSummary: null } }),
  'api-not-served': patched(clusterObject('member3'), {
    status: { apiEnablements: [{ groupVersion: 'v1', resources: [{ kind: 'Service', name: 'services' }] }] },
  }),
  'placed-outside-placement': patched(web, {
    spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member3'] } } },
  }),
  'spread-ignored': patched(webPolicy, {
    spec: {
      placement: {
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
        replicaScheduling: {
          weightPreference: {
            dynamicWeight: null,
            staticWeightList: [{ targetCluster: { clusterNames: ['member1', 'member2'] }, weight: 1 }],
          },
        },
      },
    },
  }),
  'priority-cannot-take-over': policyFor('web', 'urgent', undefined, { priority: 10, preemption: 'Never' }),
  'service-points-to-failed-cluster': patched(
    { kind: 'MultiClusterService', namespace: 'shop', name: 'web' },
    { spec: { providerClusters: [{ name: 'member1' }, { name: 'gone' }] } },
  ),
  'dependency-not-propagated': patched(
    { kind: 'ResourceBinding', namespace: 'shop', name: 'web-config-configmap' },
    null,
  ),
  'propagate-deps-without-namespace': {
    adds: [
      {
        apiVersion: 'work.karmada.io/v1alpha2',
        kind: 'ClusterResourceBinding',
        metadata: { name: 'disk-persistentvolume' },
        spec: { propagateDeps: true, resource: { apiVersion: 'v1', kind: 'PersistentVolume', name: 'disk' } },
      },
    ],
  },
  'policy-selects-nothing': policyFor('wbe', 'typo'),
  'no-spare-cluster': policyFor('later', 'tight', {
    clusterAffinity: { clusterNames: ['member1', 'member2'] },
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 }],
  }),
  'override-selects-nothing': {
    adds: [
      {
        ...overridePolicy,
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1beta1', kind: 'Deployment', name: 'web' }],
          overrideRules: [],
        },
      },
    ],
  },
  'override-cluster-unknown': overriding('member1', 'member2', 'member3', 'membre4'),
  'override-misses-a-home': overriding('member1', 'member2'),
  'override-form-deprecated': {
    adds: [{ ...overridePolicy, spec: { resourceSelectors: [], overriders: {} } }],
  },
  'dependent-left-over': patched(
    { kind: 'ResourceBinding', namespace: 'shop', name: 'web-extra-configmap' },
    { spec: { requiredBy: [{ namespace: 'shop', name: 'deleted-deployment' }] } },
  ),
  'weights-leave-out-cluster': patched(webPolicy, {
    spec: {
      placement: {
        replicaScheduling: {
          weightPreference: {
            dynamicWeight: null,
            staticWeightList: ['member1', 'member2'].map((name) => ({
              targetCluster: { clusterNames: [name] },
              weight: 1,
            })),
          },
        },
      },
    },
  }),
  'weight-gives-no-replica': dividedByWeights(9, 1),
  'policy-cannot-select-kind': policyFor('web', 'roles', undefined, {
    resourceSelectors: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }],
  }),
  'replicas-not-interpreted': {
    ...patched(web, {
      spec: {
        resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
        replicas: null,
        replicaRequirements: null,
      },
    }),
    adds: [
      {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { namespace: 'shop', name: 'web' },
        spec: { replicas: 4 },
      },
    ],
  },
  'override-misses-init-containers': {
    ...patched(
      { kind: 'Deployment', namespace: 'shop', name: 'web' },
      { spec: { template: { spec: { initContainers: [{ name: 'init', image: 'busybox' }] } } } },
    ),
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'OverridePolicy',
        metadata: { namespace: 'shop', name: 'registry' },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          overrideRules: [
            {
              overriders: {
                imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'local' }],
              },
            },
          ],
        },
      },
    ],
  },
  'multi-cluster-service-gate-off': patched(
    { kind: 'MultiClusterService', namespace: 'shop', name: 'web' },
    { status: null },
  ),
  'endpoint-slices-not-served': patched(clusterObject('member1'), {
    status: {
      kubernetesVersion: 'v1.20.15',
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
        {
          groupVersion: 'v1',
          resources: [
            { kind: 'Service', name: 'services' },
            { kind: 'ConfigMap', name: 'configmaps' },
          ],
        },
      ],
    },
  }),
  'quota-not-enforced': patched(
    { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
    { status: { overall: { cpu: '20' }, overallUsed: { cpu: '22' } } },
  ),
  'policy-no-longer-selects': patched(
    { kind: 'Deployment', namespace: 'shop', name: 'web' },
    { apiVersion: 'apps/v1beta2' },
  ),
};
