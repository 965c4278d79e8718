import { objectKey, snapshotKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import { placedOn } from '../objects/placement.ts';
import { affordableOrders, withOtherOrders } from '../simulation/otherOrders.ts';
import { placementSteps } from '../simulation/placementSteps.ts';
import { setStage, setUnwatchedStage } from '../simulation/stage.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { Ordering } from '../virtualTime/ordering.ts';

/** What becomes of a workload in a scenario, and how soon. */
export interface PlayedWorkload {
  outcome: WorkloadOutcome;
  /** milliseconds from the start until it is first taken from a cluster; absent if it never is */
  leavesAfter?: number;
}

/** A simulated scenario. */
export interface PlayedScenario {
  /** by binding */
  workloads: Map<string, PlayedWorkload>;
  /**
   * The same workloads, with the certainty that remains after other orders that Karmada may take.
   *
   * @param orders how many to try; fewer if the world is large, none if it is too large for its share
   * @param share how many such scenarios share the effort
   */
  inOtherOrders(orders: number, share: number): Map<string, PlayedWorkload>;
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
  const told = outcomes.all(stage.play());
  const byBinding = (workloads: readonly WorkloadOutcome[]) =>
    new Map(
      workloads.map((outcome) => {
        const leavesAfter = leaves.get(snapshotKey(outcome.binding));
        const played = { outcome, ...(leavesAfter === undefined ? {} : { leavesAfter }) };
        return [objectKey(outcome.binding), played] as const;
      }),
    );
  return {
    workloads: byBinding(told),
    inOtherOrders(orders, share) {
      const tried = affordableOrders(orders, time.looks(), share);
      const inOrder = (ordering: Ordering) => setUnwatchedStage(start, scenario, { ordering });
      const cut = scenario.until !== undefined;
      return byBinding(withOtherOrders({ workloads: told, steps }, tried, inOrder, cut));
    },
  };
}
