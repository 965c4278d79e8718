import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/**
 * What an operator must know about a workload in a contingency, worst first:
 * - `lost`: nothing of it is left, or nothing of it becomes ready
 * - `down`: no replica of it is ready at the end
 * - `blocked`: the scheduler finds no cluster for the missing part
 * - `flaps`: it is evicted again and again
 * - `without-state`: it moves, and its stored data stays behind
 * - `partly-moves`: nothing replaces a part of it
 */
export const TROUBLES = ['lost', 'down', 'blocked', 'flaps', 'without-state', 'partly-moves'] as const;

export type Trouble = (typeof TROUBLES)[number];

/** The trouble that an outcome means; undefined if none. */
export function troubleOf(outcome: WorkloadOutcome, binding: ResourceBinding): Trouble | undefined {
  if (outcome.outcome === 'lost') return 'lost';
  if (outcome.down) return 'down';
  if (outcome.outcome === 'blocked' || outcome.outcome === 'flaps') return outcome.outcome;
  if (movesWithoutState(outcome, binding)) return 'without-state';
  return outcome.outcome === 'partly-moves' ? 'partly-moves' : undefined;
}

/** Whether a trouble means that the workload does not survive: it loses service, or never recovers by itself. */
export function isUncovered(trouble: Trouble | undefined): boolean {
  return trouble !== undefined && trouble !== 'partly-moves' && trouble !== 'without-state';
}

/** Negative if the first is worse; no trouble sorts last. */
export function compareTroubles(a: Trouble | undefined, b: Trouble | undefined): number {
  const rank = (one: Trouble | undefined) => (one === undefined ? TROUBLES.length : TROUBLES.indexOf(one));
  return rank(a) - rank(b);
}

/**
 * A StatefulSet's volumes stay on the cluster that it leaves. State preservation only passes labels to the new copy,
 * which point to data if an operator has copied it; workloads with such rules are not counted here.
 */
function movesWithoutState(
  { before, leaving = [], after }: WorkloadOutcome,
  { spec }: ResourceBinding,
): boolean {
  if (spec.resource.kind !== 'StatefulSet' || spec.failover?.cluster?.statePreservation) return false;
  const had = new Set([...before, ...leaving].map(({ name }) => name));
  return had.size > 0 && after.some(({ name }) => !had.has(name));
}
