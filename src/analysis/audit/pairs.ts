import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Placement } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { strategyOf } from '../../karmada/scheduling/strategy.ts';
import { taintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import { once, oncePer } from '../../simulator/store/indexes.ts';
import type { StartingWorld } from '../../simulator/store/startingWorld.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { bindingsOn, type EventForecast } from '../forecast/losses.ts';

/** What the failure of one cluster touches. It can be sent to another thread. */
export interface SingleFailure {
  /** keys of the bindings on it */
  own: readonly string[];
  /** by key: those that are on it, have a copy there, or fare otherwise than if nothing fails */
  affected: ReadonlyMap<string, AffectedWorkload>;
  /** when evictions had their first turn (epoch milliseconds), by `taintedPairKey` */
  turns: ReadonlyMap<string, number>;
  /** by cluster: the share of its room that those take which it gets */
  loads: ReadonlyMap<string, number>;
  /** other orders were tried: what is certain depends on all that moves */
  ordered: boolean;
}

interface AffectedWorkload {
  outcome: WorkloadOutcome;
  /** the clusters that it is on, or was on meanwhile */
  visited: ReadonlySet<string>;
}

/** Failures of two clusters, from what each does alone. */
export interface PairScreen {
  /** what is known of single failures; what other threads have found can be put in */
  readonly singles: Map<string, SingleFailure>;
  /** Simulates the failure of one cluster with all bindings, and keeps what it touches. */
  simulate(cluster: string): WorkloadOutcome[];
  /**
   * The outcomes of what is on two clusters, or moves because of them: those that one alone touches fare as they do then; those that
   * both may touch are simulated without the others. Undefined if the pair has to be simulated with all bindings.
   */
  pair(one: string, other: string): WorkloadOutcome[] | undefined;
}

/** Up to this share of a cluster's room may be taken without anybody running out of it. */
const AMPLE = 0.7;

/**
 * Screens pairs of clusters. Nothing is combined in worlds in which workloads depend on each other in ways that a pair may
 * bring about and none of its clusters alone.
 *
 * @param keys of the bindings that are asked about
 * @param failing what happens to a cluster
 * @param members workloads that never get ready somewhere: then it matters where each goes
 */
export function createPairScreen(
  forecast: EventForecast,
  keys: ReadonlySet<string>,
  failing: (cluster: string) => ScenarioAction,
  { neverReady }: MemberAssumptions,
): PairScreen | undefined {
  const { start } = forecast;
  if (neverReady.length > 0 || dependOnEachOther(start)) return undefined;
  const singles = new Map<string, SingleFailure>();
  /** what happens if nothing fails */
  const calm = once(() => {
    const { steps, outcomes } = forecast.course([], [...keys], keys);
    const moved = outcomes.filter(({ binding }) => steps.has(snapshotKey(binding)));
    return {
      steps,
      outcomes: new Map(outcomes.map((outcome) => [snapshotKey(outcome.binding), outcome])),
      loads: loadsOf(start, moved),
    };
  });

  /** Keys of the bindings that are on a cluster, or have a copy there, or leave it. */
  function presentOn(cluster: string): Set<string> {
    const owners = start.worksOn(cluster).flatMap((work) => start.ownerOf(work) ?? []);
    return new Set([...start.on(cluster), ...start.placedOn(cluster), ...start.leaving(cluster), ...owners]);
  }

  /** The clusters that a binding is on at the start, or has a copy on. */
  function placesOf(key: string, { before, leaving = [] }: WorkloadOutcome): string[] {
    return [...[...before, ...leaving].map(({ name }) => name), ...start.works(key).keys()];
  }

  function simulate(cluster: string): WorkloadOutcome[] {
    const own = bindingsOn(forecast, [cluster], keys);
    const { outcomes, steps, visited, turns, orders } = forecast.course([failing(cluster)], own, keys);
    const { steps: usual, outcomes: undisturbed } = calm();
    const present = presentOn(cluster);
    const affected = new Map<string, AffectedWorkload>();
    for (const outcome of outcomes) {
      const key = snapshotKey(outcome.binding);
      const alike = steps.get(key) === usual.get(key) && fareAlike(outcome, undisturbed.get(key));
      if (alike && !present.has(key)) continue;
      affected.set(key, {
        outcome,
        visited: new Set([...placesOf(key, outcome), ...(visited.get(key) ?? [])]),
      });
    }
    const moved = Array.from(affected.values(), ({ outcome }) => outcome);
    singles.set(cluster, { own, affected, turns, loads: loadsOf(start, moved), ordered: orders > 0 });
    return outcomes;
  }

  function single(cluster: string): SingleFailure {
    if (!singles.has(cluster)) simulate(cluster);
    return singles.get(cluster)!;
  }

  /** Those whose outcome neither failure alone decides, with what follows them and what they follow. */
  function touchedByBoth(sides: readonly [string, SingleFailure, SingleFailure, string][]): Set<string> {
    const both = new Set<string>();
    for (const [, here, there, other] of sides)
      for (const [key, { visited }] of here.affected)
        if (there.affected.has(key) || visited.has(other) || mayTakeItsPlace(start, key, other))
          both.add(key);
    const isAffected = (key: string) => sides.some(([, { affected }]) => affected.has(key));
    // a set is walked to its end, though it grows meanwhile
    for (const key of both) {
      const parents = (start.bindings.get(key)?.spec.requiredBy ?? []).map(snapshotKey);
      for (const kin of [...start.attachedTo(key), ...parents]) if (isAffected(kin)) both.add(kin);
    }
    return both;
  }

  return {
    singles,
    simulate,
    pair(one, other) {
      const [a, b] = [single(one), single(other)];
      if (a.ordered || b.ordered || runsShort([calm().loads, a.loads, b.loads])) return undefined;
      // a cycle is found by its course, and ends a simulation for all
      if ([a, b].some(({ affected }) => [...affected.values()].some(({ outcome }) => outcome.flapping)))
        return undefined;
      const sides: [string, SingleFailure, SingleFailure, string][] = [
        [one, a, b, other],
        [other, b, a, one],
      ];
      const both = touchedByBoth(sides);
      const together =
        both.size > 0 || start.configuration.rules.taints.evictionPace === 'paced'
          ? forecast.alone([failing(one), failing(other)], both)
          : undefined;
      if (together?.outcomes.some(({ flapping }) => flapping)) return undefined;
      const outcomes = new Map<string, WorkloadOutcome>();
      for (const outcome of together?.outcomes ?? []) outcomes.set(snapshotKey(outcome.binding), outcome);
      for (const [cluster, { affected, turns }] of sides)
        for (const [key, { outcome }] of affected)
          if (!both.has(key))
            outcomes.set(
              key,
              later(outcome, taintedPairKey({ cluster, binding: key }), turns, together?.turns),
            );
      return [...outcomes].sort(([x], [y]) => start.rank(x)! - start.rank(y)!).map(([, outcome]) => outcome);
    },
  };
}

/**
 * Whether workloads depend on each other in more ways than by room: one queue whose pace depends on how many clusters are
 * faulty, quotas, affinity between workloads; or whether it matters where one goes: clusters that nothing keeps it from, but that
 * never make it ready. A saved simulation still has events of its own.
 */
function dependOnEachOther({ configuration, world, bindings, clusters }: StartingWorld): boolean {
  const { rules, featureGates } = configuration;
  const some = (test: (binding: ResourceBinding) => boolean) => [...bindings.values()].some(test);
  return (
    world.simulation !== undefined ||
    hasOneQueue(rules) ||
    (featureGates.FederatedQuotaEnforcement &&
      world.others.some(({ kind }) => kind === 'FederatedResourceQuota')) ||
    (featureGates.WorkloadAffinity && some(({ spec }) => spec.workloadAffinityGroups !== undefined)) ||
    [...clusters.values()].some((cluster) => !isReady(cluster) && !isClosed(cluster))
  );
}

/** Whether a taint keeps new workloads away. */
function isClosed({ spec }: Cluster): boolean {
  return (spec?.taints ?? []).some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
}

/**
 * The share of its room that each cluster gives to what it gains, by what it reports; infinite if nobody can say. A cluster that
 * reports nothing is never full for the scheduler.
 */
function loadsOf(
  { bindings, fleet, clusters }: StartingWorld,
  outcomes: readonly WorkloadOutcome[],
): Map<string, number> {
  const loads = new Map<string, number>();
  for (const { binding, before, after } of outcomes) {
    if (after === before || after.length === 0) continue;
    const spec = bindings.get(snapshotKey(binding))?.spec;
    const had = new Map(before.map(({ name, replicas = 0 }) => [name, replicas]));
    for (const { name, replicas = 0 } of after) {
      const more = replicas - (had.get(name) ?? 0);
      if (more <= 0 || !clusters.get(name)?.status?.resourceSummary) continue;
      const at = fleet.index.get(name);
      const room =
        spec === undefined || spec.components?.length || at === undefined
          ? 0
          : availableReplicas(fleet.fleet, spec, fleet.options).values[at]!;
      loads.set(name, (loads.get(name) ?? 0) + (room > 0 ? more / room : Infinity));
    }
  }
  return loads;
}

function fareAlike(a: WorkloadOutcome, b: WorkloadOutcome | undefined): boolean {
  const said = (one: WorkloadOutcome) => [
    one.outcome,
    one.down,
    one.gap?.open,
    one.gap?.replicas,
    one.flapping,
  ];
  return b !== undefined && JSON.stringify(said(a)) === JSON.stringify(said(b));
}

function runsShort(loads: readonly SingleFailure['loads'][]): boolean {
  const names = new Set(loads.flatMap((one) => [...one.keys()]));
  for (const name of names)
    if (loads.reduce((sum, one) => sum + (one.get(name) ?? 0), 0) > AMPLE) return true;
  return false;
}

/**
 * Whether a cluster that a workload is not on may count where it goes. If it goes to the first of those that fit, one that is not
 * among them does not; if it is divided by weights, or spread over more than clusters, all that its placement allows do.
 */
function mayTakeItsPlace(start: StartingWorld, key: string, cluster: string): boolean {
  const placement = start.bindings.get(key)?.spec.placement;
  return placement !== undefined && !takesTheFirst(placement) && allowedBy(start)(placement).has(cluster);
}

function takesTheFirst(placement: Placement): boolean {
  const strategy = strategyOf(placement);
  return (
    (strategy === 'Duplicated' || strategy === 'Aggregated') &&
    (placement.spreadConstraints ?? []).every(
      ({ spreadByField, spreadByLabel }) => spreadByField === 'cluster' && !spreadByLabel,
    ) &&
    (placement.clusterAffinities ?? []).every(
      ({ overflowAffinities = [] }) => overflowAffinities.length === 0,
    )
  );
}

/** The clusters that any of its affinities allows. */
const allowedBy = oncePer(({ clusters, fleet }: StartingWorld) =>
  oncePer(({ clusterAffinity, clusterAffinities = [] }: Placement): ReadonlySet<string> => {
    const affinities = [
      ...(clusterAffinity ? [clusterAffinity] : []),
      ...clusterAffinities.flatMap((group) => [group, ...(group.overflowAffinities ?? [])]),
    ];
    const allowed = [...clusters.values()].filter(
      (cluster) =>
        affinities.length === 0 || affinities.some((one) => fleet.affinities.matches(cluster, one)),
    );
    return new Set(allowed.map(({ metadata }) => metadata.name));
  }),
);

/** The outcome of a workload whose eviction has its turn later than if its cluster alone failed. */
function later(
  outcome: WorkloadOutcome,
  pair: string,
  alone: ReadonlyMap<string, number>,
  together: ReadonlyMap<string, number> | undefined,
): WorkloadOutcome {
  const [before, now] = [alone.get(pair), together?.get(pair)];
  const { gap } = outcome;
  if (!gap || gap.open || before === undefined || now === undefined || now <= before) return outcome;
  return { ...outcome, gap: { ...gap, seconds: gap.seconds + (now - before) / 1000 } };
}
