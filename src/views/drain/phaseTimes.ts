import type { DrainPhase } from '../../analysis/drain/decide/drainStep.ts';
import type { DrainProgress } from '../../analysis/drain/drainEvent.ts';
import { objectKey } from '../../karmada/objects/identities.ts';

/** Epoch milliseconds of one binding, as they were seen. */
export interface PhaseTime {
  phase: DrainPhase;
  /** when it came to its phase */
  since: number;
  /** when it was evicted, or first seen evicted; absent unless it is on its way out */
  evictedAt?: number;
}

/** The times of each binding, by `objectKey`. */
export type PhaseTimes = ReadonlyMap<string, PhaseTime>;

/** Phases of workloads that are evicted and not gone. */
const UNDER_WAY: ReadonlySet<DrainPhase> = new Set(['scheduling', 'starting', 'ready', 'leaving', 'stuck']);

/** Follows the phases from one look at a drain to the next. */
export function followPhases(before: PhaseTimes, { workloads, now }: DrainProgress): PhaseTimes {
  return new Map(
    workloads.map(({ binding, phase }) => {
      const key = objectKey(binding);
      const known = before.get(key);
      if (known?.phase === phase) return [key, known];
      const evictedAt = UNDER_WAY.has(phase) ? { evictedAt: known?.evictedAt ?? now } : {};
      return [key, { phase, since: now, ...evictedAt }];
    }),
  );
}
