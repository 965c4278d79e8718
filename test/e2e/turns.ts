import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import type { Bed } from './controlPlane/bed.ts';

/** Seconds for which an eviction worker sleeps after each turn, by Karmada's default rate. */
const TURN = 2;

/**
 * Seconds by which chance delays evictions compared with a simulation: in versions that also queue tolerating workloads, these take the
 * place of others in some turns.
 */
export function turnsLostByChance({ file }: Bed): number {
  return dialectOf(file.karmada).dialect.rules.taints.evictionQueue === 'everyBinding' ? TURN : 0;
}
