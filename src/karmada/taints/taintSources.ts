import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_TERMINATING,
  TAINT_CLUSTER_UNREACHABLE,
} from '../api/names.ts';
import { findTaint } from '../objects/sameTaint.ts';
import { targets } from './clusterTaintPolicy.ts';
import { listedTaints } from './policyFields.ts';

/**
 * Whether Karmada's own rules keep a taint, regardless of who set it: NoSchedule on clusters that are not Ready (not in
 * designs), up to v1.13 also NoExecute on these and on terminating clusters.
 */
export function isKarmadaTaint(
  { key, effect }: Pick<Taint, 'key' | 'effect'>,
  { taints }: Pick<Rules, 'taints'>,
): boolean {
  if (key === TAINT_CLUSTER_TERMINATING)
    return effect === 'NoExecute' && taints.deletedClusters === 'terminatingTaint';
  if (key !== TAINT_CLUSTER_NOT_READY && key !== TAINT_CLUSTER_UNREACHABLE) return false;
  return effect === 'NoSchedule'
    ? taints.readinessTaints === 'automatic'
    : taints.failureTaints === 'automatic';
}

/** Whether a policy lists a taint for a cluster, whatever its conditions. */
export function explains(
  policy: ClusterTaintPolicy,
  cluster: Cluster,
  taint: Pick<Taint, 'key' | 'effect'>,
  { scheduling }: Pick<Rules, 'scheduling'>,
): boolean {
  const isListed = findTaint(listedTaints(policy), taint) !== undefined;
  return isListed && targets(policy, cluster, scheduling);
}
