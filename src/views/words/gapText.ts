import type { ReplicaGap, WorkloadOutcome } from '../../engine/verdicts/outcome.ts';
import type { Span } from '../../engine/timeline/span.ts';
import { duration } from './duration.ts';

/**
 * How many ready replicas are missing, and for how long: "3 for 1m9s", "3 to the end", "up to 6, 3 to the end". A flapping workload misses
 * them in each round, so the end of the simulation says nothing.
 *
 * @param noun what follows the number: " fewer ready"
 */
export function gapText(
  { gap, outcome }: Partial<Pick<WorkloadOutcome, 'gap' | 'outcome'>>,
  noun = '',
): string {
  if (!gap) return '';
  const { replicas, open, atEnd = replicas } = gap;
  if (outcome === 'flaps') return `${replicas}${noun}, again and again`;
  if (!open) return `${replicas}${noun} for ${gapLength(gap)}`;
  return atEnd === replicas
    ? `${replicas}${noun} to the end`
    : `up to ${replicas}${noun}, ${atEnd} to the end`;
}

/** "1m9s"; less than a second counts as one. */
export function gapLength({ seconds }: ReplicaGap): string {
  return duration(Math.max(1000, seconds * 1000));
}

/** What the spans of a workload say of the ready replicas that it misses; undefined if it misses none. `end`: epoch milliseconds. */
export function gapOfSpans(spans: readonly Span[], end: number): ReplicaGap | undefined {
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  if (gaps.length === 0) return undefined;
  const last = gaps.find(({ to }) => to === undefined);
  return {
    replicas: gaps.reduce((most, { replicas = 0 }) => Math.max(most, replicas), 0),
    seconds: gaps.reduce((sum, { from, to = end }) => sum + to - from, 0) / 1000,
    open: last !== undefined,
    ...(last ? { atEnd: last.replicas ?? 0 } : {}),
  };
}
