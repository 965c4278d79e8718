import { bindingKey, snapshotKey } from '../../karmada/objects/identities.ts';
import { type PlacementFields, placementOf } from '../../karmada/objects/placement.ts';
import type { ScenarioEvent } from '../scenario.ts';
import { REACTION_WINDOW_MS, lateEvents, type Ordering, otherOrdering } from '../virtualTime/ordering.ts';
import type { UnwatchedStage } from './stage.ts';
import { isSamePeriod } from '../verdicts/flapping.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import { followTurns } from '../verdicts/turns.ts';
import type { ResourceBindingSpec } from '../../karmada/api/work.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

const UNORDERED = 'the processing order, which Karmada does not guarantee';
const ORDER = `${UNORDERED}: another order gives other steps for this workload`;
const UNTRIED = `${UNORDERED}: other orders were not tried, since the simulation is too long`;

/** Whether an outcome depends on the processing order, by the texts of its `dependsOn`. */
export function isDoubtOfOrder(doubt: string): boolean {
  return doubt.startsWith(UNORDERED);
}

/** The number of processing orders that commands try besides the reported one. */
export const OTHER_ORDERS = 6;

/** The budget of other processing orders, in reconciles. */
const BUDGET = 60_000;

/**
 * How many of the requested processing orders to try: fewer for a large control plane. Simulations that share the
 * budget try either as many as a single one would, or none: with fewer, an outcome could appear certain that a single
 * one doubts.
 *
 * @param reconciles how many reconciles the reported order took
 * @param share how many simulations share the budget
 */
export function ordersInBudget(asked: number, reconciles: number, share = 1): number {
  const affordable = (cost: number) => Math.min(asked, Math.floor(BUDGET / Math.max(1, cost)));
  const orders = affordable(reconciles);
  return affordable(reconciles * share) === orders ? orders : 0;
}

/**
 * The other processing orders to try for a scenario.
 *
 * @param count as many as are affordable
 * @param resumed the remaining events of a saved simulation
 */
export function ordersToTry(
  count: number,
  events: readonly ScenarioEvent[],
  resumed: readonly ScenarioEvent[] = [],
): Ordering[] {
  const orders = Array.from({ length: count }, (_, index) => otherOrdering(index + 1));
  const times = [...resumed, ...events].map(({ at }) => at).sort((a, b) => a - b);
  const areClose = times.some(
    (at, index) => index > 0 && at !== times[index - 1] && at - times[index - 1]! < REACTION_WINDOW_MS,
  );
  return count > 0 && areClose ? [lateEvents, ...orders] : orders;
}

/**
 * Tries other processing orders. If a workload takes other steps in one of them, its outcome becomes an estimate with
 * all possible ends; otherwise its certainty does not change.
 *
 * @param reported the outcomes and steps of the reported order, by binding
 * @param orders the orders to try
 * @param inOrder prepares the simulation of one of them
 * @param cut the user has set the end of the simulation: then the number of flaps matters
 */
export function withOtherOrders(
  reported: { workloads: WorkloadOutcome[]; steps: PlacementSteps },
  orders: readonly Ordering[],
  inOrder: (ordering: Ordering) => UnwatchedStage,
  cut: boolean,
): WorkloadOutcome[] {
  const differs = new Set<string>();
  const mayHaveTurn = new Set<string>();
  const ends = new Map<string, Map<string, WorkloadOutcome['after']>>();
  for (const ordering of orders) {
    const { start, time, flapping, play } = inOrder(ordering);
    const taken = placementSteps(time);
    const turns = followTurns(start, time, (key) => void mayHaveTurn.add(key));
    turns.end(!play().settled);
    for (const workload of reported.workloads) {
      const key = snapshotKey(workload.binding);
      const binding = time.view.get('Binding', key);
      const other = binding && { after: placementOf(binding.spec).clusters, flapping: flapping.of(key) };
      const sameSteps = reported.steps.get(key) === taken.get(key);
      if (!(cut ? sameSteps : fareAlike(workload, other, sameSteps))) differs.add(key);
      if (!other || !comesToAnEnd(other, cut)) continue;
      if (!ends.has(key)) ends.set(key, new Map());
      ends.get(key)!.set(textOf(other.after), other.after);
    }
  }
  return reported.workloads.map((workload) => {
    const key = snapshotKey(workload.binding);
    if (orders.length === 0 && reported.steps.has(key)) return estimated(workload, UNTRIED);
    // Which workloads are evicted before the taint is removed is random, in each order with the taint.
    const mayLeave = mayHaveTurn.has(key) && !reported.steps.has(key);
    if (!differs.has(key))
      return mayLeave && workload.certainty === 'certain' ? estimated(workload, ORDER) : workload;
    const possible = new Map(ends.get(key));
    const least = comesToAnEnd(workload, cut) ? 2 : 1;
    if (least === 2) possible.set(textOf(workload.after), workload.after);
    return {
      ...estimated(workload, ORDER),
      ...(possible.size >= least ? { possibleEnds: [...possible.values()] } : {}),
    };
  });
}

