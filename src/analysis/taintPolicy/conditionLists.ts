import type { ClusterTaintPolicySpec, MatchCondition } from '../../karmada/api/policy.ts';
import { isOneOf } from '../../kubernetes/json.ts';

/** The statuses of a condition in Kubernetes; a policy may name others, which never occur. */
export const STATUSES = ['True', 'False', 'Unknown'] as const;

/**
 * Whether a list of conditions can hold for a cluster that reports all of its types once:
 * - `empty`: it never holds; `never`: no status of its conditions satisfies it; `always`: every status does
 */
export type ListVerdict = 'empty' | 'never' | 'always' | 'sometimes';

/** Whether a list of conditions can hold. */
export function listVerdict(list: readonly MatchCondition[] | undefined): ListVerdict {
  if (!list?.length) return 'empty';
  const allowed = [...allowedStatuses(list).values()];
  if (allowed.some((statuses) => statuses.length === 0)) return 'never';
  return allowed.every((statuses) => statuses.length === STATUSES.length) ? 'always' : 'sometimes';
}

/** Whether a policy always removes its taints in the reconcile that adds them. */
export function removesWhatItAdds({ addOnConditions, removeOnConditions }: ClusterTaintPolicySpec): boolean {
  if (!addOnConditions?.length || !removeOnConditions?.length) return false;
  if (listVerdict(addOnConditions) === 'never') return false;
  const added = allowedStatuses(addOnConditions);
  return [...allowedStatuses(removeOnConditions)].every(([type, removed]) => {
    const own = added.get(type);
    return own !== undefined && own.every((status) => removed.includes(status));
  });
}

/** Why an entry matches no cluster, or none whose conditions Karmada's own controllers write. */
export type EntryProblem = 'unknown operator' | 'no values' | 'no such status';

/** The problem of a single entry of a list; undefined if it has none. */
export function entryProblem({ operator, statusValues = [] }: MatchCondition): EntryProblem | undefined {
  if (operator !== 'In' && operator !== 'NotIn') return 'unknown operator';
  if (operator === 'NotIn') return undefined;
  if (statusValues.length === 0) return 'no values';
  return statusValues.some(isStatus) ? undefined : 'no such status';
}

/** By type: the statuses that satisfy all entries of the type. */
function allowedStatuses(list: readonly MatchCondition[]): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { conditionType, operator, statusValues = [] } of list) {
    const before = allowed.get(conditionType) ?? [...STATUSES];
    const holds = (status: string) =>
      operator === 'In'
        ? statusValues.includes(status)
        : operator === 'NotIn' && !statusValues.includes(status);
    allowed.set(conditionType, before.filter(holds));
  }
  return allowed;
}

function isStatus(status: string): boolean {
  return isOneOf(STATUSES, status);
}
