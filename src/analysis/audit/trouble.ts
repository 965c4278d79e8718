import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/**
 * What a contingency may do to a workload that somebody has to know of, worst first:
 * - `lost`: nothing of it is left, or nothing of it gets ready
 * - `down`: no replica of it is ready at the end
 * - `blocked`: the scheduler finds no place for what is missing
 * - `flaps`: it is evicted again and again
 * - `without-state`: it moves, and what it had stored stays behind
 * - `partly-moves`: nothing replaces a part of it
 */
export const TROUBLES = ['lost', 'down', 'blocked', 'flaps', 'without-state', 'partly-moves'] as const;

export type Trouble = (typeof TROUBLES)[number];

/** The trouble that an outcome is; undefined if it is none. */
export function troubleOf(outcome: WorkloadOutcome, binding: ResourceBinding): Trouble | undefined {
  if (outcome.outcome === 'lost') return 'lost';
  if (outcome.down) return 'down';
  if (outcome.outcome === 'blocked' || outcome.outcome === 'flaps') return outcome.outcome;
  if (movesWithoutState(outcome, binding)) return 'without-state';
  return outcome.outcome === 'partly-moves' ? 'partly-moves' : undefined;
}

/** Whether a trouble is so bad that the workload has no safe second home: it loses service, or nothing puts it right. */
export function isUncovered(trouble: Trouble | undefined): boolean {
  return trouble !== undefined && trouble !== 'partly-moves' && trouble !== 'without-state';
}

/** Negative if the first is worse; no trouble comes last. */
export function compareTroubles(a: Trouble | undefined, b: Trouble | undefined): number {
  const rank = (one: Trouble | undefined) => (one === undefined ? TROUBLES.length : TROUBLES.indexOf(one));
  return rank(a) - rank(b);
}

/**
 * A StatefulSet's volumes stay in the cluster that it leaves. State preservation hands labels to the new copy, by which
 * somebody who has a copy of the data can find it; so a workload with such rules is not counted here.
 */
function movesWithoutState(
  { before, leaving = [], after }: WorkloadOutcome,
  { spec }: ResourceBinding,
): boolean {
  if (spec.resource.kind !== 'StatefulSet' || spec.failover?.cluster?.statePreservation) return false;
  const had = new Set([...before, ...leaving].map(({ name }) => name));
  return had.size > 0 && after.some(({ name }) => !had.has(name));
}
