import type { MatchCondition } from '../../../karmada/api/policy.ts';

/** Statuses that a condition may have: these, or all others. A type that a cluster does not report is in no set. */
export interface StatusSet {
  values: readonly string[];
  allBut: boolean;
}

/** Represents every status that is neither one of Kubernetes nor named in a list. */
export const OTHER_STATUS = '*';
const STATUSES = ['True', 'False', 'Unknown'];

/** The statuses for which a list of conditions holds, by type; types that the list does not name do not matter. */
export function statusSets(list: readonly MatchCondition[]): Map<string, StatusSet> {
  const sets = new Map<string, StatusSet>();
  for (const one of list) {
    const before = sets.get(one.conditionType);
    const own = setOf(one);
    sets.set(one.conditionType, before ? both(before, own) : own);
  }
  return sets;
}

/** An operator that is neither In nor NotIn never holds. */
function setOf({ operator, statusValues = [] }: MatchCondition): StatusSet {
  if (operator === 'NotIn') return { values: statusValues, allBut: true };
  return { values: operator === 'In' ? statusValues : [], allBut: false };
}

function both(a: StatusSet, b: StatusSet): StatusSet {
  if (a.allBut && b.allBut) return { values: [...new Set([...a.values, ...b.values])], allBut: true };
  const [listed, other] = a.allBut ? [b, a] : [a, b];
  return { values: listed.values.filter((status) => hasStatus(other, status)), allBut: false };
}

/** Whether a status is in the set. */
export function hasStatus({ values, allBut }: StatusSet, status: string): boolean {
  return values.includes(status) !== allBut;
}

/** Whether no status is in the set. */
export function isNever({ values, allBut }: StatusSet): boolean {
  return !allBut && values.length === 0;
}

/** Whether every status is in the set. */
export function isAny({ values, allBut }: StatusSet): boolean {
  return allBut && values.length === 0;
}

/** The statuses in which sets differ: those of Kubernetes, those that they name, and one for all others. */
export function decisiveStatuses(...sets: (StatusSet | undefined)[]): string[] {
  return [...new Set([...STATUSES, ...sets.flatMap((set) => set?.values ?? []), OTHER_STATUS])];
}

/**
 * The list of conditions closest to "these no longer hold". For one type it is exact, except for clusters that do not
 * report the type: there neither In nor NotIn holds. For several types it holds only once none of their entries holds,
 * because the entries of a list are ANDed. Empty if the conditions hold for every status.
 */
export function complementOf(list: readonly MatchCondition[]): MatchCondition[] {
  const sets = [...statusSets(list)];
  const never = sets.find(([, set]) => isNever(set));
  const decisive = never ? [never] : sets.filter(([, set]) => !isAny(set));
  return decisive.map(([conditionType, { values, allBut }]) => ({
    conditionType,
    operator: allBut ? 'In' : 'NotIn',
    statusValues: [...values],
  }));
}

/** Statuses of one type; `OTHER_STATUS` among them represents any other status. */
export interface TypeStatuses {
  conditionType: string;
  statuses: string[];
}
