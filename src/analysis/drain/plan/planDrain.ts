import { hasOneQueue } from '../../../karmada/configuration/taintEviction.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { createMergePatch } from '../../../kubernetes/mergePatch.ts';
import { LAST_INSTANT } from '../../../kubernetes/time.ts';
import { timesOut } from '../../../karmada/eviction/evictionRule.ts';
import { defaultMembers, type MemberAssumptions } from '../../../karmada/members/memberAssumptions.ts';
import { simulate } from '../../../simulator/simulation/simulate.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { objectKey } from '../../../karmada/objects/identities.ts';
import type { Span } from '../../../simulator/timeline/span.ts';
import type { World } from '../../../karmada/world.ts';
import { isOn } from '../decide/bindingState.ts';
import { markFor } from '../drainsUnderWay.ts';
import { cordoned, drainMarkOf, drainTainted } from '../cordon.ts';
import { dependencyIndex } from '../../../karmada/objects/dependents.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainPlan, PlannedCluster, PlannedWorkload, PlannedWrite } from './drainPlan.ts';
import { methodProblem, type MethodProblem, refusalsOf } from './drainRefusals.ts';
import { planWorkloads } from './planWorkloads.ts';
import { plannedCapacity } from './plannedCapacity.ts';
import { simulatedDrain, type SimulatedDrain } from './simulatedDrain.ts';
import { smallest } from '../../../kubernetes/longLists.ts';

export interface PlanDrainOptions {
  karmadaVersion: string;
  /** names of gates and flags whose values are unverified */
  unverified?: ReadonlySet<string>;
  /** called occasionally with the simulated instant (epoch milliseconds) */
  progress?: (now: number) => void;
  /** how long new replicas take to become ready and where they never do; 30 s if absent */
  members?: MemberAssumptions;
  /** how many other orders of Karmada's work to try; absent: none */
  otherOrders?: number;
  /** whether to record the course of each workload as spans */
  spans?: boolean;
}

export class DrainProblem extends Error {
  override readonly name = 'DrainProblem';
  readonly problem: { kind: 'no-cluster'; cluster: string; known: string[] } | MethodProblem;

  constructor(problem: DrainProblem['problem']) {
    super(`the drain cannot be planned: ${problem.kind}`);
    this.problem = problem;
  }
}

const DAY = 24 * 3600_000;

/**
 * The effect of draining the clusters: `decideDrain` acts on the world in virtual time, beside Karmada's controllers. A
 * refused plan shows what would happen if the risks were accepted.
 *
 * @param now epoch milliseconds
 * @throws DrainProblem if the world lacks a named cluster, or the method would not work as requested
 */
export function planDrain(
  world: World,
  options: DrainOptions,
  configuration: Configuration,
  now: number,
  { karmadaVersion, unverified, progress, members = defaultMembers, otherOrders, spans }: PlanDrainOptions,
): DrainPlan {
  const drained = options.clusters.map((name) => findCluster(world, name));
  const problem = methodProblem(options, configuration, unverified);
  if (problem !== undefined) throw new DrainProblem(problem);
  const simulated: DrainOptions = { ...options, accept: { ...options.accept, unhealthy: true } };
  let reported: SimulatedDrain | undefined;
  const simulation = simulate(world, { start: now, members, events: [] }, configuration, {
    latest: endOf(world, simulated, now, configuration),
    actor() {
      const drain = simulatedDrain(simulated, configuration);
      reported ??= drain;
      return drain.actor;
    },
    ...(otherOrders === undefined ? {} : { otherOrders }),
    ...(unverified ? { unverified } : {}),
    ...(progress ? { progress } : {}),
    ...(spans ? { spans } : {}),
  });
  const ended = reported!.result();
  const workloads = planWorkloads({
    world,
    options: simulated,
    configuration,
    simulation,
    ended,
    dependencies: dependencyIndex(world.bindings),
  });
  const clusters = planClusters(world, simulation, ended, options);
  const plan = {
    now,
    options,
    karmadaVersion,
    cordons: firstWrites(drained, options, { bindings: world.bindings, now }),
    workloads,
    clusters,
    duration: durationOf(workloads, simulated, configuration),
    atRest: simulation.atRest,
    events: simulation.events,
    ...(simulation.spans && {
      course: { spans: spansOfPlan(simulation.spans, workloads), end: simulation.end },
    }),
  };
  return { ...plan, refusals: refusalsOf(plan, world.clusters, configuration) };
}

/**
 * A workload that leaves without a replacement lacks nothing: its copies on other clusters are all that it should have.
 */
function spansOfPlan(spans: readonly Span[], workloads: readonly PlannedWorkload[]): Span[] {
  const leaving = new Set(workloads.filter(({ fate }) => fate === 'leaves').map(objectKey));
  return spans.filter(({ phase, workload }) => phase !== 'gap' || !leaving.has(objectKey(workload)));
}

function findCluster({ clusters }: World, name: string): Cluster {
  const found = clusters.find(({ metadata }) => metadata.name === name);
  if (found) return found;
  const known = clusters.map(({ metadata }) => metadata.name).sort();
  throw new DrainProblem({ kind: 'no-cluster', cluster: name, known });
}

