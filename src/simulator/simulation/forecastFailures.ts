import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import { createStartingWorld } from '../store/startingWorld.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import { affordableOrders, withOtherOrders } from './otherOrders.ts';
import { placementSteps } from './placementSteps.ts';
import { setStage, type StageOptions } from './stage.ts';

/** What becomes of the workloads of a cluster if it fails. */
export type FailureForecast = (cluster: string) => WorkloadOutcome[];

export interface ForecastOptions extends Pick<StageOptions, 'unconfirmed'> {
  /**
   * how many other orders of Karmada to try: fewer if the world is large, none if the clusters are too many for that;
   * absent: none
   */
  otherOrders?: number;
  /** how many clusters are forecast: they share the budget for other orders */
  clusters?: number;
}

/**
 * Forecasts the failure of single clusters of a world at the instant `start`: each as `simulate` does, with all
 * bindings, but reports only those of `bindings`. What does not depend on the failing cluster is computed once. Throws
 * InvalidQuantity for a cluster's invalid quantities.
 */
export function forecastFailures(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  { start, members }: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  { unconfirmed, otherOrders = 0, clusters = 1 }: ForecastOptions = {},
): FailureForecast {
  const common = createStartingWorld(world, configuration, { start, members });
  const asked = new Set(bindings.map(bindingKey));
  const known = new Set(world.clusters.map(({ metadata }) => metadata.name));
  return (cluster) => {
    const own = common.on(cluster).filter((key) => asked.has(key));
    // none of the bindings is on it, or there is no such cluster
    if (own.length === 0 || !known.has(cluster)) return [];
    const events = [{ at: start, action: { type: 'fail', cluster } as const }];
    const stageIn = (ordering?: StageOptions['ordering']) =>
      setStage(
        common,
        { start, members, events },
        { outcomesAlone: true, ...(unconfirmed && { unconfirmed }), ...(ordering && { ordering }) },
      );
    const stage = stageIn();
    const steps = placementSteps(stage.time);
    const workloads = stage.outcomes.of(own, stage.play());
    if (otherOrders === 0) return workloads;
    const orders = affordableOrders(otherOrders, stage.time.looks(), clusters);
    return withOtherOrders({ workloads, steps }, orders, stageIn, false);
  };
}
