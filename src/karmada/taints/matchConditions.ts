import type { Condition } from '../api/meta.ts';
import type { MatchCondition } from '../api/policy.ts';

/** Whether one entry of a policy's condition list holds for a cluster, and by which conditions. */
export interface MatchedCondition {
  wanted: MatchCondition;
  /** the cluster's conditions of that type: none, one, or several if the type is listed twice */
  found: Condition[];
  holds: boolean;
}

/**
 * Whether all entries of a policy's condition list hold. An empty list never holds; a missing type fails its entry,
 * even with NotIn; an unknown operator fails the list.
 */
export function conditionsMatch(
  conditions: readonly Condition[],
  wanted: readonly MatchCondition[] | undefined,
): boolean {
  if (!wanted?.length) return false;
  return wanted.every((one) => matchCondition(conditions, one).holds);
}

/**
 * One entry of a policy's condition list. If a cluster lists a type twice, In holds if any of them matches; for NotIn
 * the last one counts. NotIn without values requires only that the type is present.
 */
export function matchCondition(conditions: readonly Condition[], wanted: MatchCondition): MatchedCondition {
  const { conditionType, operator, statusValues = [] } = wanted;
  const found = conditions.filter(({ type }) => type === conditionType);
  const last = found.at(-1);
  switch (operator) {
    case 'In':
      return { wanted, found, holds: found.some(({ status }) => statusValues.includes(status)) };
    case 'NotIn':
      return { wanted, found, holds: last !== undefined && !statusValues.includes(last.status) };
    default:
      return { wanted, found, holds: false };
  }
}
