import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { policiesByTaint } from '../../../karmada/taints/policiesByTaint.ts';
import { listedTaints, targetOf } from '../../../karmada/taints/policyFields.ts';
import { listRisks, neverAdded, unreported } from './conditionRisks.ts';
import type { RiskOfPolicy } from './policyRisk.ts';
import { taintRisks, type Others } from './taintRisks.ts';
import { matchRisks, shortWindows } from './windowRisks.ts';

/**
 * The risks of a policy by itself and among others; of the others, only those that list the same taint count.
 *
 * @param policies all policies, including this one
 * @param unconfirmed gates and flags whose values are defaults that nobody has confirmed
 */
export function policyRisks(
  policies: readonly ClusterTaintPolicy[],
  clusters: readonly Cluster[],
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
): (policy: ClusterTaintPolicy) => RiskOfPolicy[] {
  const { rules } = configuration;
  const listing = policiesByTaint(policies);
  return (policy) => {
    const { name } = policy.metadata;
    const own = clusters.filter((cluster) => targets(policy, cluster, rules.scheduling));
    const beside = (some: readonly ClusterTaintPolicy[]) => {
      const shares = sharing(policy, own, clusters, rules);
      return some.filter((other) => other.metadata.name !== name && shares(other));
    };
    const others: Others = {
      all: () => beside(policies),
      listing: (taint) => beside(listing(taint)),
    };
    const hasWindows = rules.api.taintPolicyForm === 'windows';
    const { matchConditions = [] } = policy.spec;
    const target = `spec.${hasWindows ? 'targetCluster' : 'targetClusters'}`;
    return [
      ...(own.length === 0 && clusters.length > 0
        ? [{ code: 'targets-no-cluster', policy: name, field: target } as const]
        : []),
      ...(hasWindows
        ? [...matchRisks(policy), ...unreported(name, 'spec.matchConditions', matchConditions, own)]
        : [...listRisks(policy, own), ...neverAdded(policy, others)]),
      ...listedTaints(policy).flatMap((taint, index) => [
        ...taintRisks(policy, { taint, index }, others, own, { configuration, unconfirmed }),
        ...(hasWindows ? shortWindows(policy, index, own, configuration, unconfirmed) : []),
      ]),
    ];
  };
}

/**
 * A test whether another policy is for a cluster that this one is for; if no clusters are known, by the names that
 * both list.
 */
function sharing(
  policy: ClusterTaintPolicy,
  own: readonly Cluster[],
  clusters: readonly Cluster[],
  { scheduling }: Rules,
): (other: ClusterTaintPolicy) => boolean {
  if (clusters.length > 0) return (other) => own.some((cluster) => targets(other, cluster, scheduling));
  const named = new Set(targetOf(policy)?.clusterNames);
  return (other) => {
    const theirs = targetOf(other)?.clusterNames;
    return named.size === 0 || !theirs?.length || theirs.some((name) => named.has(name));
  };
}
