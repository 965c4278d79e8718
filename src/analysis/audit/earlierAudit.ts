import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Cause } from './causes.ts';
import type { Contingency } from './contingencies.ts';
import type { TallyState, WorstEffect } from './tally.ts';
import { type SettledWorld, touchedBetween } from './touched.ts';
import type { Trouble } from './trouble.ts';

/** Results that an audit keeps for the next one. */
export interface KeptAudit {
  world: SettledWorld;
  /** epoch milliseconds: no contingency was simulated from an earlier instant */
  since: number;
  contingencies: readonly Contingency[];
  /** by position in `contingencies` */
  found: ReadonlyMap<number, TallyState>;
  /** troubles without further failures, by key of the binding */
  troubles: ReadonlyMap<string, Trouble>;
  /** the causes of the worst troubles */
  causes: ReadonlyMap<WorstEffect, Cause>;
}

/** The results of an earlier audit that changes since then have not affected. */
interface ReusedResults extends Pick<KeptAudit, 'since' | 'troubles'> {
  found: readonly (readonly [at: number, TallyState])[];
  /** keys of the bindings whose troubles without further failures must be computed again */
  touched: ReadonlySet<string>;
  /** undefined: capacity has changed, so other causes may apply */
  causes: KeptAudit['causes'] | undefined;
}

/**
 * Milliseconds for which unaffected results are reused; then all contingencies are simulated again from the present.
 */
const KEPT_FOR = 3600_000;

/**
 * What an audit of this world can reuse from an earlier one with the same bindings and options; undefined: nothing.
 *
 * @param start epoch milliseconds: when this audit begins
 */
export function reusedResults(
  earlier: KeptAudit,
  world: SettledWorld,
  contingencies: readonly Contingency[],
  start: number,
): ReusedResults | undefined {
  const { since, found, troubles, causes } = earlier;
  if (start - since >= KEPT_FOR || !deepEqual(earlier.contingencies, contingencies)) return undefined;
  const touched = touchedBetween(earlier.world, world);
  if (!touched) return undefined;
  const isReused = ([at]: [number, TallyState]) =>
    !contingencies[at]!.clusters.some((name) => touched.clusters.has(name));
  return {
    since,
    troubles,
    found: [...found].filter(isReused),
    touched: touched.bindings,
    causes: touched.changesCapacity ? undefined : causes,
  };
}
