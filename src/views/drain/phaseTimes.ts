import type { DrainPhase } from '../../engine/drain/drainStep.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** Since when (epoch milliseconds) each binding is in its phase, by `bindingKey`. */
export type PhaseTimes = ReadonlyMap<string, { phase: DrainPhase; since: number }>;

export function bindingKey({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** Follows the phases from one look at a drain to the next. */
export function followPhases(before: PhaseTimes, { workloads, now }: DrainProgress): PhaseTimes {
  return new Map(
    workloads.map(({ binding, phase }) => {
      const key = bindingKey(binding);
      const known = before.get(key);
      return [key, known?.phase === phase ? known : { phase, since: now }];
    }),
  );
}
