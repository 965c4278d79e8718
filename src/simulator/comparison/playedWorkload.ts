import type { Scenario } from '../scenario.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { affordableOrders, withOtherOrders } from '../simulation/otherOrders.ts';
import { placementSteps } from '../simulation/placementSteps.ts';
import { setStage, setUnwatchedStage } from '../simulation/stage.ts';
import type { ListedOutcome } from '../verdicts/listedOutcome.ts';
import type { SimulationEnd } from '../verdicts/outcomes.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { Ordering } from '../virtualTime/ordering.ts';

/** What becomes of a workload in a scenario, and how soon. */
export interface PlayedWorkload extends ListedOutcome {
  /** milliseconds from the start until it is first taken from a cluster; absent if it never is */
  leavesAfter?: number;
}

/** Workloads by key of the binding, as lists have them; undefined: the binding is gone. */
export type PlayedWorkloads = ReadonlyMap<string, PlayedWorkload | undefined>;

/** A simulated scenario. */
export interface PlayedScenario {
  /** those that it has touched; the others fare as in `untouchedWorkloads` of the same end */
  touched: PlayedWorkloads;
  ended: SimulationEnd;
  /**
   * The same, and those that another order touches, with the certainty that remains after other orders that Karmada may take.
   *
   * @param orders how many to try; fewer if the world is large, none if it is too large for its share
   * @param share how many such scenarios share the effort
   */
  inOtherOrders(orders: number, share: number): PlayedWorkloads;
}

/** Simulates a scenario on a world. What does not depend on the scenario is computed once, in `start`. */
export function playScenario(start: StartingWorld, scenario: Scenario): PlayedScenario {
  const stage = setStage(start, scenario, { outcomesAlone: true });
  const { time, outcomes } = stage;
  const steps = placementSteps(time);
  const leaves = new Map<string, number>();
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind !== 'Binding' || !change.before || leaves.has(change.key)) continue;
      const has = new Set(change.after && placedOn(change.after.spec).map(({ name }) => name));
      if (placedOn(change.before.spec).some(({ name }) => !has.has(name)))
        leaves.set(change.key, time.now() - scenario.start);
    }
  });
  const ended = stage.play();
  const told = outcomes.touched(ended);
  const withLeaving = (key: string, listed: ListedOutcome): PlayedWorkload => {
    const leavesAfter = leaves.get(key);
    return leavesAfter === undefined ? listed : { ...listed, leavesAfter };
  };
  const touched = new Map(
    Array.from(told, ([key, listed]) => [key, listed && withLeaving(key, listed)] as const),
  );
  return {
    touched,
    ended,
    inOtherOrders(orders, share) {
      const tried = affordableOrders(orders, time.looks(), share);
      const inOrder = (ordering: Ordering) => setUnwatchedStage(start, scenario, { ordering });
      const cut = scenario.until !== undefined;
      // if no other order is tried nothing becomes of those that have not moved
      const known = tried === 0 ? outcomes.listed(steps.keys(), ended) : outcomes.listed('all', ended);
      const workloads = Array.from(known.values(), ({ outcome }) => outcome);
      const inOrders = withOtherOrders({ workloads, steps }, tried, inOrder, cut);
      const all = new Map(touched);
      Array.from(known).forEach(([key, listed], at) => {
        const outcome = inOrders[at]!;
        if (outcome !== listed.outcome) all.set(key, withLeaving(key, { ...listed, outcome }));
      });
      return all;
    },
  };
}
