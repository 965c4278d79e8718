// Requests for the webhooks: usually valid, many with an anomaly.
import { PURGE_MODES, statePreservation } from './bindings.ts';
import { placement } from './placements.ts';
import { between, compact, maybe, seconds, several, TAINT_KEYS, type Random } from './values.ts';

type Input = Record<string, unknown>;

const NAMES = ['m1', 'm2', 'm3'];
/** Names, some of them invalid for labels, taint keys and annotations. */
export const ODD_NAMES = [
  '',
  'bad key',
  'a/b/c',
  '-lead',
  'ÜNI',
  'x'.repeat(64),
  `${'d'.repeat(254)}/x`,
  'ok',
  'example.com/ok',
];

function resourceSelector(random: Random, namespace: string) {
  const kind = random.pick([
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' },
  ]);
  return compact({
    ...kind,
    namespace: maybe(random, 0.6, () => (random.chance(0.85) ? namespace : 'other')),
    name: maybe(random, 0.8, () => 'nginx'),
    labelSelector: maybe(random, 0.15, () => ({ matchLabels: { app: 'x' } })),
  });
}

/** Puts odd values into a placement that the webhook must refuse or default. */
function oddPlacement(random: Random) {
  const made: Record<string, unknown> = placement(random, NAMES);
  if (random.chance(0.1))
    made['clusterAffinity'] = {
      fieldSelector: {
        matchExpressions: [
          {
            key: random.pick(['name', 'zone', 'region']),
            operator: random.pick(['Exists', 'In', 'NotIn', 'Gt']),
            values: ['z1'],
          },
        ],
      },
    };
  if (random.chance(0.06))
    made['clusterAffinities'] = [
      { affinityName: 'same' },
      { affinityName: random.pick(['same', 'other', ...ODD_NAMES]) },
    ];
  if (random.chance(0.12))
    made['spreadConstraints'] = several(random, 1, 4, () =>
      compact({
        spreadByField: maybe(random, 0.8, () => random.pick(['cluster', 'region', 'zone', 'provider'])),
        spreadByLabel: maybe(random, 0.2, () => 'env'),
        minGroups: maybe(random, 0.8, () => between(random, -2, 4)),
        maxGroups: maybe(random, 0.8, () => between(random, -2, 4)),
      }),
    );
  if (random.chance(0.1))
    made['workloadAffinity'] = compact({
      affinity: maybe(random, 0.7, () => ({ groupByLabelKey: random.pick(ODD_NAMES) })),
      antiAffinity: maybe(random, 0.7, () => ({ groupByLabelKey: random.pick(ODD_NAMES) })),
    });
  if (random.chance(0.08))
    made['clusterTolerations'] = several(random, 1, 2, () =>
      compact({
        key: maybe(random, 0.8, () => random.pick([...ODD_NAMES, ...TAINT_KEYS])),
        operator: maybe(random, 0.8, () => random.pick(['Exists', 'Equal', 'Weird', 'Gt'])),
        value: maybe(random, 0.5, () => random.pick(['', 'v', 'bad value!', '5'])),
        effect: maybe(random, 0.8, () =>
          random.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule', 'Other']),
        ),
        tolerationSeconds: maybe(random, 0.5, () => seconds(random)),
      }),
    );
  return made;
}

function preservation(random: Random) {
  const { rules } = statePreservation(random);
  return {
    rules: rules.map((rule) =>
      random.chance(0.3) ? { ...rule, aliasLabelName: random.pick(ODD_NAMES) } : rule,
    ),
  };
}

function failover(random: Random) {
  return compact({
    application: maybe(random, 0.6, () =>
      compact({
        // the API server defaults what is missing here
        decisionConditions: { tolerationSeconds: random.pick([-1, 0, 30, 300]) },
        purgeMode: maybe(random, 0.85, () => random.pick(PURGE_MODES)),
        gracePeriodSeconds: maybe(random, 0.5, () => random.pick([-5, 0, 1, 30, 600])),
        statePreservation: maybe(random, 0.3, () => preservation(random)),
      }),
    ),
    cluster: maybe(random, 0.4, () =>
      compact({
        purgeMode: maybe(random, 0.7, () => random.pick(PURGE_MODES)),
        statePreservation: maybe(random, 0.5, () => preservation(random)),
      }),
    ),
  });
}

function policySpec(random: Random, namespace: string) {
  return compact({
    resourceSelectors: several(random, 0, 2, () => resourceSelector(random, namespace)),
    placement: maybe(random, 0.95, () => oddPlacement(random)),
    propagateDeps: maybe(random, 0.6, () => random.chance(0.7)),
    preemption: maybe(random, 0.3, () => random.pick(['Always', 'Never'])),
    priority: maybe(random, 0.2, () => between(random, -1, 10)),
    schedulerName: maybe(random, 0.2, () => random.pick(['default-scheduler', 'mine'])),
    failover: maybe(random, 0.5, () => failover(random)),
    suspension: maybe(random, 0.15, () =>
      compact({
        dispatching: maybe(random, 0.6, () => random.chance(0.5)),
        dispatchingOnClusters: maybe(random, 0.6, () => ({
          clusterNames: random.sample(NAMES, random.below(3)),
        })),
      }),
    ),
  });
}