/** Whether to compare the final placement: not for a flapping workload, unless the user has set an end. */
function comesToAnEnd({ flapping }: Partial<Pick<WorkloadOutcome, 'flapping'>>, cut: boolean): boolean {
  return cut || !flapping;
}

/** The outcome of a workload in another processing order. */
interface End {
  after: WorkloadOutcome['after'];
  flapping: WorkloadOutcome['flapping'] | undefined;
}

/**
 * Whether two runs of a workload agree: if both flap, the period, cause and final placement are the same, whatever the
 * number of flaps; otherwise the steps are.
 */
function fareAlike(a: WorkloadOutcome, b: End | undefined, sameSteps: boolean): boolean {
  if (!a.flapping && !b?.flapping) return sameSteps;
  if (!a.flapping || !b?.flapping || textOf(a.after) !== textOf(b.after)) return false;
  return a.flapping.cause === b.flapping.cause && isSamePeriod(a.flapping.period, b.flapping.period);
}

/** One text for the same clusters in any order. */
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

/** The steps so far as one text for each binding that has moved or whose Works have changed. */
export interface PlacementSteps extends Pick<ReadonlyMap<string, string>, 'get' | 'has'> {
  keys(): Iterable<string>;
  /** Whether its Works have changed, or its placement did, even temporarily; the order of clusters is not a difference. */
  moved(key: string): boolean;
}

/** Follows where bindings are placed, and how often their Works are written and deleted on each cluster. */
export function placementSteps(time: VirtualTime): PlacementSteps {
  const steps = new Map<
    string,
    { before: PlacementFields | undefined; later: (PlacementFields | undefined)[] }
  >();
  const works = new Map<string, Map<string, number>>();
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind === 'Work') {
        const { before, after } = change;
        const what = !before ? 'written' : startsToGo(before, after) ? 'deleted' : undefined;
        const work = after ?? before;
        const binding = what && work && time.view.bindingOf(work);
        if (!binding) continue;
        const key = bindingKey(binding);
        const counts = works.get(key) ?? new Map<string, number>();
        works.set(key, counts);
        const step = `${clusterOfWork(work) ?? ''} ${what}`;
        counts.set(step, (counts.get(step) ?? 0) + 1);
        continue;
      }
      if (change.kind !== 'Binding') continue;
      const { key, before, after } = change;
      if (
        before?.spec.clusters === after?.spec.clusters &&
        before?.spec.gracefulEvictionTasks === after?.spec.gracefulEvictionTasks
      )
        continue;
      const placed = after && placedBy(after.spec);
      const known = steps.get(key);
      if (known) known.later.push(placed);
      else steps.set(key, { before: before && placedBy(before.spec), later: [placed] });
    }
  });

  /** The placements of a binding, without repeated writes of the same one. */
  function textsOf(key: string): string[] {
    const { before, later = [] } = steps.get(key) ?? {};
    const texts = later.map(text).filter((placement, at, all) => placement !== all[at - 1]);
    return before ? [text(before), ...texts] : texts;
  }

  function has(key: string): boolean {
    return works.has(key) || steps.get(key)?.before !== undefined || textsOf(key).length > 1;
  }

  return {
    has,
    moved: (key) => works.has(key) || new Set(textsOf(key)).size > 1,
    keys: () => new Set([...steps.keys(), ...works.keys()]),
    get(key) {
      if (!has(key)) return undefined;
      const counts = Array.from(works.get(key) ?? [], ([step, count]) => `${step} ${count}`).sort();
      return `${textsOf(key).join(' → ')}; ${counts.join(', ')}`;
    },
  };
}

/** Keeps only the clusters and tasks, to save memory. */
function placedBy({ clusters, gracefulEvictionTasks }: ResourceBindingSpec): PlacementFields {
  return { clusters, gracefulEvictionTasks };
}

interface Deletable {
  metadata: { deletionTimestamp?: string | null };
}

function startsToGo(before: Deletable, after: Deletable | undefined): boolean {
  return !before.metadata.deletionTimestamp && (!after || Boolean(after.metadata.deletionTimestamp));
}

function text(placed: PlacementFields | undefined): string {
  if (!placed) return 'gone';
  const { clusters, evicting } = placementOf(placed);
  const on = clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
  return `${on.join(' ')}|${[...evicting].sort().join(' ')}`;
}
