import { snapshotKey } from '../controllers/keys.ts';
import { objectKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { otherOrdering } from '../virtualTime/ordering.ts';
import { setStage } from './stage.ts';
import { placementSteps } from './placementSteps.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';

const ORDER =
  'the order in which Karmada comes to things, which it does not fix: another order gives other steps for this workload';

const UNTRIED =
  'the order in which Karmada comes to things, which it does not fix: other orders were not tried, the control plane is too large for that';

/** Looks of controllers that trying other orders may cost. */
const BUDGET = 60_000;

/**
 * How many other orders are tried, of so many asked for: fewer of a large control plane.
 *
 * @param looks what the order that is told has cost
 */
export function affordableOrders(asked: number, looks: number): number {
  return Math.min(asked, Math.floor(BUDGET / Math.max(1, looks)));
}

/**
 * Tries other orders that Karmada may take as well. A workload that takes other steps in one of them is estimated, with the
 * ends that it may come to; what agrees in all of them stays as certain as it was.
 *
 * @param told the outcomes and steps of the order that is told, by binding
 * @param orders how many to try
 */
export function withOtherOrders(
  told: { workloads: WorkloadOutcome[]; steps: ReadonlyMap<string, string> },
  start: StartingWorld,
  scenario: Scenario,
  orders: number,
): WorkloadOutcome[] {
  const differs = new Set<string>();
  const ends = new Map<string, Map<string, WorkloadOutcome['after']>>();
  for (let number = 1; number <= orders; number++) {
    const stage = setStage(start, scenario, { outcomesAlone: true, ordering: otherOrdering(number) });
    const steps = placementSteps(stage.time);
    const atRest = stage.time.run(stage.until);
    const taken = steps();
    for (const key of new Set([...told.steps.keys(), ...taken.keys()]))
      if (told.steps.get(key) !== taken.get(key)) differs.add(key);
    for (const { binding, after } of stage.outcomes.all({ end: stage.time.now(), atRest })) {
      const key = objectKey(binding);
      if (!ends.has(key)) ends.set(key, new Map());
      ends.get(key)!.set(JSON.stringify(after), after);
    }
  }
  return told.workloads.map((workload) => {
    const key = objectKey(workload.binding);
    const bindingKey = snapshotKey(workload.binding);
    if (orders === 0 && told.steps.has(bindingKey)) return estimated(workload, UNTRIED);
    if (!differs.has(bindingKey)) return workload;
    const possible = new Map(ends.get(key)).set(JSON.stringify(workload.after), workload.after);
    return {
      ...estimated(workload, ORDER),
      ...(possible.size > 1 ? { possibleEnds: [...possible.values()] } : {}),
    };
  });
}

function estimated(workload: WorkloadOutcome, what: string): WorkloadOutcome {
  return {
    ...workload,
    certainty: workload.certainty === 'unknown' ? 'unknown' : 'estimate',
    dependsOn: [...(workload.dependsOn ?? []), what],
  };
}
