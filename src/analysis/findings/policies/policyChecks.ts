import type { ObservedPolicy } from './policyRisk.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { policiesByTaint } from '../../../karmada/taints/policiesByTaint.ts';
import { targetOf } from '../../../karmada/taints/policyFields.ts';
import { removesWhatItAdds } from '../../taintPolicy/conditionLists.ts';
import { findingsOf, type Check, type CheckOf, type RuleOf } from '../check.ts';
import { checksOfList, conditionListsOf } from './conditionChecks.ts';
import type { RiskOfPolicy } from './policyRisk.ts';
import { checksOfTaint, listedTaintsOf } from './taintChecks.ts';

type PolicyCheck = CheckOf<ObservedPolicy, RiskOfPolicy>;

export const targetsNoCluster: PolicyCheck = {
  id: 'targets-no-cluster',
  severity: 'warning',
  title: 'a policy that matches no cluster',
  help: 'targetClusters (in the design targetCluster) matches no cluster. Check names and labels.',
  needs: ['ClusterTaintPolicy', 'Cluster'],
  find: ({ policy, hasWindows, clusters, own }) => {
    if (own.length > 0 || clusters.length === 0) return [];
    const field = `spec.${hasWindows ? 'targetCluster' : 'targetClusters'}`;
    return [{ code: 'targets-no-cluster', policy: policy.metadata.name, field }];
  },
};

export const listsNoTaints: PolicyCheck = {
  id: 'lists-no-taints',
  severity: 'warning',
  title: 'a policy without taintsToAdd',
  help: 'It does nothing. List taints in taintsToAdd; taints is the field of the shipped form.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ policy: { metadata, spec }, hasWindows }) =>
    hasWindows && !spec.taintsToAdd?.length
      ? [{ code: 'lists-no-taints', policy: metadata.name, field: 'spec.taintsToAdd' }]
      : [],
};

export const removesWhatItAddsCheck: PolicyCheck = {
  id: 'removes-what-it-adds',
  severity: 'warning',
  title: 'a policy that removes its taints whenever it adds them',
  help: 'removeOnConditions hold whenever addOnConditions do, and removal wins within a policy.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ policy: { metadata, spec }, hasWindows }) =>
    !hasWindows && removesWhatItAdds(spec)
      ? [{ code: 'removes-what-it-adds', policy: metadata.name, field: 'spec.removeOnConditions' }]
      : [],
};

/** A policy may exist only to remove what another one adds; otherwise it has no visible effect. */
export const neverAdded: PolicyCheck = {
  id: 'never-added',
  severity: 'warning',
  title: 'a policy that never adds its taints',
  help: 'Without addOnConditions a policy adds nothing: it can only remove what another client has set. Add addOnConditions, or ignore this if the policy only removes taints of other clients.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  uses: ['Cluster'],
  find: ({ policy: { metadata, spec }, hasWindows, others }) => {
    const adds = (one: ClusterTaintPolicy['spec']) => (one.addOnConditions ?? []).length > 0;
    if (hasWindows || adds(spec)) return [];
    const taints = (spec.taints ?? [])
      .filter((taint) => !others.listing(taint).some((other) => adds(other.spec)))
      .map(({ key, value, effect }) => ({ key, ...(value && { value }), effect }));
    if (taints.length === 0) return [];
    return [{ code: 'never-added', policy: metadata.name, field: 'spec.addOnConditions', taints }];
  },
};

type PolicyRule = RuleOf<ObservedPolicy, RiskOfPolicy>;

/** The checks of a policy as a whole that are reported before its lists of conditions, and after them. */
const beforeLists: readonly PolicyRule[] = [targetsNoCluster, listsNoTaints];
const afterLists: readonly PolicyRule[] = [removesWhatItAddsCheck, neverAdded];

/** All checks of policies, by themselves and together with others. */
export const policyChecks: readonly Check[] = [
  ...beforeLists,
  ...checksOfList,
  ...afterLists,
  ...checksOfTaint,
];

/**
 * The risks of a policy by itself and with others; only others that list the same taint count.
 *
 * @param policies all policies, including this one
 * @param unverified gates and flags whose values are unverified defaults
 */
export function policyRisks(
  policies: readonly ClusterTaintPolicy[],
  clusters: readonly Cluster[],
  configuration: Configuration,
  unverified: ReadonlySet<string> = new Set(),
): (policy: ClusterTaintPolicy) => RiskOfPolicy[] {
  const { rules } = configuration;
  const listing = policiesByTaint(policies);
  return (policy) => {
    const own = clusters.filter((cluster) => targets(policy, cluster, rules.scheduling));
    const beside = (some: readonly ClusterTaintPolicy[]) => {
      const shares = sharing(policy, own, clusters, rules);
      return some.filter((other) => other.metadata.name !== policy.metadata.name && shares(other));
    };
    const seen: ObservedPolicy = {
      policy,
      hasWindows: rules.api.taintPolicyForm === 'windows',
      clusters,
      own,
      others: { all: () => beside(policies), listing: (taint) => beside(listing(taint)) },
      configuration,
      unverified,
    };
    return [
      ...findingsOf(beforeLists, seen),
      ...conditionListsOf(seen).flatMap((list) => findingsOf(checksOfList, list)),
      ...findingsOf(afterLists, seen),
      ...listedTaintsOf(seen).flatMap((taint) => findingsOf(checksOfTaint, taint)),
    ];
  };
}

/**
 * A test whether another policy shares a target cluster with this one; if no clusters are known, by the names that both
 * list.
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
