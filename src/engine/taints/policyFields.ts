// The fields of a ClusterTaintPolicy that mean the same in both of its forms; a version knows one of them.
import type {
  ClusterAffinity,
  ClusterTaintPolicy,
  MatchCondition,
  PolicyTaint,
} from '../../karmada/api/policy.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { conditionsMatch, matchCondition } from './matchConditions.ts';

/** The clusters that a policy is for; undefined: all. */
export function targetOf({ spec }: ClusterTaintPolicy): ClusterAffinity | undefined {
  return spec.targetClusters ?? spec.targetCluster;
}

/** The taints that a policy lists, in its order. */
export function listedTaints({ spec }: ClusterTaintPolicy): readonly PolicyTaint[] {
  return spec.taints ?? spec.taintsToAdd ?? [];
}

/** The conditions that a policy names, in all of its lists. */
export function namedConditions({ spec }: ClusterTaintPolicy): readonly MatchCondition[] {
  return [
    ...(spec.addOnConditions ?? []),
    ...(spec.removeOnConditions ?? []),
    ...(spec.matchConditions ?? []),
  ];
}

/**
 * Whether a cluster's conditions are now such that the policy adds its taints, whatever its windows: addOnConditions,
 * or in the form of the design matchConditions, of which none are needed.
 */
export function wants({ spec }: ClusterTaintPolicy, cluster: Cluster, { api }: Pick<Rules, 'api'>): boolean {
  const conditions = cluster.status?.conditions ?? [];
  if (api.taintPolicyForm !== 'windows') return conditionsMatch(conditions, spec.addOnConditions);
  return (spec.matchConditions ?? []).every((one) => matchCondition(conditions, one).holds);
}
