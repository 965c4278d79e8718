import { objectKey, snapshotKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import { setStage } from '../simulation/stage.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import type { StartingWorld } from '../store/startingWorld.ts';

/** What a scenario makes of a workload, and how soon. */
export interface PlayedWorkload {
  outcome: WorkloadOutcome;
  /** milliseconds from the start until it is first taken from a cluster; absent if it never is */
  leavesAfter?: number;
}

/** Plays a scenario on a world; the workloads by binding. What does not depend on the scenario is made once, in `start`. */
export function playScenario(start: StartingWorld, scenario: Scenario): Map<string, PlayedWorkload> {
  const stage = setStage(start, scenario, { outcomesAlone: true });
  const { time, outcomes } = stage;
  const leaves = new Map<string, number>();
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind !== 'Binding' || !change.before || leaves.has(change.key)) continue;
      const has = new Set(change.after?.spec.clusters?.map(({ name }) => name));
      if (change.before.spec.clusters?.some(({ name }) => !has.has(name)))
        leaves.set(change.key, time.now() - scenario.start);
    }
  });
  const ended = stage.play();
  return new Map(
    outcomes.all(ended).map((outcome) => {
      const key = objectKey(outcome.binding);
      const leavesAfter = leaves.get(snapshotKey(outcome.binding));
      return [key, { outcome, ...(leavesAfter === undefined ? {} : { leavesAfter }) }];
    }),
  );
}
