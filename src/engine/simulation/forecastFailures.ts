import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { World } from '../world.ts';
import { identityOf, objectKey } from '../objects/identities.ts';
import { asKubectlLists } from './outcomes.ts';
import type { Scenario } from '../scenario.ts';
import { simulationStart } from './simulationStart.ts';
import { setStage } from './stage.ts';
import type { Outcome } from './timeline.ts';

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
  const common = simulationStart(world, configuration);
  const carried = bindingsByCluster(bindings);
  return (cluster) => {
    const counts: Partial<Record<Outcome, number>> = {};
    const own = carried.get(cluster);
    // whatever else happens, none of these is on it
    if (!own) return counts;
    const events = [{ at: start, action: { type: 'fail', cluster } as const }];
    const scenario = { start, members, events };
    const stage = setStage(common, scenario, configuration, { outcomesAlone: true });
    const { plane, agenda, outcomes, until } = stage;
    agenda.run(until);
    const records = plane.bindings
      .filter(({ deleted, identity }) => !deleted && own.has(objectKey(identity)))
      .sort((a, b) => asKubectlLists(a.initial.spec.resource, b.initial.spec.resource));
    for (const record of records) {
      const outcome = outcomes.outcomeOf(record);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };
}

/** The keys of the bindings on each cluster. */
function bindingsByCluster(bindings: readonly ResourceBinding[]): Map<string, Set<string>> {
  const carried = new Map<string, Set<string>>();
  for (const binding of bindings)
    for (const { name } of binding.spec.clusters ?? []) {
      const key = objectKey(identityOf(binding));
      const own = carried.get(name);
      if (own) own.add(key);
      else carried.set(name, new Set([key]));
    }
  return carried;
}
