import type { MemberAssumptions } from '../../src/karmada/members/memberAssumptions.ts';
import type { Scenario, ScenarioEvent } from '../../src/simulator/scenario.ts';
import type { ResumableWorld } from '../../src/simulator/store/savedSimulation.ts';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { widgetInterpreter } from '../e2e/controlPlane/widget.ts';
import { createChance, type Chance } from '../e2e/random/chance.ts';
import { placementOfSeed } from '../e2e/random/placementOfSeed.ts';
import { dependentsIn, NAMESPACES, workloadOfSeed, type Propagated } from '../e2e/random/workloadsOfSeed.ts';
import { policyFor, taintWhileReadyIs } from '../e2e/workloads.ts';
import { eventsOfSeed } from './eventsOfSeed.ts';
import { asFileKeeps, played } from './play.ts';

/** A control plane and the events to play on it. */
export interface GeneratedWorld {
  seed: number;
  world: World;
  configuration: Configuration;
  /** begins when the world was captured; every event is one that Karmada accepts */
  scenario: Scenario;
}

export interface WorldOptions {
  /** the version of Karmada; absent: any */
  version?: string;
  /** the world is captured in the middle of an earlier incident, as the API shows it; absent: sometimes */
  incident?: boolean;
}

const versions = ['v1.10.0', 'v1.12.1', 'v1.13.1', 'v1.15.0', 'v1.16.0', 'v1.17.1', 'v1.18.0', 'v1.19'];
const START = Date.parse('2026-09-01T08:00:00Z');
const MINUTE = 60_000;

/**
 * The world of a seed, always the same: objects are created on an empty control plane in virtual time, and what its API then shows is the
 * world, settled or in the middle of an incident.
 */
export function worldOfSeed(seed: number, options: WorldOptions = {}): GeneratedWorld {
  const chance = createChance(seed);
  const version = chance.weighted([
    [6, 'v1.18.2'],
    [4, chance.oneOf(versions)],
  ]);
  const configuration = configurationOfSeed(chance, options.version ?? version);
  const members: MemberAssumptions = { workloadReadyAfter: chance.between(1, 25) * 1000, neverReady: [] };
  const clusters = clustersOfSeed(chance);
  const names = clusters.map(({ metadata }) => metadata.name);
  const workloads = Array.from({ length: chance.between(1, 8) }, (_, i) =>
    workloadOfSeed(chance, `w${i + 1}`, names),
  )
    .map((one) => withExtras(chance, one, names))
    .map((one) => withActiveMigration(chance, one, configuration))
    .map((one) => withConfigurableFailover(chance, one, configuration))
    .map((one) => withApplicationFailover(chance, one, configuration));
  if (chance.happens(0.3)) {
    const { object } = workloads[0]!;
    members.neverReady.push({
      kind: object.kind,
      namespace: 'shop',
      name: object.metadata.name,
      cluster: names[0]!,
    });
  }
  const objects: KubernetesObject[] = [
    ...dependentsIn(NAMESPACES[0]),
    widgetInterpreter,
    ...taintPolicies(chance, configuration),
    ...chance.oneOf([
      workloads.flatMap(({ object, policy }) => [object, policy]),
      [...workloads.map(({ policy }) => policy), ...workloads.map(({ object }) => object)],
    ]),
    ...clusterWide(chance, names),
  ].map((object, i) => withUid(object, `uid-${i + 1}`));
  const empty = { ...emptyWorld(), clusters };
  const born: ScenarioEvent[] = objects.map((object, i) => ({
    at: START + i * chance.between(0, 700),
    action: { type: 'apply', objects: [object] },
  }));
  const rest = { start: START, until: START + 30 * MINUTE, members, events: born };
  let captured = played(empty, rest, configuration);
  const { activeMigration } = configuration.rules.taints;
  const there = { clusters, workloads, taintPolicies: true, preferNoExecute: activeMigration };
  const incident = chance.happens(0.4);
  if (options.incident ?? incident) {
    const start = captured.end;
    const events = eventsOfSeed(chance, there, start, 'x');
    const until = start + chance.between(0, 150_000);
    captured = played(apiAlone(captured.world), { start, until, members, events }, configuration);
  }
  const start = captured.end;
  const world = apiAlone(captured.world);
  const events = eventsOfSeed(chance, there, start, 'y');
  const last = Math.max(start, ...events.map(({ at }) => at));
  const scenario = { start, until: last + chance.oneOf([2, 10, 30]) * MINUTE, members, events };
  const { taken } = played(world, scenario, configuration);
  return { seed, world, configuration, scenario: { ...scenario, events: taken } };
}

