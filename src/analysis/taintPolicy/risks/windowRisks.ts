// What is risky about ClusterTaintPolicies of the design optimize-cluster-failover.
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy, TaintToAdd } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { windowSeconds } from '../../../karmada/taints/policyFields.ts';
import { entryProblem, listVerdict } from '../conditionLists.ts';
import type { PolicyEffect } from '../effect.ts';
import type { RiskOfPolicy } from './policyRisk.ts';
import { shortestTurn } from '../shortestTurn.ts';

/** What is risky about the conditions of a policy, and about having no taints. */
export function matchRisks({ metadata: { name }, spec }: ClusterTaintPolicy): RiskOfPolicy[] {
  const { matchConditions = [], taintsToAdd = [] } = spec;
  const at = { policy: name, field: 'spec.matchConditions' };
  if (taintsToAdd.length === 0) return [{ code: 'lists-no-taints', policy: name, field: 'spec.taintsToAdd' }];
  switch (listVerdict(matchConditions)) {
    case 'empty':
      return [{ ...at, code: 'no-match-conditions' }];
    case 'always':
      return [{ ...at, code: 'match-always' }];
    case 'never': {
      const entries = matchConditions.flatMap((entry, index) => {
        const problem = entryProblem(entry);
        return problem ? [{ index, problem }] : [];
      });
      return [{ ...at, code: 'match-never', entries }];
    }
    case 'sometimes':
      return [];
  }
}

/** The windows of a taint within which its conditions can turn back on none of these clusters. */
export function shortWindows(
  { metadata: { name }, spec }: ClusterTaintPolicy,
  index: number,
  own: readonly Cluster[],
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
): RiskOfPolicy[] {
  const listed = spec.taintsToAdd![index]!;
  const types = (spec.matchConditions ?? []).map(({ conditionType }) => conditionType);
  if (types.length === 0) return [];
  // without clusters, as in files, Push mode is assumed
  const clusters: readonly Pick<Cluster, 'spec'>[] = own.length > 0 ? own : [{ spec: {} }];
  return windowsOf(listed).flatMap(({ verb, field, seconds }): RiskOfPolicy[] => {
    const shortest = clusters
      .flatMap((cluster) => types.map((type) => shortestTurn(type, cluster, verb, configuration)))
      .reduce((least, one) => (one.after < least.after ? one : least));
    if (seconds * 1000 >= shortest.after) return [];
    return [
      {
        code: 'window-shorter-than-probe',
        policy: name,
        field: `spec.taintsToAdd[${index}].${field}`,
        taint: named(listed),
        seconds,
        shortest,
        ...(unconfirmed.has(shortest.flag) && { assumed: [shortest.flag] }),
      },
    ];
  });
}

function windowsOf(taint: TaintToAdd) {
  const { add, remove } = windowSeconds(taint);
  return [
    { verb: 'adds', field: 'addOnMatchSeconds', seconds: add },
    {
      verb: 'removes',
      field: 'removeOnMismatchSeconds',
      seconds: remove,
    },
  ] as const;
}

/** PreferNoExecute taints on clusters where no workload says what to do then (spec.failover.cluster). */
export function inactiveMigrations(
  { policies }: PolicyEffect,
  { clusters, bindings }: { clusters: readonly Cluster[]; bindings: readonly ResourceBinding[] },
  { rules }: Configuration,
): RiskOfPolicy[] {
  return policies.flatMap(({ after, verb }): RiskOfPolicy[] => {
    if (!after || verb === 'unchanged') return [];
    const own = new Set(
      clusters
        .filter((cluster) => targets(after, cluster, rules.scheduling))
        .map(({ metadata }) => metadata.name),
    );
    const there = bindings.filter(({ spec }) => placedOn(spec).some(({ name }) => own.has(name)));
    if (there.length === 0 || there.some(({ spec }) => spec.failover?.cluster)) return [];
    return (after.spec.taintsToAdd ?? []).flatMap((taint, index): RiskOfPolicy[] =>
      taint.effect === 'PreferNoExecute'
        ? [
            {
              code: 'no-active-migration',
              policy: after.metadata.name,
              field: `spec.taintsToAdd[${index}]`,
              taint: named(taint),
              workloadCount: there.length,
            },
          ]
        : [],
    );
  });
}

function named({ key, value, effect }: TaintToAdd): NamedTaint {
  return { key, ...(value && { value }), effect };
}
