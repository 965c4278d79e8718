import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { bindingKey, snapshotKey } from '../../karmada/objects/identities.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { affordableOrders, placementSteps, withOtherOrders } from '../../simulator/simulation/otherOrders.ts';
import { setStage, type StageOptions } from '../../simulator/simulation/stage.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { createStartingWorld } from '../../simulator/store/startingWorld.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import { lossesOf, type Losses } from './costOfLoss.ts';

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
