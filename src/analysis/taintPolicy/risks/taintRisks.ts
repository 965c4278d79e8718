import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { clusterTaintErrors } from '../../../karmada/validation/clusterTaints.ts';
import { aggregateMessage } from '../../../kubernetes/fieldErrors.ts';
import { appendAll } from '../../../kubernetes/longLists.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { taintEvictionSwitches } from '../../../karmada/taints/taintEviction.ts';
import { listVerdict } from '../conditionLists.ts';
import { ownedRisks } from './ownedRisks.ts';
import { assuming, type RiskOfPolicy } from './policyRisk.ts';

/** The policies that share a cluster with a policy. */
export interface Others {
  all(): ClusterTaintPolicy[];
  listing(taint: NamedTaint): ClusterTaintPolicy[];
}

/**
 * The risks of one taint that a policy lists: it may be refused, evict nothing, never be removed, or be somebody
 * else's.
 */
export function taintRisks(
  policy: ClusterTaintPolicy,
  { taint: listed, index }: { taint: NamedTaint; index: number },
  others: Others,
  own: readonly Cluster[],
  { configuration, unconfirmed }: { configuration: Configuration; unconfirmed: ReadonlySet<string> },
): RiskOfPolicy[] {
  const { rules, webhook } = configuration;
  const { key, value, effect } = listed;
  const taint = { key, ...(value && { value }), effect };
  const hasWindows = rules.api.taintPolicyForm === 'windows';
  const at = {
    policy: policy.metadata.name,
    field: `spec.${hasWindows ? 'taintsToAdd' : 'taints'}[${index}]`,
  };
  const adds = hasWindows || (policy.spec.addOnConditions ?? []).length > 0;
  const risks: RiskOfPolicy[] = [];
  const errors = clusterTaintErrors(taint, at.field, rules.admission);
  if (errors.length > 0 && adds)
    risks.push({
      ...at,
      code: 'taint-refused',
      field: errors[0]!.field,
      taint,
      refusal: aggregateMessage(errors),
      clusters: own.map(({ metadata }) => metadata.name).sort(),
      stops: hasWindows ? [] : others.all().map(({ metadata }) => metadata.name),
    });
  if ((effect === 'NoExecute' || effect === 'PreferNoExecute') && adds) {
    const flag = 'allow-no-execute-taint-policy';
    if (!webhook[flag] && !hasWindows)
      risks.push({ ...at, code: 'no-execute-refused', taint, ...assuming([flag], unconfirmed) });
    const off = taintEvictionSwitches(configuration).flatMap((one) => (one.on ? [] : [one.name]));
    if (off.length > 0)
      risks.push({ ...at, code: 'no-execute-dead', taint, off, ...assuming(off, unconfirmed) });
  }
  const listing = others.listing(taint);
  if (adds && !hasWindows && !isRemovedEverywhere([policy, ...listing], own, configuration))
    risks.push({ ...at, code: 'never-removed', taint });
  appendAll(risks, ownedRisks(at, taint, listing, own, configuration));
  return risks;
}

/** On each cluster some of these policies, which all list the taint, can remove it. */
function isRemovedEverywhere(
  policies: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  { rules }: Configuration,
): boolean {
  const removes = ({ spec }: ClusterTaintPolicy) =>
    ['sometimes', 'always'].includes(listVerdict(spec.removeOnConditions));
  if (!policies.some(removes)) return false;
  return own.every((cluster) =>
    policies.some((one) => targets(one, cluster, rules.scheduling) && removes(one)),
  );
}
