import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import { entryProblem, listVerdict, removesWhatItAdds } from '../conditionLists.ts';
import type { RiskOfPolicy } from './policyRisk.ts';
import type { Others } from './taintRisks.ts';

type Lists = 'addOnConditions' | 'removeOnConditions';

/** What is risky about the lists of conditions of a policy in the form that is shipped. */
export function listRisks(policy: ClusterTaintPolicy, own: readonly Cluster[]): RiskOfPolicy[] {
  const { name } = policy.metadata;
  const lists: [Lists, 'addition' | 'removal'][] = [
    ['addOnConditions', 'addition'],
    ['removeOnConditions', 'removal'],
  ];
  const risks = lists.flatMap(([list, word]): RiskOfPolicy[] => {
    const conditions = policy.spec[list];
    const field = `spec.${list}`;
    const verdict = listVerdict(conditions);
    const entries = (conditions ?? []).flatMap((entry, index) => {
      const problem = entryProblem(entry);
      return problem ? [{ index, problem }] : [];
    });
    return [
      ...(verdict === 'never'
        ? [{ code: `${word}-never-matches` as const, policy: name, field, entries }]
        : []),
      ...(verdict === 'always' ? [{ code: `${word}-always-matches` as const, policy: name, field }] : []),
      ...unreported(name, field, conditions ?? [], own),
    ];
  });
  if (removesWhatItAdds(policy.spec))
    risks.push({ code: 'removes-what-it-adds', policy: name, field: 'spec.removeOnConditions' });
  return risks;
}

/** A policy may exist to remove what another one adds; otherwise it has no visible effect. */
export function neverAdded({ metadata: { name }, spec }: ClusterTaintPolicy, others: Others): RiskOfPolicy[] {
  const adds = (one: ClusterTaintPolicy['spec']) => (one.addOnConditions ?? []).length > 0;
  if (adds(spec)) return [];
  const taints = (spec.taints ?? [])
    .filter((taint) => !others.listing(taint).some((other) => adds(other.spec)))
    .map(({ key, value, effect }) => ({ key, ...(value && { value }), effect }));
  if (taints.length === 0) return [];
  return [{ code: 'never-added', policy: name, field: 'spec.addOnConditions', taints }];
}

/** Conditions of a list, the entries of `field`, that some clusters of the policy do not report. */
export function unreported(
  policy: string,
  field: string,
  conditions: NonNullable<ClusterTaintPolicy['spec'][Lists]>,
  own: readonly Cluster[],
): RiskOfPolicy[] {
  return conditions.flatMap(({ conditionType }, index): RiskOfPolicy[] => {
    const lacking = own.filter(
      ({ status }) => !status?.conditions?.some(({ type }) => type === conditionType),
    );
    if (lacking.length === 0) return [];
    return [
      {
        code: 'condition-not-reported',
        policy,
        field: `${field}[${index}].conditionType`,
        conditionType,
        clusters: lacking.map(({ metadata }) => metadata.name).sort(),
        everywhere: lacking.length === own.length,
        reported: [
          ...new Set(lacking.flatMap(({ status }) => status?.conditions?.map(({ type }) => type) ?? [])),
        ].sort(),
      },
    ];
  });
}
