import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import { createStartingWorld } from '../store/startingWorld.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import { affordableOrders, withOtherOrders } from './otherOrders.ts';
import { placementSteps } from './placementSteps.ts';
import { setStage, type StageOptions } from './stage.ts';

/** Says of a cluster what becomes of its workloads were it to fail. */
export type FailureForecast = (cluster: string) => WorkloadOutcome[];

export interface ForecastOptions extends Pick<StageOptions, 'unconfirmed'> {
  /** how many other orders that Karmada may take are tried, fewer if the world is large, none if it is for so many clusters; absent: none */
  otherOrders?: number;
  /** of how many clusters the failure is forecast: they share what trying other orders may cost */
  clusters?: number;
}

/**
 * Forecasts the failure of single clusters of a world at the instant `start`: each as `simulate` plays it, with all
 * bindings, though only those of `bindings` are told of. What does not depend on which cluster fails is
 * made once. Throws InvalidQuantity for quantities of clusters that cannot be read.
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
    // whatever else happens, none of these is on it, or it is none that could fail
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
