// Inputs of the conformance suites, generated from a random source.
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import {
  aggregatedStatus,
  bindingSpec,
  bindingStatus,
  evictionTasks,
  PURGE_MODES,
  rawStatus,
  statePreservation,
  targetClusters,
} from './bindings.ts';
import { cluster, clusterNames, clusters, conditions } from './clusters.ts';
import { clusterAffinity, placement } from './placements.ts';
import { bindingRequest, ODD_NAMES, overrideRequest, policyRequest, taintPolicyRequest } from './policies.ts';
import {
  between,
  compact,
  count,
  maybe,
  NOW,
  seconds,
  several,
  taint,
  TAINT_KEYS,
  toleration,
  type Random,
} from './values.ts';

type Input = Record<string, unknown>;

const APPLIED_PLACEMENT = 'policy.karmada.io/applied-placement';
const RESOURCE = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'w' };
const now = rfc3339(NOW);

/** Values of --plugins of karmada-scheduler; names that it does not know are ignored. */
const PLUGIN_LISTS = [
  '*,-TaintToleration',
  '-ClusterLocality,*',
  '*,-ClusterEviction,-SpreadConstraint',
  'TaintToleration,ClusterAffinity',
  '*,-APIEnablement,APIEnablement',
  '*,-ClusterAffinity,Own',
];

function schedule(random: Random, components?: boolean): Input {
  const all = clusters(random);
  const names = all.map(({ metadata }) => metadata.name);
  return compact({
    clusters: all,
    spec: bindingSpec(random, names, { components: components ?? false }),
    status: maybe(random, 0.4, () => bindingStatus(random)),
    enableEmptyWorkloadPropagation: maybe(random, 0.15, () => true),
    plugins: maybe(random, 0.15, () => random.pick(PLUGIN_LISTS)),
    featureGates: components ? { MultiplePodTemplatesScheduling: true } : undefined,
  });
}

function scheduleBinding(random: Random): Input {
  const {
    clusters: all,
    spec,
    status,
    enableEmptyWorkloadPropagation,
  } = schedule(random) as {
    clusters: ReturnType<typeof clusters>;
    spec: ReturnType<typeof bindingSpec>;
    status?: object;
    enableEmptyWorkloadPropagation?: boolean;
  };
  const names = all.map(({ metadata }) => metadata.name);
  const applied = random.chance(0.6)
    ? spec.placement
    : random.chance(0.7)
      ? placement(random, names)
      : undefined;
  const text = random.chance(0.02) ? random.pick(['', 'null', '{', '[]']) : JSON.stringify(applied);
  const generation = between(random, 1, 3);
  return compact({
    clusters: all,
    binding: {
      metadata: compact({
        name: 'w-deployment',
        namespace: 'default',
        generation,
        annotations: applied ? { [APPLIED_PLACEMENT]: text } : undefined,
      }),
      spec,
      status: { ...status, schedulerObservedGeneration: random.chance(0.7) ? generation : generation - 1 },
    },
    enableEmptyWorkloadPropagation,
  });
}

