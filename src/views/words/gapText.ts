import type { ReplicaGap, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
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
