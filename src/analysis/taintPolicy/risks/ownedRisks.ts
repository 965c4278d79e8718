import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { findTaint } from '../../../karmada/objects/sameTaint.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { ownershipOf, type TaintOwnership } from '../../../karmada/taints/taintOwnership.ts';
import { isKarmadas } from '../../../karmada/taints/taintSources.ts';
import type { OfPolicy, RiskOfPolicy } from './policyRisk.ts';

/** Of how many policies beside one the clusters are compared for a taint: with thousands of policies every pair would be. */
const MOST_OTHERS = 20;

/** Who else has a taint that a policy lists: Karmada, other policies (`listing`), or whoever put it on its clusters. */
export function ownedRisks(
  at: OfPolicy,
  taint: NamedTaint,
  listing: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  { rules }: Configuration,
): RiskOfPolicy[] {
  const names = (clusters: readonly Cluster[]) => clusters.map(({ metadata }) => metadata.name).sort();
  if (isKarmadas(taint, rules))
    return [
      { ...at, code: 'taint-owned', taint, owner: { kind: 'cluster-controller' }, clusters: names(own) },
    ];
  const risks: RiskOfPolicy[] = [];
  const byClusters = new Map<string, { clusters: string[]; policies: string[] }>();
  for (const other of listing.slice(0, MOST_OTHERS)) {
    const clusters = names(own.filter((cluster) => targets(other, cluster, rules.scheduling)));
    const key = clusters.join();
    const { policies } = byClusters.get(key) ?? { policies: [] };
    byClusters.set(key, { clusters, policies: [...policies, other.metadata.name] });
  }
  const others = listing.length - MOST_OTHERS;
  for (const { clusters, policies } of byClusters.values())
    risks.push({
      ...{ ...at, code: 'taint-owned', taint, clusters, owner: { kind: 'policy', names: policies } },
      ...(risks.length === 0 && others > 0 && { others }),
    });
  const held = new Map<Exclude<TaintOwnership['owner'], 'policy'>, Cluster[]>();
  for (const cluster of own) {
    const there = findTaint(cluster.spec?.taints, taint);
    if (!there) continue;
    const { owner } = ownershipOf(there, cluster, [], rules);
    // A taint of a policy, or of nobody known, may come from this very policy before an edit.
    if (owner === 'policy' || owner === 'unknown') continue;
    held.set(owner, [...(held.get(owner) ?? []), cluster]);
  }
  for (const [kind, clusters] of held)
    risks.push({ ...at, code: 'taint-owned', taint, owner: { kind }, clusters: names(clusters) });
  return risks;
}