/** When to end a simulation that does not settle: a day after the last possible eviction. */
function endOf(
  { bindings }: World,
  { clusters, method, pace }: DrainOptions,
  now: number,
  { controllerManager, rules }: Configuration,
): number {
  const drained = new Set(clusters);
  const there = bindings.filter((binding) => isOn(binding, drained));
  const rates =
    method === 'taint' && hasOneQueue(rules)
      ? [controllerManager['resource-eviction-rate'], controllerManager['secondary-resource-eviction-rate']]
      : [pace.evictionRate, pace.secondaryEvictionRate];
  const slowest = Math.min(...rates.filter((rate) => rate > 0), 1);
  const grace = controllerManager['graceful-eviction-timeout'];
  const each = pace.maxConcurrent === undefined ? 1000 / slowest : 1000 / slowest + grace;
  return Math.min(now + there.length * each + DAY, LAST_INSTANT);
}

/** The first writes of the plan. */
function firstWrites(
  clusters: readonly Cluster[],
  options: DrainOptions,
  at: Parameters<typeof markFor>[2],
): PlannedWrite[] {
  const writes = clusters.map((cluster) => ({
    cluster,
    after: cordoned(cluster, markFor(cluster, options, at, drainMarkOf(cluster)?.by)),
  }));
  const plannedWrite = (before: Cluster, after: Cluster, versioned: boolean): PlannedWrite[] => {
    const patch = createMergePatch(before, after);
    const { name, resourceVersion, uid } = before.metadata;
    if (patch === undefined) return [];
    return [
      {
        object: { kind: 'Cluster', name },
        ...(versioned && resourceVersion ? { resourceVersion } : {}),
        ...(uid ? { uid } : {}),
        patch,
      },
    ];
  };
  return [
    ...writes.flatMap(({ cluster, after }) => plannedWrite(cluster, after, true)),
    ...(options.method === 'taint'
      ? writes.flatMap(({ cluster, after }) => plannedWrite(after, drainTainted(after), after === cluster))
      : []),
  ];
}

function planClusters(
  world: World,
  simulation: Simulation,
  ended: ReturnType<SimulatedDrain['result']>,
  options: DrainOptions,
): PlannedCluster[] {
  const drained = new Set(options.clusters);
  const before = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const after = new Map(ended.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const kept = simulation.clusters.map(({ name, before: had, after: has }): PlannedCluster => {
    const capacity = plannedCapacity(before.get(name), after.get(name));
    return {
      name,
      drained: drained.has(name),
      ready: had.ready,
      before: { workloads: had.workloads, replicas: had.replicas },
      after: { workloads: has.workloads, replicas: has.replicas },
      ...(capacity ? { capacity } : {}),
    };
  });
  const isKept = new Set(kept.map(({ name }) => name));
  const gone = [...drained].filter((name) => !isKept.has(name));
  return [...gone.map((name) => deletedCluster(before.get(name)!, world)), ...kept];
}

/** A cluster that was being deleted when the drain began, and is gone at its end. */
function deletedCluster(cluster: Cluster, { bindings }: World): PlannedCluster {
  const { name } = cluster.metadata;
  const there = bindings.flatMap(({ spec }) => spec.clusters?.filter((one) => one.name === name) ?? []);
  const replicas = there.reduce((sum, one) => sum + (one.replicas ?? 0), 0);
  return {
    name,
    drained: true,
    ready: readyCondition(cluster)?.status ?? 'Unknown',
    deleted: true,
    before: { workloads: there.length, replicas },
    after: { workloads: 0, replicas: 0 },
  };
}

/** The shortest time in seconds for eviction, scheduling, start and removal of a workload. */
const LEAST_SECONDS = 2;

function durationOf(
  workloads: readonly PlannedWorkload[],
  { pace, method, hold, accept, gracePeriodSeconds }: DrainOptions,
  { controllerManager, rules }: Configuration,
): DrainPlan['duration'] {
  const evicted = workloads.flatMap(({ evictedAt, readyAt, goneAt }) =>
    evictedAt === undefined ? [] : [{ evictedAt, readyAt, goneAt }],
  );
  if (evicted.length === 0) return { shortest: 0, expected: 0, longest: 0 };
  const first = smallest(evicted.map(({ evictedAt }) => evictedAt));
  let last = first;
  let lastEviction = first;
  for (const { evictedAt, readyAt, goneAt } of evicted) {
    last = Math.max(last, goneAt ?? readyAt ?? evictedAt);
    lastEviction = Math.max(lastEviction, evictedAt);
  }
  const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10;
  const shortest =
    pace.evictionRate > 0 && method === 'evict'
      ? Math.min((evicted.length - 1) / pace.evictionRate + LEAST_SECONDS, seconds(last - first))
      : LEAST_SECONDS;
  const grace = gracePeriodSeconds ?? controllerManager['graceful-eviction-timeout'] / 1000;
  const ends = hold ? accept.loss : timesOut({ gracePeriodSeconds }, rules);
  const bounded = ends && pace.maxConcurrent === undefined;
  return {
    shortest,
    expected: seconds(last - first),
    ...(bounded && {
      longest: Math.max(seconds(lastEviction - first) + grace + LEAST_SECONDS, seconds(last - first)),
    }),
  };
}
