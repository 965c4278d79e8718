import {
  between,
  compact,
  count,
  instantNear,
  KINDS,
  maybe,
  resources,
  seconds,
  several,
  type Random,
} from './values.ts';
import { placement } from './placements.ts';

export const PURGE_MODES = ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'];

/** A workload's reported status: as members write it, rarely something else. */
export function rawStatus(random: Random): unknown {
  if (random.chance(0.05)) return random.pick([[], [1], 'text', 7, true, {}, { a: null }]);
  return compact({
    replicas: maybe(random, 0.8, () => count(random)),
    readyReplicas: maybe(random, 0.3, () => random.pick([0.5, 1e21, -3, 2])),
    state: maybe(random, 0.5, () => random.pick(['RUNNING', 'FAILED', '', 'a b', 'ü'])),
    jobStatus: maybe(random, 0.6, () =>
      compact({ jobID: random.pick(['j1', 'j2', 17, null, true]), state: maybe(random, 0.5, () => 'OK') }),
    ),
    conditions: maybe(random, 0.4, () =>
      several(random, 0, 3, (index) => ({ type: `T${index}`, status: random.pick(['True', 'False']) })),
    ),
    nested: maybe(random, 0.2, () => ({ list: [1, [2, 3], { x: 'y' }], 'a.b': 'dotted' })),
  });
}

const PATHS = [
  '{.state}',
  '{.replicas}',
  '{.readyReplicas}',
  '{.jobStatus}',
  '{.jobStatus.jobID}',
  '{.conditions}',
  '{.conditions[0].type}',
  '{.conditions[*].type}',
  '{.conditions[-1:].status}',
  '{.conditions[?(@.status=="True")].type}',
  '{.nested.list}',
  '{.nested.list[1][0]}',
  "{.nested['a\\.b']}",
  '{range .conditions[*]}{.type},{end}',
  '{.nope}',
  '{..x}',
  'plain text',
  '.state',
  '{.state',
  '',
];

export function statePreservation(random: Random) {
  return {
    rules: several(random, 0, 3, (index) => ({
      aliasLabelName: random.chance(0.1) ? 'same' : random.pick([`state-${index}`, 'x.io/rep', 'job-id']),
      jsonPath: random.pick(PATHS),
    })),
  };
}

export function targetClusters(random: Random, names: string[], most = names.length) {
  return random
    .sample(names, random.below(most + 1))
    .map((name) => ({ name, ...compact({ replicas: maybe(random, 0.85, () => count(random)) }) }));
}

/** Eviction tasks of all kinds: new and old, with and without a grace period, held and confirmed. */
export function evictionTasks(random: Random, names: string[]) {
  return random.sample(names, between(random, 1, 3)).map((fromCluster) =>
    compact({
      fromCluster,
      purgeMode: maybe(random, 0.7, () => random.pick(PURGE_MODES)),
      replicas: maybe(random, 0.5, () => count(random)),
      reason: random.pick(['TaintUntolerated', 'ApplicationFailure', 'R', '']),
      message: maybe(random, 0.1, () => 'because'),
      producer: random.pick(['TaintManager', 'P']),
      gracePeriodSeconds: maybe(random, 0.3, () => seconds(random)),
      suppressDeletion: maybe(random, 0.2, () => random.chance(0.6)),
      preservedLabelState: maybe(random, 0.2, () => ({ 'job-id': random.pick(['j1', '']), app: 'over' })),
      creationTimestamp: maybe(random, 0.75, () => instantNear(random)),
      clustersBeforeFailover: maybe(random, 0.2, () => random.sample(names, 2)),
    }),
  );
}

export function aggregatedStatus(random: Random, names: string[]) {
  return random.sample(names, random.chance(0.1) ? 0 : between(random, 0, names.length)).map((clusterName) =>
    compact({
      clusterName,
      health: maybe(random, 0.95, () => random.pick(['Healthy', 'Unhealthy', 'Unhealthy', 'Unknown'])),
      applied: maybe(random, 0.3, () => random.chance(0.8)),
      status: maybe(random, 0.8, () => rawStatus(random)),
    }),
  );
}

function replicaRequirements(random: Random) {
  return compact({
    resourceRequest: maybe(random, 0.9, () =>
      resources(random, { cpu: 0.7, memory: 0.6, 'ephemeral-storage': 0.1, 'nvidia.com/gpu': 0.1 }),
    ),
  });
}

function components(random: Random) {
  return several(random, 1, 3, (index) =>
    compact({
      name: `comp${index}`,
      replicas: random.below(5),
      replicaRequirements: maybe(random, 0.8, () => replicaRequirements(random)),
    }),
  );
}

/** The spec of a binding whose workload may already be on some of the clusters. */
export function bindingSpec(random: Random, names: string[], options: { components?: boolean } = {}) {
  const { apiVersion, kind } = random.chance(0.7) ? KINDS[0]! : random.pick(KINDS);
  const known = random.chance(0.1) ? [...names, 'removed-cluster'] : names;
  const replicas = random.chance(0.04) ? 0 : count(random, 15);
  const plain = kind === 'ConfigMap';
  return compact({
    resource: { apiVersion, kind, namespace: 'default', name: 'w', uid: random.uid() },
    replicas: plain || options.components ? undefined : replicas,
    replicaRequirements: maybe(random, plain || options.components ? 0 : 0.6, () =>
      replicaRequirements(random),
    ),
    components: maybe(random, options.components ? 0.9 : 0, () => components(random)),
    clusters: maybe(random, 0.6, () => targetClusters(random, known)),
    placement: placement(random, names),
    gracefulEvictionTasks: maybe(random, 0.15, () => evictionTasks(random, known)),
    rescheduleTriggeredAt: maybe(random, 0.15, () => instantNear(random)),
  });
}

export function bindingStatus(random: Random) {
  return compact({
    schedulerObservingAffinityName: maybe(random, 0.4, () => random.pick(['g1', 'g2', 'g3', 'gone', ''])),
    lastScheduledTime: maybe(random, 0.3, () => instantNear(random)),
  });
}
