import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { bindingKey, snapshotKey } from '../../karmada/objects/identities.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { affordableOrders, withOtherOrders } from '../../simulator/simulation/otherOrders.ts';
import { placementSteps } from '../../simulator/simulation/placementSteps.ts';
import { setStage, type StageOptions } from '../../simulator/simulation/stage.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { createStartingWorld } from '../../simulator/store/startingWorld.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/** What the loss of clusters leads to: what is said of each workload, and what all of it comes to. */
export interface Losses<Workload = WorkloadOutcome> {
  /** one for each workload that was asked about and has a place on them */
  workloads: Workload[];
  /** how many workloads have each outcome */
  ifItFails: Partial<Record<Outcome, number>>;
  /** how many of these outcomes are uncertain */
  uncertainIfItFails: number;
  costIfItFails: CostOfLoss;
}

/** What a loss would cost. */
export interface CostOfLoss {
  /** workloads that are lost or never come to rest */
  lost: number;
  blocked: number;
  /** workloads that move, partly or as a whole, or start anew */
  moves: number;
  /** for workloads that still miss replicas at rest: the most that each missed at one time, added up */
  missingForGood: number;
  /**
   * for the other workloads: the most replicas missing at one time, times the minutes during which some are; rounded up
   */
  missingReplicaMinutes: number;
}

/** Forecasts what becomes of workloads if these clusters fail at the same time. */
export type LossForecast = (...clusters: readonly string[]) => Losses;

export interface ForecastOptions extends Pick<StageOptions, 'unconfirmed'> {
  /**
   * how many other orders of Karmada to try: fewer if the world is large, none if the forecasts are too many for that;
   * absent: none
   */
  otherOrders?: number;
  /** how many forecasts are made: they share the budget for other orders */
  forecasts?: number;
}

/**
 * Forecasts the failure of clusters of a world at the instant `start`: each as `simulate` does, with all bindings, but
 * reports only those of `bindings`. What does not depend on the failing clusters is computed once. Throws
 * InvalidQuantity for a cluster's invalid quantities.
 */
export function forecastLosses(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  { start, members }: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  { unconfirmed, otherOrders = 0, forecasts = 1 }: ForecastOptions = {},
): LossForecast {
  const common = createStartingWorld(world, configuration, { start, members });
  const asked = new Set(bindings.map(bindingKey));
  const known = new Set(world.clusters.map(({ metadata }) => metadata.name));
  return (...clusters) => {
    const failing = clusters.filter((cluster) => known.has(cluster));
    const there = new Set(failing.flatMap((cluster) => common.on(cluster)).filter((key) => asked.has(key)));
    const own = failing.length > 1 ? [...common.bindings.keys()].filter((key) => there.has(key)) : [...there];
    if (own.length === 0) return lossesOf([]);
    const events = failing.map((cluster) => ({ at: start, action: { type: 'fail', cluster } as const }));
    const stageIn = (ordering?: StageOptions['ordering']) =>
      setStage(
        common,
        { start, members, events },
        { outcomesAlone: true, ...(unconfirmed && { unconfirmed }), ...(ordering && { ordering }) },
      );
    const stage = stageIn();
    const steps = placementSteps(stage.time);
    const workloads = stage.outcomes.of(own, stage.play());
    if (otherOrders === 0) return lossesOf(workloads);
    const orders = affordableOrders(otherOrders, stage.time.looks(), forecasts);
    return lossesOf(withOtherOrders({ workloads, steps }, orders, stageIn, false));
  };
}

/** What outcomes come to. */
export function lossesOf(workloads: WorkloadOutcome[]): Losses {
  const counts: Losses['ifItFails'] = {};
  const cost: CostOfLoss = { lost: 0, blocked: 0, moves: 0, missingForGood: 0, missingReplicaMinutes: 0 };
  let [uncertain, seconds] = [0, 0];
  for (const { outcome, certainty, gap } of workloads) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (certainty !== 'certain') uncertain++;
    if (outcome === 'lost' || outcome === 'flaps') cost.lost++;
    else if (outcome === 'blocked') cost.blocked++;
    else if (outcome !== 'stays' && outcome !== 'tolerates') cost.moves++;
    if (!gap) continue;
    if (gap.open) cost.missingForGood += gap.replicas;
    else seconds += gap.replicas * gap.seconds;
  }
  cost.missingReplicaMinutes = Math.ceil(seconds / 60);
  return { workloads, ifItFails: counts, uncertainIfItFails: uncertain, costIfItFails: cost };
}

/**
 * Negative if the first costs more: lost workloads count most, then blocked ones, then missing replicas and how long,
 * then moves.
 */
export function compareCosts(a: CostOfLoss, b: CostOfLoss): number {
  return (
    b.lost - a.lost ||
    b.blocked - a.blocked ||
    b.missingForGood - a.missingForGood ||
    b.missingReplicaMinutes - a.missingReplicaMinutes ||
    b.moves - a.moves
  );
}

/** What becomes of a workload, as an overview keeps it for each cluster. */
export interface WorkloadVerdict {
  /** the result of `bindingKey` */
  key: string;
  outcome: Outcome;
  certainty: Certainty;
  after: TargetCluster[];
}

/** What the failure of one cluster leads to, as an overview keeps it. */
export interface ClusterForecast extends Losses<WorkloadVerdict> {
  cluster: string;
}

/**
 * Forecasts the failure of each cluster, one after the other: each step is one simulation. Those with the most workloads
 * come first.
 */
export function* forecastEachCluster(
  world: ResumableWorld,
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  options: Omit<ForecastOptions, 'forecasts'>,
): Generator<ClusterForecast> {
  const counts = new Map<string, number>();
  for (const { spec } of world.bindings)
    for (const { name } of spec.clusters ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = world.clusters
    .map(({ metadata }) => metadata.name)
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const forecast = forecastLosses(world, world.bindings, when, configuration, {
    ...options,
    forecasts: names.length,
  });
  for (const cluster of names) {
    const { workloads, ...losses } = forecast(cluster);
    const verdicts = workloads.map(({ binding, outcome, certainty, after }) => ({
      key: snapshotKey(binding),
      outcome,
      certainty,
      after,
    }));
    yield { cluster, ...losses, workloads: verdicts };
  }
}
