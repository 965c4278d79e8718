import type { DrainPhase } from '../../engine/drain/decide/drainStep.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import { objectKey } from '../../engine/objects/identities.ts';

/** Since when (epoch milliseconds) each binding is in its phase, by `objectKey`. */
export type PhaseTimes = ReadonlyMap<string, { phase: DrainPhase; since: number }>;

/** Follows the phases from one look at a drain to the next. */
export function followPhases(before: PhaseTimes, { workloads, now }: DrainProgress): PhaseTimes {
  return new Map(
    workloads.map(({ binding, phase }) => {
      const key = objectKey(binding);
      const known = before.get(key);
      return [key, known?.phase === phase ? known : { phase, since: now }];
    }),
  );
}
