import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { setStage } from './stage.ts';
import { createStartingWorld } from '../store/startingWorld.ts';
import type { Outcome } from '../verdicts/outcome.ts';

/** Says of a cluster how many of its workloads come to which outcome were it to fail. */
export type FailureForecast = (cluster: string) => Partial<Record<Outcome, number>>;

/**
 * Forecasts the failure of single clusters of a world at the instant `start`: each as `simulate` plays it, with all
 * bindings, though only those of `bindings` are counted. What does not depend on which cluster fails is
 * made once. Throws InvalidQuantity for quantities of clusters that cannot be read.
 */
export function forecastFailures(
  world: World,
  bindings: readonly ResourceBinding[],
  { start, members }: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
): FailureForecast {
  const common = createStartingWorld(world, configuration, { start, members });
  const counted = new Set(bindings.map(bindingKey));
  return (cluster) => {
    const counts: Partial<Record<Outcome, number>> = {};
    const own = common.on(cluster).filter((key) => counted.has(key));
    // whatever else happens, none of these is on it
    if (own.length === 0) return counts;
    const events = [{ at: start, action: { type: 'fail', cluster } as const }];
    const stage = setStage(common, { start, members, events }, { outcomesAlone: true });
    const ended = stage.play();
    for (const key of own) {
      if (!stage.time.view.get('Binding', key)) continue;
      const outcome = stage.outcomes.outcomeOf(key, ended);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };
}
