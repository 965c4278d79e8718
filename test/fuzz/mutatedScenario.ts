import { stringify } from 'yaml';
import { mutatedText, mutatedValue } from './mutations.ts';
import { randomOf } from './random.ts';

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'cart', namespace: 'shop', labels: { constructor: 'x' } },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' }],
    placement: {
      clusterAffinity: { clusterNames: ['dublin', 'frankfurt'], labelSelector: { matchLabels: { a: 'b' } } },
      clusterTolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }],
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }],
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: ['dublin'] }, weight: 2 }] },
      },
    },
    failover: { application: { decisionConditions: { tolerationSeconds: 60 }, purgeMode: 'Gracefully' } },
  },
};

/** Hand-written content for --apply. */
export const manifests: readonly Record<string, unknown>[] = [
  policy,
  {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'network' },
    spec: {
      targetClusters: { clusterNames: ['frankfurt'] },
      addOnConditions: [{ conditionType: 'NetworkReady', operator: 'In', statusValues: ['False'] }],
      removeOnConditions: [{ conditionType: 'NetworkReady', operator: 'In', statusValues: ['True'] }],
      taints: [{ key: 'network', value: 'down', effect: 'NoExecute' }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cart', namespace: 'shop', annotations: { __proto__: 'x' } },
    spec: {
      replicas: 9,
      selector: { matchLabels: { app: 'cart' } },
      template: {
        metadata: { labels: { app: 'cart' } },
        spec: {
          nodeSelector: { disk: 'ssd' },
          tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
          containers: [
            {
              name: 'cart',
              image: 'cart:1',
              env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
              resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: 1 } },
            },
          ],
          volumes: [{ name: 'v', configMap: { name: 'c' } }],
        },
      },
    },
  },
  {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'dublin', labels: { tier: 'gold' } },
    spec: { syncMode: 'Push', region: 'eu', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime: '2026-09-01T09:00:00Z' },
      ],
      resourceSummary: { allocatable: { cpu: '64', memory: '256Gi' }, allocated: { cpu: '12750m' } },
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }],
    },
  },
];

/** A scenario with every action, for the control plane of examples/shop. */
export const wholeScenario: Record<string, unknown> = {
  description: 'everything',
  until: '45m',
  assume: {
    featureGates: { Failover: true },
    controllerManager: { 'enable-no-execute-taint-eviction': true, 'graceful-eviction-timeout': '10m' },
    workloadReadyAfter: '30s',
    neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'search', cluster: 'dublin' }],
  },
  events: [
    { at: '0s', fail: 'frankfurt' },
    { at: '1m', condition: { cluster: 'dublin', type: 'Ready', status: 'False', reason: 'X', message: 'm' } },
    { at: '2m', taint: { cluster: 'oregon', key: 'k', value: 'v', effect: 'NoExecute' } },
    { at: '3m', untaint: { cluster: 'oregon', key: 'k', effect: 'NoExecute' } },
    {
      at: '4m',
      health: { kind: 'Deployment', namespace: 'shop', name: 'cart', cluster: 'dublin', status: 'Unhealthy' },
    },
    {
      at: '5m',
      patch: {
        kind: 'Cluster',
        name: 'oregon',
        merge: { spec: { region: 'us' }, metadata: { labels: { a: 'b' } } },
      },
    },
    {
      at: '5m',
      patch: { kind: 'Deployment', namespace: 'shop', name: 'cart', merge: { spec: { replicas: 3 } } },
    },
    { at: '6m', apply: [policy] },
    { at: '7m', delete: { kind: 'Deployment', namespace: 'shop', name: 'search' } },
    { at: '8m', restart: 'karmada-controller-manager' },
    { at: '8m', stop: 'karmada-scheduler' },
    { at: '9m', start: 'karmada-scheduler' },
    { at: '2026-09-01T10:00:00Z', recover: 'frankfurt' },
  ],
};

/** YAML or JSON with something in it broken. */
function broken(seed: number, value: unknown): string {
  const random = randomOf(seed);
  const print = (one: unknown) =>
    random.next() < 0.3
      ? JSON.stringify(one, null, 2)
      : (stringify(one, { aliasDuplicateObjects: false }) ?? '');
  return random.next() < 0.2 ? mutatedText(print(value), random) : print(mutatedValue(value, random));
}

/** The text of a scenario file with something in it broken. */
export function mutatedScenario(seed: number): string {
  return broken(seed, wholeScenario);
}

/** The text of a file for --apply with something in it broken. */
export function mutatedManifest(seed: number): string {
  return broken(seed, manifests[seed % manifests.length]);
}
