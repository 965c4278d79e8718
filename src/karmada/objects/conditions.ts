import { rfc3339 } from '../../kubernetes/time.ts';
import type { Condition } from '../api/meta.ts';

/** The condition of a type: the first one, as Karmada's controllers read it. */
export function conditionOf<T extends string>(
  conditions: readonly Condition[] | undefined,
  type: T,
): ConditionOf<T> | undefined {
  return conditions?.find((condition): condition is ConditionOf<T> => condition.type === type);
}

export type ConditionOf<T extends string> = Condition & { type: T };

/** A condition to set; its lastTransitionTime is determined then. */
export type NewCondition = Pick<Condition, 'type' | 'status'> & { reason: string; message: string };

/**
 * The conditions after setting one at `now` (epoch milliseconds), as meta.SetStatusCondition does: at its old position,
 * with a new lastTransitionTime only if the status changes. The same list if nothing changes.
 */
export function setCondition(
  conditions: Condition[] | undefined,
  stated: NewCondition,
  now: number,
): Condition[] {
  const before = conditionOf(conditions, stated.type);
  if (!conditions || !before) return [...(conditions ?? []), { ...stated, lastTransitionTime: rfc3339(now) }];
  const isSame = before.status === stated.status;
  if (isSame && before.reason === stated.reason && before.message === stated.message) return conditions;
  const lastTransitionTime = (isSame && before.lastTransitionTime) || rfc3339(now);
  const written = { ...before, ...stated, lastTransitionTime };
  return conditions.map((one) => (one === before ? written : one));
}
