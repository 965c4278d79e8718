import { snapshotKey } from '../objects/identities.ts';
import { placementOf } from '../objects/placement.ts';
import { otherOrdering, type Ordering } from '../virtualTime/ordering.ts';
import type { UnwatchedStage } from './stage.ts';
import { placementSteps, type PlacementSteps } from './placementSteps.ts';
import { isSamePeriod } from '../verdicts/flapping.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';

const ORDER =
  'the order in which Karmada comes to things, which it does not fix: another order gives other steps for this workload';

const UNTRIED =
  'the order in which Karmada comes to things, which it does not fix: other orders were not tried, the control plane is too large for that';

/** How many orders that Karmada leaves open commands try besides the one that is told. */
export const OTHER_ORDERS = 6;

/** Looks of controllers that trying other orders may cost. */
const BUDGET = 60_000;

/**
 * How many other orders are tried, of so many asked for: fewer of a large control plane. Simulations that share what it may cost try as
 * many as one alone would, or none: with fewer they might call certain what that one doubts.
 *
 * @param looks what the order that is told has cost
 * @param share how many simulations share the cost
 */
export function affordableOrders(asked: number, looks: number, share = 1): number {
  const affordable = (cost: number) => Math.min(asked, Math.floor(BUDGET / Math.max(1, cost)));
  const orders = affordable(looks);
  return affordable(looks * share) === orders ? orders : 0;
}

/**
 * Tries other orders that Karmada may take as well. A workload that takes other steps in one of them is estimated, with the
 * ends that it may come to; what agrees in all of them stays as certain as it was.
 *
 * @param told the outcomes and steps of the order that is told, by binding
 * @param orders how many to try
 * @param inOrder sets the stage for one of them
 * @param cut the simulation ends at an instant that somebody has set: then it matters how often something has flapped
 */
export function withOtherOrders(
  told: { workloads: WorkloadOutcome[]; steps: PlacementSteps },
  orders: number,
  inOrder: (ordering: Ordering) => UnwatchedStage,
  cut: boolean,
): WorkloadOutcome[] {
  const differs = new Set<string>();
  const ends = new Map<string, Map<string, WorkloadOutcome['after']>>();
  for (let number = 1; number <= orders; number++) {
    const { time, flapping, play } = inOrder(otherOrdering(number));
    const taken = placementSteps(time);
    play();
    for (const workload of told.workloads) {
      const key = snapshotKey(workload.binding);
      const binding = time.view.get('Binding', key);
      const other = binding && { after: placementOf(binding.spec).clusters, flapping: flapping.of(key) };
      const sameSteps = told.steps.get(key) === taken.get(key);
      if (!(cut ? sameSteps : fareAlike(workload, other, sameSteps))) differs.add(key);
      if (!other || !comesToAnEnd(other, cut)) continue;
      if (!ends.has(key)) ends.set(key, new Map());
      ends.get(key)!.set(textOf(other.after), other.after);
    }
  }
  return told.workloads.map((workload) => {
    const key = snapshotKey(workload.binding);
    if (orders === 0 && told.steps.has(key)) return estimated(workload, UNTRIED);
    if (!differs.has(key)) return workload;
    const possible = new Map(ends.get(key));
    const least = comesToAnEnd(workload, cut) ? 2 : 1;
    if (least === 2) possible.set(textOf(workload.after), workload.after);
    return {
      ...estimated(workload, ORDER),
      ...(possible.size >= least ? { possibleEnds: [...possible.values()] } : {}),
    };
  });
}

/** What flaps does not, unless somebody has set an instant: then it is where it is. */
function comesToAnEnd({ flapping }: Partial<Pick<WorkloadOutcome, 'flapping'>>, cut: boolean): boolean {
  return cut || !flapping;
}

/** What became of a workload in another order. */
interface End {
  after: WorkloadOutcome['after'];
  flapping: WorkloadOutcome['flapping'] | undefined;
}

/**
 * What flaps does so with the same period for the same cause, however often it was seen to, and is at the same place in the end; all
 * else takes the same steps.
 */
function fareAlike(a: WorkloadOutcome, b: End | undefined, sameSteps: boolean): boolean {
  if (!a.flapping && !b?.flapping) return sameSteps;
  if (!a.flapping || !b?.flapping || textOf(a.after) !== textOf(b.after)) return false;
  return a.flapping.cause === b.flapping.cause && isSamePeriod(a.flapping.period, b.flapping.period);
}

/** The same for the same clusters in whatever order. */
function textOf(after: WorkloadOutcome['after']): string {
  return after
    .map(({ name, replicas = 0 }) => `${name}×${replicas}`)
    .sort()
    .join(' ');
}

function estimated(workload: WorkloadOutcome, what: string): WorkloadOutcome {
  return {
    ...workload,
    certainty: workload.certainty === 'unknown' ? 'unknown' : 'estimate',
    dependsOn: [...(workload.dependsOn ?? []), what],
  };
}