/** A PropagationPolicy or ClusterPropagationPolicy being created or updated. */
export function policyRequest(random: Random, options: { mutating?: boolean } = {}): Input {
  const namespaced = random.chance(0.6);
  const namespace = namespaced ? 'default' : '';
  const kind = namespaced ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
  const label = `${kind.toLowerCase()}.karmada.io/permanent-id`;
  const object = () => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: compact({
      name: 'p',
      namespace: namespaced ? namespace : undefined,
      labels: maybe(random, 0.92, () => ({ [label]: random.chance(0.95) ? 'id' : 'other' })),
      finalizers: maybe(random, 0.1, () => ['mine/held']),
    }),
    spec: policySpec(random, namespace),
  });
  const operation = random.pick(['CREATE', 'CREATE', 'UPDATE']);
  return compact({
    kind,
    operation,
    namespace,
    object: object(),
    oldObject: operation === 'UPDATE' && !options.mutating ? object() : undefined,
    defaultNotReadyTolerationSeconds: options.mutating ? random.pick([0, 300, 600]) : undefined,
    defaultUnreachableTolerationSeconds: options.mutating ? random.pick([0, 300, 600]) : undefined,
  });
}

/** A ClusterTaintPolicy being created or updated. */
export function taintPolicyRequest(random: Random): Input {
  return {
    kind: 'ClusterTaintPolicy',
    operation: random.pick(['CREATE', 'UPDATE']),
    allowNoExecuteTaintPolicy: random.chance(0.5),
    object: {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { name: 'p' },
      spec: compact({
        addOnConditions: maybe(random, 0.7, () => [
          { conditionType: 'Ready', operator: 'In', statusValues: ['False'] },
        ]),
        taints: several(random, 0, 4, () => ({
          key: random.chance(0.1) ? random.pick(ODD_NAMES) : random.pick(TAINT_KEYS.slice(0, 4)),
          effect: random.chance(0.05)
            ? 'Other'
            : random.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule']),
          ...compact({ value: maybe(random, 0.3, () => random.pick(['v1', 'bad value!', ''])) }),
        })),
      }),
    },
  };
}

/** A ResourceBinding being created. */
export function bindingRequest(random: Random): Input {
  const dependencies = [
    '',
    'null',
    '[]',
    '{}',
    'not json',
    '[1]',
    '"s"',
    '[{"kind":"ConfigMap","name":7}]',
    '[{"kind":"ConfigMap"}]',
  ];
  return {
    kind: 'ResourceBinding',
    operation: 'CREATE',
    namespace: 'default',
    featureGates: { MultiplePodTemplatesScheduling: random.chance(0.6) },
    object: {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: compact({
        name: 'w-deployment',
        namespace: 'default',
        annotations: maybe(random, 0.6, () => ({
          'resourcebinding.karmada.io/dependencies': random.pick(dependencies),
        })),
      }),
      spec: compact({
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w', namespace: 'default' },
        components: maybe(random, 0.7, () =>
          several(random, 0, 3, () => ({
            name: random.pick(['a', 'b', '', 'c']),
            replicas: random.below(3),
          })),
        ),
      }),
    },
  };
}

const OPERATORS = ['add', 'remove', 'replace'];
const PATHS = ['', '/', '/data/x', '/a~1b', 'data/x'];

function patchOperations(random: Random) {
  return several(random, 0, 2, () =>
    compact({
      subPath: random.pick(PATHS),
      operator: random.pick(OPERATORS),
      value: maybe(random, 0.6, () => random.pick(['text', 3, true, [1], { a: 1 }])),
    }),
  );
}

function overriders(random: Random) {
  const named = () =>
    several(random, 1, 2, () => ({
      operator: random.pick(OPERATORS),
      value: Object.fromEntries([
        [random.pick(ODD_NAMES), random.pick(['', 'ok', 'not ok', 'x'.repeat(64), '-x'])],
      ]),
    }));
  return compact({
    plaintext: maybe(random, 0.2, () => [{ path: random.pick(PATHS), operator: 'replace', value: 1 }]),
    imageOverrider: maybe(random, 0.4, () => [
      compact({
        component: random.pick(['Registry', 'Repository', 'Tag']),
        operator: random.pick(OPERATORS),
        value: maybe(random, 0.7, () => 'v1'),
        predicate: maybe(random, 0.6, () => ({ path: random.pick(PATHS) })),
      }),
    ]),
    commandOverrider: maybe(random, 0.2, () => [{ containerName: 'c', operator: 'add', value: ['x'] }]),
    labelsOverrider: maybe(random, 0.4, named),
    annotationsOverrider: maybe(random, 0.4, named),
    fieldOverrider: maybe(random, 0.4, () => [
      compact({
        fieldPath: random.pick(PATHS),
        json: maybe(random, 0.6, () => patchOperations(random)),
        yaml: maybe(random, 0.4, () => patchOperations(random)),
      }),
    ]),
  });
}

/** An OverridePolicy or ClusterOverridePolicy being created. */
export function overrideRequest(random: Random): Input {
  const namespace = random.chance(0.6) ? 'default' : '';
  const kind = namespace ? 'OverridePolicy' : 'ClusterOverridePolicy';
  const target = () =>
    random.chance(0.5)
      ? { clusterNames: ['m1'] }
      : {
          fieldSelector: {
            matchExpressions: [
              {
                key: random.pick(['name', 'zone', 'region']),
                operator: random.pick(['Exists', 'In', 'NotIn']),
                values: ['z1'],
              },
            ],
          },
        };
  return {
    kind,
    operation: 'CREATE',
    namespace,
    object: {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind,
      metadata: compact({ name: 'o', namespace: namespace || undefined }),
      spec: compact({
        resourceSelectors: maybe(random, 0.7, () =>
          several(random, 0, 2, () => resourceSelector(random, namespace)),
        ),
        overrideRules: maybe(random, 0.8, () =>
          several(random, 0, 2, () =>
            compact({ targetCluster: maybe(random, 0.5, target), overriders: overriders(random) }),
          ),
        ),
        targetCluster: maybe(random, 0.2, target),
        overriders: maybe(random, 0.3, () => overriders(random)) ?? {},
      }),
    },
  };
}
