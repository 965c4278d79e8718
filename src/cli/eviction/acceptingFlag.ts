import type { EvictionActionResult } from '../../analysis/evictionAction/actionOutcome.ts';

/** The result of one eviction, with the flag that accepts a refusal. */
export function withAcceptingFlag(given: EvictionActionResult): EvictionActionResult {
  return given.result === 'refused'
    ? { ...given, message: `${given.message}; --allow-loss accepts that` }
    : given;
}
