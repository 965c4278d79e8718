import type { MatchCondition } from '../../../karmada/api/policy.ts';
import { isAny, isNever, statusSets } from './statusSets.ts';

/**
 * The list of conditions that comes closest to "these no longer hold". For one type it is exact, except for clusters
 * that do not report the type: there neither In nor NotIn holds. For several types it holds only once none of their
 * entries holds, because the entries of a list are ANDed. Empty if the conditions hold for every status.
 */
export function complementOf(list: readonly MatchCondition[]): MatchCondition[] {
  const sets = [...statusSets(list)];
  const never = sets.find(([, set]) => isNever(set));
  const telling = never ? [never] : sets.filter(([, set]) => !isAny(set));
  return telling.map(([conditionType, { values, allBut }]) => ({
    conditionType,
    operator: allBut ? 'In' : 'NotIn',
    statusValues: [...values],
  }));
}
