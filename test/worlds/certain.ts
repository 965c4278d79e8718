import { isDeepStrictEqual } from 'node:util';
import type { TargetCluster } from '../../src/karmada/api/work.ts';
import { snapshotKey } from '../../src/karmada/objects/identities.ts';
import { ordersInBudget, OTHER_ORDERS, placementSteps } from '../../src/simulator/simulation/otherOrders.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import { setStage } from '../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering, otherOrdering, type Ordering } from '../../src/simulator/virtualTime/ordering.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

const byName = (targets: readonly TargetCluster[]) => targets.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Whether certain outcomes take the same steps in all tried orders, and possibleEnds names where each of them ends; if
 * not, what differs.
 */
export function earnsItsCertainty({ world, scenario, configuration }: GeneratedWorld): string | undefined {
  const { workloads } = simulate(world, scenario, configuration, { otherOrders: OTHER_ORDERS });
  const starting = createStartingWorld(world, configuration, scenario);
  const inOrder = (ordering: Ordering) => {
    const stage = setStage(starting, scenario, { ordering, outcomesAlone: true });
    const steps = placementSteps(stage.time);
    const ended = stage.play();
    const ends = stage.outcomes.all(ended).map((one) => [snapshotKey(one.binding), one] as const);
    return { steps, ends: new Map(ends), looks: stage.time.reconciles() };
  };
  const reported = inOrder(canonicalOrdering);
  // a world that takes many looks has fewer orders tried, and an end of another order is not among its ends
  const tried = ordersInBudget(OTHER_ORDERS, reported.looks);
  for (let number = 1; number <= tried; number++) {
    const other = inOrder(otherOrdering(number));
    for (const { binding, certainty, after, possibleEnds = [after], outcome } of workloads) {
      const key = snapshotKey(binding);
      const end = other.ends.get(key);
      const sameSteps = reported.steps.get(key) === other.steps.get(key);
      if (certainty === 'certain' && outcome !== 'flaps' && !sameSteps)
        return `order ${number}: ${key} is certain, and goes ${other.steps.get(key)} instead of ${reported.steps.get(key)}`;
      const known = possibleEnds.some((one) => end && isDeepStrictEqual(byName(one), byName(end.after)));
      if (end && !known)
        return `order ${number}: ${key} ends at ${JSON.stringify(end.after)}, and ${JSON.stringify(possibleEnds)} were possible`;
    }
  }
  return undefined;
}
