import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import type { Bed } from './controlPlane/bed.ts';

/** Seconds for which an eviction worker sleeps after each turn, by Karmada's default rate. */
const TURN = 2;

/**
 * Seconds by which chance puts evictions off beside what a simulation knows: in versions that queue those that tolerate, too,
 * they take the place of others in some turn or other.
 */
export function turnsLostByChance({ file }: Bed): number {
  return dialectOf(file.karmada).dialect.rules.taints.evictionQueue === 'everyBinding' ? TURN : 0;
}