/** The result of capturing the API. */
function apiAlone(world: ResumableWorld): World {
  const { simulation: _, ...api } = asFileKeeps(world);
  return api;
}

function configurationOfSeed(chance: Chance, version: string): Configuration {
  const { dialect } = dialectOf(version);
  const { defaults, featureGates: known } = dialect;
  const seconds = (...choices: number[]) => chance.oneOf(choices) * 1000;
  const gates = {
    Failover: chance.happens(0.95),
    GracefulEviction: true,
    StatefulFailoverInjection: true,
    PropagationPolicyPreemption: chance.happens(0.5),
    PriorityBasedScheduling: chance.happens(0.2),
    WorkloadAffinity: chance.happens(0.3),
  };
  const short = chance.happens(0.6);
  return {
    ...defaults,
    featureGates: {
      ...defaults.featureGates,
      ...Object.fromEntries(Object.entries(gates).filter(([name]) => Object.hasOwn(known, name))),
    },
    controllerManager: {
      ...defaults.controllerManager,
      'enable-no-execute-taint-eviction': true,
      ...(short && {
        'graceful-eviction-timeout': seconds(25, 40, 60),
        'cluster-status-update-frequency': seconds(3, 5, 10),
        'cluster-failure-threshold': seconds(5, 10, 15),
        'cluster-success-threshold': seconds(5, 10, 15),
        'cluster-monitor-period': seconds(2, 5),
        'cluster-monitor-grace-period': seconds(14, 20),
        'failover-eviction-timeout': seconds(10, 30),
      }),
      'resource-eviction-rate': chance.oneOf([0.1, 0.25, 0.5, 0.5, 1, 2, 100]),
      'no-execute-taint-eviction-purge-mode': chance.happens(0.2) ? 'Directly' : 'Gracefully',
    },
  };
}

function clustersOfSeed(chance: Chance): Cluster[] {
  const count = chance.between(2, 5);
  const pods = chance.happens(0.4);
  return Array.from({ length: count }, (_, i) => {
    const name = `member${i + 1}`;
    const region = chance.oneOf(['eu', 'us', 'ap']);
    const tight = pods && chance.happens(0.5);
    return {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: {
        name,
        uid: `uid-${name}`,
        generation: 1,
        creationTimestamp: '2026-08-01T00:00:00Z',
        labels: { tier: chance.oneOf(['gold', 'silver']) },
      },
      spec: {
        syncMode: chance.happens(0.3) ? 'Pull' : 'Push',
        region,
        provider: chance.oneOf(['alpha', 'beta']),
        zones: [`${region}-${chance.between(1, 2)}`],
        taints: [],
      },
      status: {
        apiEnablements: [
          {
            groupVersion: 'apps/v1',
            resources: ['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => ({ kind })),
          },
          { groupVersion: 'batch/v1', resources: [{ kind: 'Job' }] },
          { groupVersion: 'v1', resources: [{ kind: 'ConfigMap' }] },
          { groupVersion: 'networking.k8s.io/v1', resources: [{ kind: 'IngressClass' }] },
          { groupVersion: 'e2e.karmada-failover/v1', resources: [{ kind: 'Widget' }] },
        ],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'ClusterReady',
            message: 'cluster is healthy and ready to accept workloads',
            lastTransitionTime: '2026-08-01T00:00:00Z',
          },
        ],
        resourceSummary: {
          allocatable: { cpu: '100', memory: '400Gi', pods: tight ? String(chance.between(4, 20)) : '1000' },
          allocated: { cpu: '0', memory: '0', pods: '0' },
        },
      },
    } as Cluster;
  });
}

function taintPolicies(chance: Chance, { rules }: Configuration): KubernetesObject[] {
  if (!chance.happens(0.9)) return [];
  if (rules.api.taintPolicyForm === 'windows') return [windowsOfSeed(chance)];
  return [
    taintWhileReadyIs('not-ready', 'False', 'not-ready'),
    taintWhileReadyIs('unreachable', 'Unknown', 'unreachable'),
  ];
}

