import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Evidence } from '../evidence.ts';
import { clusterMatches, type AffinityRules } from '../selection/clusterAffinity.ts';
import { EditedTaints } from './editedTaints.ts';
import { inOrderOfCreation } from './policyOrder.ts';
import type { Arrange } from '../controllers/controller.ts';
import { contestedTaints, type ContestedTaint } from './contestedTaints.ts';
import { conditionsMatch } from './matchConditions.ts';
import { targetOf } from './policyFields.ts';

/** A policy's action on one taint of a cluster. */
export interface PolicyAct {
  verb: 'adds' | 'removes';
  policy: ClusterTaintPolicy;
  /** as added, or as it was before removal */
  taint: Taint;
}

export interface TaintPolicyResult {
  taints: Taint[];
  /**
   * Whether Karmada writes the cluster. Also true if the very first taint was added and removed in the same pass: in Go
   * an empty list differs from nil.
   */
  changed: boolean;
  /** in order; a taint that was added and removed is listed twice */
  acts: PolicyAct[];
  evidence: Evidence[];
  /** taints that depend on the order of policies created in the same second, which Karmada does not guarantee */
  contested: ContestedTaint[];
}

export interface TaintPolicyInput {
  cluster: Cluster;
  policies: readonly ClusterTaintPolicy[];
  now: number;
  arrange?: Arrange | undefined;
}

/**
 * One pass of the ClusterTaintPolicy controller over one cluster. Policies act in the order of their creation, each on
 * the result of the previous one: those whose targetClusters match add their taints when addOnConditions hold, then
 * remove them when removeOnConditions hold, so removal wins within a policy, and the newest policy among several. An
 * existing taint keeps value and time; removal ignores who added it. Policies of the same second act in name order, or
 * as `arrange` orders them: Karmada leaves their order open.
 *
 * @param now epoch milliseconds, the timeAdded of new taints
 */
export function reconcileClusterTaintPolicies({
  cluster,
  policies,
  now,
  rules,
  arrange,
}: TaintPolicyInput & { rules: AffinityRules }): TaintPolicyResult {
  const before = cluster.spec?.taints ?? [];
  const conditions = cluster.status?.conditions ?? [];
  const acts: PolicyAct[] = [];
  const acting = inOrderOfCreation(policies, arrange).filter((policy) => targets(policy, cluster, rules));
  const edited = new EditedTaints(before);
  for (const policy of acting) {
    const { addOnConditions, removeOnConditions, taints: listed = [] } = policy.spec;
    if (conditionsMatch(conditions, addOnConditions))
      for (const { key, effect, value } of listed) {
        if (edited.has({ key, effect })) continue;
        const taint: Taint = { key, ...(value && { value }), effect, timeAdded: rfc3339(now) };
        edited.add(taint);
        acts.push({ verb: 'adds', policy, taint });
      }
    if (conditionsMatch(conditions, removeOnConditions))
      for (const one of listed) {
        const taint = edited.remove(one);
        if (taint) acts.push({ verb: 'removes', policy, taint });
      }
  }
  const taints = acts.length === 0 ? before : edited.left();
  const sameList = taints.length === before.length && taints.every((taint, index) => taint === before[index]);
  return {
    taints,
    changed: !sameList || (before.length === 0 && acts.length > 0),
    acts,
    evidence: acts.map(policyEvidence),
    contested: contestedTaints(acting, conditions, before),
  };
}

/** Whether a policy targets a cluster; one without targetClusters targets all. */
export function targets(policy: ClusterTaintPolicy, cluster: Cluster, rules: AffinityRules): boolean {
  const target = targetOf(policy);
  return !target || clusterMatches(cluster, target, rules);
}

/** Why a policy acted: the list of conditions that holds, and the taint. */
function policyEvidence({ verb, policy, taint }: PolicyAct): Evidence {
  const list = verb === 'adds' ? 'addOnConditions' : 'removeOnConditions';
  const { key, value, effect } = taint;
  return {
    rule: `the policy ${verb} ${formatTaint(taint)} because all of its ${list} hold`,
    object: { kind: 'ClusterTaintPolicy', name: policy.metadata.name },
    field: `spec.${list}`,
    value: policy.spec[list],
    taint: { key, ...(value && { value }), effect },
  };
}
