import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import {
  asListed,
  type ListedOutcome,
  type SimulationEnd,
  type WorkloadOutcome,
} from '../verdicts/outcome.ts';
import type { Scenario } from '../scenario.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { ordersInBudget, ordersToTry, placementSteps, withOtherOrders } from '../simulation/otherOrders.ts';
import { setStage, setUnwatchedStage } from '../simulation/stage.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { Ordering } from '../virtualTime/ordering.ts';

/** How a workload's outcome differs in the second of two simulations. */
type DifferenceKind =
  | 'outcome'
  | 'placement'
  | 'sooner'
  | 'later'
  /** fewer ready replicas, or for longer */
  | 'misses more'
  | 'misses less';

export interface WorkloadDifference {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  kinds: DifferenceKind[];
  from?: ComparedWorkload;
  to?: ComparedWorkload;
}

/** The compared fields of a workload. */
export interface ComparedWorkload extends Pick<
  WorkloadOutcome,
  'outcome' | 'after' | 'gap' | 'certainty' | 'dependsOn' | 'possibleEnds' | 'reason'
> {
  /** seconds from the start until it is first taken from a cluster */
  leavesAfterSeconds?: number;
}

/** Smaller differences, in seconds, are below the accuracy of simulations and not reported. */
const NOTICEABLE = 5;

/** Seconds: longer than any finite gap. */
const LONGER_THAN_ALL = 1e12;

/** A workload's outcomes in two simulations; absent: the workload does not exist at the end. */
export interface WorkloadPair {
  from?: SimulatedWorkload | undefined;
  to?: SimulatedWorkload | undefined;
}

/** How a workload's outcome differs in the second simulation; undefined if it does not. */
export function differenceOf({ from: a, to: b }: WorkloadPair): WorkloadDifference | undefined {
  const either = b ?? a;
  if (!either) return undefined;
  const kinds: DifferenceKind[] = a && b ? differing(a, b) : ['outcome'];
  if (kinds.length === 0) return undefined;
  const { kind, namespace, name, binding } = either.outcome;
  return {
    workload: { kind, ...(namespace ? { namespace } : {}), name },
    binding,
    kinds,
    ...(a ? { from: compared(a) } : {}),
    ...(b ? { to: compared(b) } : {}),
  };
}

/** In the order of the second simulation, followed by workloads that only the first has. */
export function bySecondSimulation(a: WorkloadPair, b: WorkloadPair): number {
  if (a.to && b.to) return asListed(a.to, b.to);
  if (a.to || b.to) return a.to ? -1 : 1;
  return a.from && b.from ? asListed(a.from, b.from) : 0;
}

function compared({ outcome: played, leavesAfter }: SimulatedWorkload): ComparedWorkload {
  const { outcome, after, gap, certainty, dependsOn, possibleEnds, reason } = played;
  return {
    outcome,
    after,
    certainty,
    ...(dependsOn ? { dependsOn } : {}),
    ...(possibleEnds ? { possibleEnds } : {}),
    ...(gap ? { gap } : {}),
    ...(reason ? { reason } : {}),
    ...(leavesAfter === undefined ? {} : { leavesAfterSeconds: leavesAfter / 1000 }),
  };
}

function differing(from: SimulatedWorkload, to: SimulatedWorkload): DifferenceKind[] {
  const [a, b] = [compared(from), compared(to)];
  const kinds: DifferenceKind[] = [];
  if (a.outcome !== b.outcome) kinds.push('outcome');
  if (a.after !== b.after && textOf(a.after) !== textOf(b.after)) kinds.push('placement');
  const rounds = (['leavesAfter', 'period'] as const).map((field) => {
    const [was, is] = [from, to].map((one) =>
      field === 'period' ? one.outcome.flapping?.period : one[field],
    );
    return was === undefined || is === undefined ? 0 : (is - was) / 1000;
  });
  const later = rounds.find((seconds) => Math.abs(seconds) >= NOTICEABLE);
  if (later) kinds.push(later > 0 ? 'later' : 'sooner');
  if (missesDiffer(a, b)) kinds.push(missed(b) > missed(a) ? 'misses more' : 'misses less');
  return kinds;
}

