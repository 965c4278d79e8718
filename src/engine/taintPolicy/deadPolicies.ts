import type { Configuration } from '../../karmada/configuration.ts';

/** Why no ClusterTaintPolicy has an effect: the gate is off, or the version has none. */
export type DeadPolicies = 'Failover' | 'version';

/** Why no ClusterTaintPolicy has an effect; undefined if they have one. */
export function deadPolicies({ rules, featureGates }: Configuration): DeadPolicies | undefined {
  if (!rules.taints.clusterTaintPolicies) return 'version';
  return featureGates.Failover ? undefined : 'Failover';
}
