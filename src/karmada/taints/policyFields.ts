// The fields of a ClusterTaintPolicy that mean the same in both of its forms; each version knows one form.
import type {
  ClusterAffinity,
  ClusterTaintPolicy,
  MatchCondition,
  PolicyTaint,
  TaintToAdd,
} from '../api/policy.ts';
import { ADD_ON_MATCH_SECONDS, REMOVE_ON_MISMATCH_SECONDS } from '../api/policy.ts';

/** The clusters that a policy targets; undefined: all. */
export function targetOf({ spec }: ClusterTaintPolicy): ClusterAffinity | undefined {
  return spec.targetClusters ?? spec.targetCluster;
}

/** The taints that a policy lists, in order. */
export function listedTaints({ spec }: ClusterTaintPolicy): readonly PolicyTaint[] {
  return spec.taints ?? spec.taintsToAdd ?? [];
}

/** The conditions of a policy, from all of its lists. */
export function namedConditions({ spec }: ClusterTaintPolicy): readonly MatchCondition[] {
  return [
    ...(spec.addOnConditions ?? []),
    ...(spec.removeOnConditions ?? []),
    ...(spec.matchConditions ?? []),
  ];
}

/** The lengths of a taint's windows, in seconds: its own, or the defaults of the design. */
export function windowSeconds({ addOnMatchSeconds, removeOnMismatchSeconds }: TaintToAdd): {
  add: number;
  remove: number;
} {
  return {
    add: addOnMatchSeconds ?? ADD_ON_MATCH_SECONDS,
    remove: removeOnMismatchSeconds ?? REMOVE_ON_MISMATCH_SECONDS,
  };
}