/** Whether to report a different number of missing replicas, or a different downtime. */
function missesDiffer(a: ComparedWorkload, b: ComparedWorkload): boolean {
  if (missed(a) === missed(b)) return false;
  if (a.gap?.open || b.gap?.open || a.gap?.replicas !== b.gap?.replicas) return true;
  return Math.abs((a.gap?.seconds ?? 0) - (b.gap?.seconds ?? 0)) >= NOTICEABLE;
}

/**
 * The same text for the same clusters in any order. A workload that did not move has the same list on both sides, which
 * needs no text.
 */
function textOf(after: ComparedWorkload['after']): string {
  return JSON.stringify([...after].sort((a, b) => (a.name < b.name ? -1 : 1)));
}

/**
 * Downtime as a number to compare, at most in replica-seconds. A gap that never ends outweighs every finite one; ties
 * go to more missing replicas at the end, then to the highest number missing at once. A flapping workload misses
 * replicas in every round, wherever the simulation ends.
 */
function missed({ outcome, gap }: ComparedWorkload): number {
  if (!gap) return 0;
  const { replicas, seconds, open, atEnd = replicas } = gap;
  if (outcome === 'flaps') return replicas * LONGER_THAN_ALL;
  return open ? atEnd * LONGER_THAN_ALL + replicas : replicas * seconds;
}

/** The outcome of a workload in a scenario, and how soon. */
export interface SimulatedWorkload extends ListedOutcome {
  /** milliseconds from the start until it is first taken from a cluster; absent if it never is */
  leavesAfter?: number;
}

/** Workloads by binding key, as in lists; undefined: the binding was deleted. */
export type SimulatedWorkloads = ReadonlyMap<string, SimulatedWorkload | undefined>;

export interface SimulatedScenario {
  /** the workloads that it touched; the others are in `untouchedWorkloads` of the same end */
  touched: SimulatedWorkloads;
  ended: SimulationEnd;
  /**
   * The same, plus workloads touched in other processing orders, with the certainty after trying them.
   *
   * @param orders how many to try; fewer in a large world, none if it is too large for its share
   * @param share how many such scenarios share the budget
   */
  inOtherOrders(orders: number, share: number): SimulatedWorkloads;
}

/** Simulates a scenario on a world. Everything independent of the scenario is computed once, in `start`. */
export function simulateScenario(start: StartingWorld, scenario: Scenario): SimulatedScenario {
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
  const outcomesTouched = outcomes.touched(ended);
  const withLeaving = (key: string, listed: ListedOutcome): SimulatedWorkload => {
    const leavesAfter = leaves.get(key);
    return leavesAfter === undefined ? listed : { ...listed, leavesAfter };
  };
  const touched = new Map(
    Array.from(outcomesTouched, ([key, listed]) => [key, listed && withLeaving(key, listed)] as const),
  );
  return {
    touched,
    ended,
    inOtherOrders(orders, share) {
      const tried = ordersInBudget(orders, time.reconciles(), share);
      const inOrder = (ordering: Ordering) => setUnwatchedStage(start, scenario, { ordering });
      const cut = scenario.until !== undefined;
      // Without other processing orders, keeps the workloads that have not moved.
      const known = tried === 0 ? outcomes.listed(steps.keys(), ended) : outcomes.listed('all', ended);
      const workloads = Array.from(known.values(), ({ outcome }) => outcome);
      const inOrders = withOtherOrders(
        { workloads, steps },
        ordersToTry(tried, scenario.events, start.world.simulation?.events),
        inOrder,
        cut,
      );
      const all = new Map(touched);
      Array.from(known).forEach(([key, listed], at) => {
        const outcome = inOrders[at]!;
        if (outcome !== listed.outcome) all.set(key, withLeaving(key, { ...listed, outcome }));
      });
      return all;
    },
  };
}
