import type { Cluster } from '../api/cluster.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import { reconcileClusterTaintPolicies, type TaintPolicyResult } from './clusterTaintPolicy.ts';
import { conditionsMatch, matchCondition } from './matchConditions.ts';
import {
  reconcileTaintWindows,
  type TaintWindowResult,
  type TaintWindowInput,
} from './windows/reconcileTaintWindows.ts';

/** The result of a pass; the memory of windows is present only if the version has windows. */
export type PolicyPass = TaintPolicyResult &
  Partial<Pick<TaintWindowResult, 'windows' | 'memory' | 'nextEnd'>>;

/**
 * One pass of the ClusterTaintPolicy controller over one cluster, by the version's rule: condition lists, or windows.
 *
 * @param memory of the last pass; undefined in a new process
 * @param now epoch milliseconds
 */
export function policyPass({
  rules,
  ...pass
}: TaintWindowInput & { rules: Pick<Rules, 'scheduling' | 'admission' | 'api'> }): PolicyPass {
  return rules.api.taintPolicyForm === 'windows'
    ? reconcileTaintWindows({ ...pass, rules })
    : reconcileClusterTaintPolicies({ ...pass, rules: rules.scheduling });
}

/**
 * Whether a cluster's current conditions make the policy add its taints, whatever its windows: addOnConditions or, in
 * the proposed form, matchConditions, which may be empty.
 */
export function wantsTaints(
  { spec }: ClusterTaintPolicy,
  cluster: Cluster,
  { api }: Pick<Rules, 'api'>,
): boolean {
  const conditions = cluster.status?.conditions ?? [];
  if (api.taintPolicyForm !== 'windows') return conditionsMatch(conditions, spec.addOnConditions);
  return (spec.matchConditions ?? []).every((one) => matchCondition(conditions, one).holds);
}