/** A policy of the design optimize-cluster-failover, with times in which incidents find place. */
function windowsOfSeed(chance: Chance): KubernetesObject {
  const taintToAdd = (effect: string) => ({
    key: 'cluster.karmada.io/not-ready',
    effect,
    addOnMatchSeconds: chance.oneOf([1, 20, 90]),
    removeOnMismatchSeconds: chance.oneOf([1, 20, 90]),
  });
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'not-ready' },
    spec: {
      matchConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
      taintsToAdd: chance.oneOf([['NoExecute'], ['PreferNoExecute', 'NoExecute']]).map(taintToAdd),
    },
  } as KubernetesObject;
}

function clusterWide(chance: Chance, names: string[]): KubernetesObject[] {
  if (chance.happens(0.5)) return [];
  const object = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'edge' },
    spec: { controller: 'e2e.example/edge' },
  } as KubernetesObject;
  const { metadata, ...policy } = policyFor(object, placementOfSeed(chance, names));
  return [object, { ...policy, kind: 'ClusterPropagationPolicy', metadata: { name: metadata.name } }];
}

/** Suspensions, and groups of workloads that keep together or apart. */
function withExtras(chance: Chance, { object, policy }: Propagated, names: string[]): Propagated {
  const { spec } = policy as KubernetesObject & { spec: { placement: object } };
  const suspension = chance.weighted<object | undefined>([
    [9, undefined],
    [1, { dispatching: true }],
    [1, { dispatchingOnClusters: { clusterNames: [chance.oneOf(names)] } }],
  ]);
  const groups = { groupByLabelKey: 'group' };
  const workloadAffinity = chance.weighted<object | undefined>([
    [8, undefined],
    [1, { affinity: groups }],
    [1, { antiAffinity: groups }],
  ]);
  const { metadata, ...rest } = object;
  const labels = { ...metadata.labels, ...(workloadAffinity && { group: 'one' }) };
  return {
    object: { ...rest, metadata: { ...metadata, labels } },
    policy: {
      ...policy,
      spec: {
        ...spec,
        ...(suspension && { suspension }),
        placement: { ...spec.placement, ...(workloadAffinity && { workloadAffinity }) },
      },
    } as KubernetesObject,
  };
}

/** In versions with active migration: what PreferNoExecute taints move. */
function withActiveMigration(
  chance: Chance,
  one: Propagated,
  { rules: { taints } }: Configuration,
): Propagated {
  if (!taints.activeMigration || chance.happens(0.4)) return one;
  const { spec } = one.policy as KubernetesObject & { spec: { failover?: { cluster?: object } } };
  const cluster = { ...spec.failover?.cluster, tolerationSeconds: chance.between(0, 90) };
  const failover = { ...spec.failover, cluster };
  return { ...one, policy: { ...one.policy, spec: { ...spec, failover } } as KubernetesObject };
}

type WithFailover = KubernetesObject & {
  spec: { failover?: { cluster?: object; application?: object }; propagateDeps?: boolean };
};

/** In versions with the fields of document 003: other purge modes of cluster failover, and grace periods. */
function withConfigurableFailover(chance: Chance, one: Propagated, { rules }: Configuration): Propagated {
  if (!rules.api.clusterPurgeModes.includes('Never') || chance.happens(0.4)) return one;
  const { spec, ...policy } = one.policy as WithFailover;
  const purgeMode = chance.oneOf(['Immediately', 'Graciously', 'Never'] as const);
  const grace = purgeMode === 'Graciously' && chance.happens(0.7);
  const cluster = {
    ...spec.failover?.cluster,
    purgeMode,
    ...(grace && { gracePeriodSeconds: chance.between(5, 90) }),
  };
  return {
    ...one,
    policy: { ...policy, spec: { ...spec, failover: { ...spec.failover, cluster } } } as WithFailover,
  };
}

/** In versions with the fields of document 004: what holds application failover back, and how long a cluster is blocked after it. */
function withApplicationFailover(chance: Chance, one: Propagated, { rules }: Configuration): Propagated {
  const { spec, ...policy } = one.policy as WithFailover;
  const before = spec.failover?.application;
  if (!rules.api.applicationPreConditions || !before) return one;
  const preConditions = {
    ...(chance.happens(0.5) && { delaySeconds: chance.between(0, 120) }),
    ...(chance.happens(0.5) && { healthyState: 'Healthy' }),
  };
  const application = {
    ...before,
    preConditions,
    blockPredecessorSeconds: chance.oneOf([0, 20, 600]),
  };
  const failover = { ...spec.failover, application };
  return { ...one, policy: { ...policy, spec: { ...spec, failover } } as WithFailover };
}

function withUid<T extends KubernetesObject>(object: T, uid: string): T {
  return { ...object, metadata: { ...object.metadata, uid } };
}
