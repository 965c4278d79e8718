import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterAffinityTerm, Placement } from '../../karmada/api/policy.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import { isWorkload } from '../../karmada/objects/placement.ts';
import {
  availableReplicas,
  schedulesComponentSets,
} from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { rankClusters } from '../../karmada/scheduling/rankClusters.ts';
import { isDuplicated, strategyOf } from '../../karmada/scheduling/strategy.ts';
import { taintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import { lazily, lazilyFor } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../../simulator/store/startingWorld.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { bindingsOn, type EventForecast } from '../forecast/losses.ts';

/** The effects of the failure of one cluster. It can be sent to another thread. */
export interface SingleFailure {
  /** keys of the bindings on it */
  own: readonly string[];
  /** by key: those placed there or with a copy there, and those whose outcome the failure changes */
  affected: ReadonlyMap<string, AffectedWorkload>;
  /** when evictions first had their turn (epoch milliseconds), by `taintedPairKey` */
  turns: ReadonlyMap<string, number>;
  /** the capacity that moving workloads need */
  capacity: NeededCapacity;
  /** other processing orders were tried, so the certainty depends on everything that moves */
  ordered: boolean;
}

interface AffectedWorkload {
  outcome: WorkloadOutcome;
  /** the clusters that it was on at any time */
  visited: ReadonlySet<string>;
}

/** The capacity that moving workloads need. */
interface NeededCapacity {
  /** by cluster: the share of its capacity taken if every workload that may go there does, with all replicas */
  loads: ReadonlyMap<string, number>;
  /** where they may go: in each list, either one cluster with enough capacity suffices, or all must have it */
  homes: readonly Homes[];
}

interface Homes {
  clusters: readonly string[];
  enough: 'one' | 'all';
}

/** Failures of two clusters, combined from the failures of each. */
interface PairScreen {
  /** the simulated single failures; results of other threads can be added */
  readonly singles: Map<string, SingleFailure>;
  /** Simulates the failure of one cluster with all bindings, and keeps its effects. */
  simulate(cluster: string): WorkloadOutcome[];
  /**
   * The outcomes of workloads that the pair affects: those affected by one cluster have the outcome of its failure;
   * those possibly affected by both are simulated without the others. Undefined if the pair needs a simulation of all
   * bindings.
   */
  pair(one: string, other: string): WorkloadOutcome[] | undefined;
}

/**
 * Screens pairs of clusters. Undefined for worlds in which workloads depend on each other in ways that a pair may
 * trigger and a single failure does not.
 *
 * @param keys of the requested bindings
 * @param failing what happens to a cluster
 * @param members workloads that never become ready on some cluster: then each placement matters
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
  /** the course without further failures */
  const calm = lazily(() => {
    const { steps, outcomes } = forecast.course([], [...keys], keys);
    const moved = outcomes.filter(({ binding }) => steps.has(snapshotKey(binding)));
    return {
      steps,
      outcomes: new Map(outcomes.map((outcome) => [snapshotKey(outcome.binding), outcome])),
      capacity: capacityNeededBy(start, moved),
    };
  });

  /** Keys of the bindings that are placed on a cluster, have a copy there, or are being evicted from it. */
  function presentOn(cluster: string): Set<string> {
    const owners = start.worksOn(cluster).flatMap((work) => start.ownerOf(work) ?? []);
    return new Set([...start.on(cluster), ...start.entitled(cluster), ...start.leaving(cluster), ...owners]);
  }

  /** The clusters that a binding is placed on at the start, or has a copy on. */
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
    singles.set(cluster, {
      own,
      affected,
      turns,
      capacity: capacityNeededBy(start, moved),
      ordered: orders > 0,
    });
    return outcomes;
  }

  function single(cluster: string): SingleFailure {
    if (!singles.has(cluster)) simulate(cluster);
    return singles.get(cluster)!;
  }

  /** Workloads whose outcome neither single failure decides, with their dependents and parents. */
  function touchedByBoth(sides: readonly [string, SingleFailure, SingleFailure, string][]): Set<string> {
    const both = new Set<string>();
    for (const [, here, there, other] of sides)
      for (const [key, { visited }] of here.affected)
        if (there.affected.has(key) || visited.has(other) || mayTakeItsPlace(start, key, other))
          both.add(key);
    const isAffected = (key: string) => sides.some(([, { affected }]) => affected.has(key));
    // Iterating a Set also visits entries added during the loop.
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
      if (a.ordered || b.ordered || !fits([calm().capacity, a.capacity, b.capacity], [one, other]))
        return undefined;
      // Flapping ends the simulation for all workloads, so the combined outcomes would be wrong.
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
 * Whether workloads affect each other other than by capacity: a single queue paced by the number of failed clusters,
 * quotas, workload affinity. Or whether it matters which cluster each takes, since some are not Ready and not tainted.
 * A saved simulation has its own remaining events.
 */
export function dependOnEachOther({ configuration, world, bindings, clusters }: StartingWorld): boolean {
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

/** Whether a taint keeps new workloads off the cluster. */
function isClosed({ spec }: Cluster): boolean {
  return (spec?.taints ?? []).some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
}

/**
 * The most capacity that workloads need if they move or find no cluster: the replicas that they gain or lose, in every
 * allowed cluster. All replicas count if several affinity groups, or regions, may move them for a pair only. Where
 * capacity matters, workloads that spread only over clusters need one large enough cluster per group: the scheduler
 * swaps clusters until the replicas fit. Regions and overflow groups need the capacity in all clusters. A cluster
 * without reported capacity has none. Component sets are not counted: no other workload is safe there.
 */
function capacityNeededBy(start: StartingWorld, outcomes: readonly WorkloadOutcome[]): NeededCapacity {
  const { fleet } = start;
  const loads = new Map<string, number>();
  const homes = new Map<string, Homes>();
  for (const { binding, before, after } of outcomes) {
    const { spec, status } = start.bindings.get(snapshotKey(binding)) ?? {};
    if (after === before || !spec?.placement || !isWorkload(spec)) continue;
    const { placement, components = [] } = spec;
    const { clusterAffinities: groups = [] } = placement;
    const isWhole = isDuplicated(placement) || groups.length > 1 || !spreadsByClusterAlone(placement);
    const need = isWhole ? (spec.replicas ?? 0) : Math.max(gained(before, after), gained(after, before));
    const isSet = components.length > 0;
    const capacity = isSet ? undefined : availableReplicas(fleet.fleet, spec, fleet.options).values;
    for (const name of need > 0 || isSet ? allowedBy(start)(placement) : []) {
      const fits = capacity?.[fleet.index.get(name)!] ?? 0;
      loads.set(name, (loads.get(name) ?? 0) + (fits > 0 ? need / fits : Infinity));
    }
    const enough =
      spreadsByClusterAlone(placement) && groups.every((group) => !overflows(group)) ? 'one' : 'all';
    const strategy = strategyOf(placement);
    const ignoresCapacity = strategy === 'Duplicated' || strategy === 'StaticWeight';
    if (enough === 'one' && ignoresCapacity && !schedulesComponentSets(spec, fleet.options)) continue;
    const attempts = groups.map(({ affinityName }) => ({
      ...status,
      schedulerObservingAffinityName: affinityName,
    }));
    for (const attempt of attempts.length > 0 ? attempts : [status]) {
      const ranked = rankClusters(fleet, spec, attempt);
      const clusters = ranked.clusters.map((at) => fleet.clusters[at]!.metadata.name).sort();
      homes.set(`${enough} ${clusters.join(' ')}`, { clusters, enough });
    }
  }
  return { loads, homes: [...homes.values()] };
}

/** How many replicas the second placement adds to clusters, compared with the first. */
function gained(from: readonly TargetCluster[], to: readonly TargetCluster[]): number {
  const had = new Map(from.map(({ name, replicas = 0 }) => [name, replicas]));
  return to.reduce((sum, { name, replicas = 0 }) => sum + Math.max(0, replicas - (had.get(name) ?? 0)), 0);
}

/**
 * Whether all moving workloads find capacity without the failed clusters, wherever the others go. Shares of a cluster's
 * capacity that add up to at most 1 fit: a share never underestimates any resource.
 */
function fits(needed: readonly NeededCapacity[], failed: readonly string[]): boolean {
  const isSafe = (name: string) => needed.reduce((sum, { loads }) => sum + (loads.get(name) ?? 0), 0) <= 1;
  return needed.every(({ homes }) =>
    homes.every(({ clusters, enough }) => {
      const left = clusters.filter((name) => !failed.includes(name));
      return left.length === 0 || (enough === 'one' ? left.some(isSafe) : left.every(isSafe));
    }),
  );
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

/**
 * Whether another cluster may influence where a workload goes. A workload that takes the first matching clusters
 * depends on these alone; one divided by weights, or spread over more than clusters, on all that its placement allows.
 */
function mayTakeItsPlace(start: StartingWorld, key: string, cluster: string): boolean {
  const placement = start.bindings.get(key)?.spec.placement;
  return placement !== undefined && !takesTheFirst(placement) && allowedBy(start)(placement).has(cluster);
}

function takesTheFirst(placement: Placement): boolean {
  const strategy = strategyOf(placement);
  const { spreadConstraints = [], clusterAffinities = [] } = placement;
  // With minGroups, more clusters must be feasible than an aggregated workload uses.
  const asksForMore = spreadConstraints.some(({ minGroups = 1 }) => minGroups > 1);
  return (
    (strategy === 'Duplicated' || (strategy === 'Aggregated' && !asksForMore)) &&
    spreadsByClusterAlone(placement) &&
    clusterAffinities.every((group) => !overflows(group))
  );
}

function overflows({ overflowAffinities = [] }: ClusterAffinityTerm): boolean {
  return overflowAffinities.length > 0;
}

function spreadsByClusterAlone({ spreadConstraints = [] }: Placement): boolean {
  return spreadConstraints.every(
    ({ spreadByField, spreadByLabel }) => spreadByField === 'cluster' && !spreadByLabel,
  );
}

/** The clusters that any of the placement's affinities allows. */
export const allowedBy = lazilyFor(({ clusters, fleet }: StartingWorld) =>
  lazilyFor(({ clusterAffinity, clusterAffinities = [] }: Placement): ReadonlySet<string> => {
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

/** The outcome of a workload that the pair evicts later than the single failure would. */
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
