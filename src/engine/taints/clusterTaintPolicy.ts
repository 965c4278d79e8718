import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, MatchCondition } from '../../karmada/api/policy.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Evidence } from '../evidence.ts';
import { clusterMatches, type AffinityRules } from '../selection/clusterAffinity.ts';
import { sameTaint } from '../objects/sameTaint.ts';

export interface TaintPolicyResult {
  taints: Taint[];
  /**
   * Whether Karmada writes the cluster. True also where the first taint ever came and went in the same
   * pass: Go tells the emptied list from none.
   */
  changed: boolean;
  evidence: Evidence[];
}

/**
 * One pass of the ClusterTaintPolicy controller over one cluster. Policies act in the order of their
 * creation, each on what the one before left: those whose targetClusters match add their taints when
 * addOnConditions hold, then remove them when removeOnConditions hold, so removal wins within a policy.
 * A taint that is there already keeps value and time. Policies of the same second act in name order here;
 * Karmada leaves theirs open.
 *
 * @param now epoch milliseconds, becomes timeAdded of what is added
 */
export function reconcileClusterTaintPolicies({
  cluster,
  policies,
  now,
  rules,
}: {
  cluster: Cluster;
  policies: readonly ClusterTaintPolicy[];
  now: number;
  rules: AffinityRules;
}): TaintPolicyResult {
  const before = cluster.spec?.taints;
  const conditions = cluster.status?.conditions ?? [];
  const evidence: Evidence[] = [];
  let taints = before ?? [];
  let everAdded = false;
  for (const policy of inOrderOfCreation(policies)) {
    const { targetClusters, addOnConditions, removeOnConditions, taints: listed = [] } = policy.spec;
    if (targetClusters && !clusterMatches(cluster, targetClusters, rules)) continue;
    if (conditionsMatch(conditions, addOnConditions))
      for (const { key, effect, value } of listed) {
        if (taints.some((taint) => sameTaint(taint, { key, effect }))) continue;
        const taint: Taint = { key, ...(value && { value }), effect, timeAdded: rfc3339(now) };
        taints = [...taints, taint];
        everAdded = true;
        evidence.push(policyEvidence(policy, 'adds', taint, 'addOnConditions', addOnConditions));
      }
    if (conditionsMatch(conditions, removeOnConditions))
      for (const one of listed) {
        const at = taints.findIndex((taint) => sameTaint(taint, one));
        if (at < 0) continue;
        evidence.push(
          policyEvidence(policy, 'removes', taints[at]!, 'removeOnConditions', removeOnConditions),
        );
        taints = taints.toSpliced(at, 1);
      }
  }
  const sameList =
    taints.length === (before?.length ?? 0) && taints.every((taint, index) => taint === before?.[index]);
  return { taints, changed: !sameList || (everAdded && !before?.length), evidence };
}

function inOrderOfCreation(policies: readonly ClusterTaintPolicy[]): ClusterTaintPolicy[] {
  const created = ({ metadata: { creationTimestamp } }: ClusterTaintPolicy) =>
    creationTimestamp ? instant(creationTimestamp) : -Infinity;
  return [...policies].sort((a, b) => {
    const [first, second] = [created(a), created(b)];
    if (first !== second) return first < second ? -1 : 1;
    return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0;
  });
}

/**
 * Whether all entries of a policy's condition list hold. An empty list holds for nothing; a type that the
 * cluster does not have fails its entry, NotIn as well; an unknown operator fails the list.
 */
export function conditionsMatch(
  conditions: readonly Condition[],
  wanted: readonly MatchCondition[] | undefined,
): boolean {
  if (!wanted?.length) return false;
  return wanted.every(({ conditionType, operator, statusValues = [] }) => {
    const statuses = conditions.filter(({ type }) => type === conditionType).map(({ status }) => status);
    switch (operator) {
      case 'In':
        return statuses.some((status) => statusValues.includes(status));
      case 'NotIn':
        return statuses.length > 0 && !statusValues.includes(statuses.at(-1)!);
      default:
        return false;
    }
  });
}

function policyEvidence(
  policy: ClusterTaintPolicy,
  verb: 'adds' | 'removes',
  taint: Taint,
  list: 'addOnConditions' | 'removeOnConditions',
  conditions: unknown,
): Evidence {
  return {
    rule: `the policy ${verb} ${formatTaint(taint)} because all of its ${list} hold`,
    object: { kind: 'ClusterTaintPolicy', name: policy.metadata.name },
    field: `spec.${list}`,
    value: conditions,
  };
}