function scheduleFailover(random: Random): Input {
  const input = scheduleBinding(random);
  const names = (input['clusters'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  const binding = input['binding'] as { spec: object };
  return {
    ...input,
    now,
    binding: {
      ...binding,
      spec: { ...binding.spec, ...compact({ failover: maybe(random, 0.3, () => failover(random)) }) },
    },
    addTaints: random
      .sample(names, random.below(4))
      .map((cluster) => ({ cluster, taints: several(random, 1, 2, () => taint(random, 0.7)) })),
    noExecuteTaintEvictionPurgeMode: random.pick(['Gracefully', 'Directly']),
    featureGates: { GracefulEviction: random.chance(0.8) },
  };
}

function dispenser(random: Random): Input {
  const names = clusterNames(random, between(random, 0, random.chance(0.05) ? 20 : 6));
  const shared = compact({
    numReplicas: maybe(random, 0.95, () => count(random, 30)),
    init: maybe(random, 0.4, () => targetClusters(random, [...names, 'other'])),
    uid: maybe(random, 0.8, () => random.uid()),
  });
  if (random.chance(0.4))
    return {
      mode: 'spread',
      ...shared,
      targetClusters: names.map((name) => ({ name, replicas: count(random) })),
    };
  const weight = random.pick([() => count(random), () => 1 + random.below(3), () => count(random, 1000)]);
  const weights = names.map((clusterName) => ({
    clusterName,
    weight: weight(),
    ...compact({ lastReplicas: maybe(random, 0.5, () => random.below(4)) }),
  }));
  return { mode: 'dispenser', ...shared, weights };
}

function affinity(random: Random): Input {
  const all = clusters(random, 6).map(({ metadata, spec }) => ({ metadata, ...(spec ? { spec } : {}) }));
  const names = all.map(({ metadata }) => metadata.name);
  if (random.chance(0.5)) return { clusters: all, affinity: clusterAffinity(random, names) };
  return compact({
    clusters: all,
    spec: { resource: RESOURCE, placement: placement(random, names) },
    status: maybe(random, 0.5, () => bindingStatus(random)),
  });
}

function taintedCluster(random: Random, name: string) {
  return { metadata: { name }, spec: { taints: several(random, 0, 4, () => taint(random, 0.7)) } };
}

function tolerations(random: Random): Input {
  return {
    now,
    cluster: taintedCluster(random, 'm1'),
    spec: compact({
      resource: RESOURCE,
      placement: { clusterTolerations: several(random, 0, 4, () => toleration(random)) },
      clusters: maybe(random, 0.8, () => targetClusters(random, ['m1', 'm2'])),
      gracefulEvictionTasks: maybe(random, 0.3, () => evictionTasks(random, ['m1', 'm2', 'm3'])),
    }),
  };
}

function failover(random: Random) {
  return compact({
    cluster: maybe(random, 0.6, () =>
      compact({
        purgeMode: maybe(random, 0.7, () => random.pick(PURGE_MODES)),
        statePreservation: maybe(random, 0.5, () => statePreservation(random)),
      }),
    ),
    application: maybe(random, 0.2, () => ({
      decisionConditions: { tolerationSeconds: 300 },
      purgeMode: random.pick(PURGE_MODES),
    })),
  });
}

function taintManager(random: Random): Input {
  const applied = { clusterTolerations: several(random, 0, 3, () => toleration(random)) };
  const annotation = random.chance(0.04)
    ? random.pick(['', '{', 'null', '[]', '{}'])
    : JSON.stringify(applied);
  return compact({
    now,
    cluster: taintedCluster(random, 'm1'),
    binding: {
      metadata: compact({
        name: 'w-deployment',
        namespace: 'default',
        annotations: maybe(random, 0.95, () => ({ [APPLIED_PLACEMENT]: annotation })),
      }),
      spec: compact({
        resource: RESOURCE,
        placement: applied,
        clusters: targetClusters(random, ['m1', 'm1', 'm2', 'm3'].slice(random.below(2))),
        failover: maybe(random, 0.5, () => failover(random)),
        gracefulEvictionTasks: maybe(random, 0.2, () => evictionTasks(random, ['m1', 'm2', 'm3'])),
      }),
      status: { aggregatedStatus: aggregatedStatus(random, ['m1', 'm2', 'm3']) },
    },
    noExecuteTaintEvictionPurgeMode: random.pick(['Gracefully', 'Directly', '']),
    enableNoExecuteTaintEviction: random.chance(0.9),
    featureGates: { GracefulEviction: random.chance(0.8), StatefulFailoverInjection: random.chance(0.5) },
  });
}

function taintPolicy(random: Random): Input {
  const name = random.pick(['member1', 'c9']);
  const { metadata, spec } = cluster(random, name, {
    taints: 0.6,
    labels: 0.5,
    places: 0.6,
    models: 0,
    enabled: 1,
  });
  const types = ['Ready', 'NetReady', 'DNSOk', 'CompleteAPIEnablements'];
  const match = () =>
    compact({
      conditionType: random.pick([...types, 'Missing']),
      operator: random.chance(0.02) ? 'Exists' : random.pick(['In', 'NotIn']),
      statusValues: maybe(random, 0.97, () =>
        random.sample(['True', 'False', 'Unknown', 'Odd'], between(random, 0, 3)),
      ),
    });
  const order = random.sample([...Array(1200).keys()], 5);
  const policies = several(random, 0, 4, (index) => ({
    metadata: { name: `p${index}`, creationTimestamp: rfc3339(NOW - order[index]! * 1000) },
    spec: compact({
      targetClusters: maybe(random, 0.5, () => clusterAffinity(random, ['member1', 'c9'])),
      addOnConditions: maybe(random, 0.8, () => several(random, 0, 2, match)),
      removeOnConditions: maybe(random, 0.7, () => several(random, 0, 2, match)),
      taints: several(random, 1, 3, () =>
        compact({
          key: random.pick(TAINT_KEYS),
          effect: random.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule']),
          value: maybe(random, 0.4, () => random.pick(['v1', 'true'])),
        }),
      ),
    }),
  }));
  const plain = { name: metadata.name, ...(metadata.labels ? { labels: metadata.labels } : {}) };
  return {
    now,
    cluster: {
      metadata: plain,
      ...(spec ? { spec } : {}),
      status: { conditions: [...conditions(random, types), ...oddConditions(random, types)] },
    },
    policies,
  };
}

/** A type may be listed twice, and a status may be none of the three. */
function oddConditions(random: Random, types: string[]) {
  const made = random.chance(0.3) ? conditions(random, types) : [];
  return made.map((one) => (random.chance(0.3) ? { ...one, status: random.pick(['Odd', '']) } : one));
}

/** Taints of a Cluster sent to the API server. */
function clusterTaints(random: Random): Input {
  const odd = [...ODD_NAMES, 'a/', '/a', 'A.b/c', 'Ex.com/c', '1', 'a'.repeat(63), 'a_b.c-d'];
  return {
    taints: several(random, 0, 4, () =>
      compact({
        key: random.pick(random.chance(0.5) ? TAINT_KEYS : odd),
        value: maybe(random, 0.6, () => random.pick(['v1', 'true', ...odd])),
        effect: random.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule', 'noexecute', '']),
      }),
    ),
  };
}

function gracefulEviction(random: Random): Input {
  const names = clusterNames(random, 4);
  const generation = between(random, 0, 3);
  return compact({
    now,
    gracefulEvictionTimeoutSeconds: random.pick([0, 1, 60, 300, 600]),
    gracefulEvictionTasks: maybe(random, 0.97, () => evictionTasks(random, names)),
    clusters: targetClusters(random, names),
    aggregatedStatus: maybe(random, 0.9, () =>
      aggregatedStatus(random, names).map((item) =>
        random.chance(0.6) ? { ...item, health: 'Healthy' } : item,
      ),
    ),
    generation,
    schedulerObservedGeneration: random.chance(0.7) ? generation : between(random, 0, 3),
  });
}

function gracefulEvictCluster(random: Random): Input {
  const names = clusterNames(random, 4);
  const [task] = evictionTasks(random, names);
  const { fromCluster, replicas: _, creationTimestamp: __, ...options } = task!;
  return {
    spec: compact({
      resource: RESOURCE,
      clusters: targetClusters(random, names),
      gracefulEvictionTasks: maybe(random, 0.4, () => evictionTasks(random, names)),
    }),
    cluster: fromCluster,
    options,
  };
}

function applicationBehaviour(random: Random) {
  return compact({
    decisionConditions: compact({ tolerationSeconds: random.pick([0, 1, 10, 60, 300, 2 ** 31 - 1]) }),
    purgeMode: maybe(random, 0.9, () => random.pick(PURGE_MODES)),
    gracePeriodSeconds: maybe(random, 0.4, () => seconds(random)),
    statePreservation: maybe(random, 0.4, () => statePreservation(random)),
  });
}

function gates(random: Random) {
  return { GracefulEviction: random.chance(0.85), StatefulFailoverInjection: random.chance(0.5) };
}

function applicationFailover(random: Random): Input {
  const names = clusterNames(random, between(random, 1, 4));
  let at = NOW;
  const { apiVersion, kind } = random.pick([
    RESOURCE,
    RESOURCE,
    RESOURCE,
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'batch/v1', kind: 'Job' },
    { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  ]);
  return {
    binding: {
      metadata: { name: 'w', namespace: 'default' },
      spec: compact({
        resource: { ...RESOURCE, apiVersion, kind },
        replicas: 4,
        propagateDeps: maybe(random, 0.93, () => true),
        clusters: targetClusters(random, names),
        gracefulEvictionTasks: maybe(random, 0.15, () => evictionTasks(random, names)),
        failover: maybe(random, 0.97, () =>
          compact({ application: maybe(random, 0.97, () => applicationBehaviour(random)) }),
        ),
      }),
    },
    featureGates: gates(random),
    steps: several(random, 1, 6, () => {
      at += random.pick([0, 0, 1, 9, 10, 11, 60, 299, 300, 301, 1000]) * 1000;
      return compact({
        now: rfc3339(at),
        aggregatedStatus: aggregatedStatus(random, names),
        setClusters: maybe(random, 0.1, () => [
          ...targetClusters(random, names),
          { name: 'new', replicas: 1 },
        ]),
        clearGracefulEvictionTasks: maybe(random, 0.1, () => true),
      });
    }),
  };
}

function appFailoverTask(random: Random): Input {
  const names = clusterNames(random, between(random, 1, 4));
  return {
    application: applicationBehaviour(random),
    aggregatedStatus: aggregatedStatus(random, names),
    spec: compact({
      resource: RESOURCE,
      clusters: targetClusters(random, names),
      gracefulEvictionTasks: maybe(random, 0.2, () => evictionTasks(random, names)),
    }),
    cluster: random.pick(names),
    featureGates: gates(random),
  };
}

function jsonpath(random: Random): Input {
  const status = JSON.stringify(rawStatus(random));
  const broken = random.chance(0.05) ? status.slice(0, random.below(status.length)) : status;
  return { statePreservation: statePreservation(random), rawStatus: broken };
}

function workEviction(random: Random): Input {
  const names = clusterNames(random, 5);
  return compact({
    spec: compact({
      resource: RESOURCE,
      replicas: maybe(random, 0.8, () => count(random)),
      clusters: targetClusters(random, names, random.pick([1, 5])),
      gracefulEvictionTasks: maybe(random, 0.7, () => evictionTasks(random, names)),
      requiredBy: maybe(random, 0.3, () =>
        several(random, 1, 2, (index) => ({
          namespace: 'default',
          name: `other${index}`,
          clusters: targetClusters(random, names),
        })),
      ),
    }),
    existingWorkClusters: random.sample(names, random.below(6)),
    workClustersWithPendingFinalizer: maybe(random, 0.5, () => random.sample(names, random.below(4))),
    templateLabels: maybe(random, 0.7, () => ({ app: 'w' })),
    featureGates: { StatefulFailoverInjection: random.chance(0.6) },
  });
}

function clusterHealth(random: Random): Input {
  const pull = random.chance(0.7);
  let at = NOW;
  let deleted = false;
  const steps = several(random, 1, 7, (index) => {
    at += (index === 0 ? 0 : random.pick([0, 1, 5, 10, 39, 40, 41, 60, 61, 100, 299, 300, 301, 900])) * 1000;
    deleted ||= index > 0 && random.chance(0.04);
    if (deleted) return { now: rfc3339(at), delete: true };
    return compact({
      now: rfc3339(at),
      setReady: maybe(random, 0.5, () => random.pick(['True', 'False', 'Unknown'])),
      leaseRenewTime: maybe(random, pull ? 0.4 : 0.05, () =>
        rfc3339(at - random.pick([0, 0, 1, 30, 100]) * 1000),
      ),
    });
  });
  return compact({
    cluster: {
      metadata: {
        name: 'm1',
        creationTimestamp: rfc3339(NOW - random.pick([0, 10, 59, 60, 61, 1000]) * 1000),
      },
      spec: compact({
        syncMode: pull ? 'Pull' : 'Push',
        taints: maybe(random, 0.4, () => several(random, 1, 3, () => taint(random))),
      }),
    },
    clusterMonitorGracePeriodSeconds: random.pick([0, 10, 40]),
    clusterStartupGracePeriodSeconds: random.pick([0, 40, 60]),
    failoverEvictionTimeoutSeconds: maybe(random, 0.8, () => random.pick([0, 60, 300])),
    featureGates: { Failover: random.chance(0.8) },
    steps,
  });
}

/** Makes an input of each suite. */
export const generators: Record<string, (random: Random) => Input> = {
  schedule: (random) => schedule(random),
  'schedule-components': (random) => schedule(random, true),
  'schedule-binding': scheduleBinding,
  'schedule-failover': scheduleFailover,
  dispenser,
  'cluster-affinity': affinity,
  tolerations,
  'taint-manager': taintManager,
  'taint-policy': taintPolicy,
  'cluster-taints': clusterTaints,
  'graceful-eviction': gracefulEviction,
  'graceful-evict-cluster': gracefulEvictCluster,
  'application-failover': applicationFailover,
  'app-failover-task': appFailoverTask,
  jsonpath,
  'work-eviction': workEviction,
  'cluster-health': clusterHealth,
  'webhook-validate': (random) =>
    random.pick([
      ...[policyRequest, policyRequest, policyRequest],
      ...[taintPolicyRequest, overrideRequest, bindingRequest],
    ])(random),
  'webhook-mutate': (random) => policyRequest(random, { mutating: true }),
};
