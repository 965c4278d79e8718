import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { clusterTaintErrors } from '../../karmada/validation/clusterTaints.ts';
import { aggregateMessage } from '../../kubernetes/fieldErrors.ts';
import type { NamedTaint } from '../evidence.ts';
import { sameTaint } from '../objects/sameTaint.ts';
import { targets } from '../taints/clusterTaintPolicy.ts';
import { isKarmadas } from '../taints/taintSources.ts';
import { taintEvictionSwitches } from '../taints/taintEviction.ts';
import type { World } from '../world.ts';
import { entryProblem, listVerdict, removesWhatItAdds, type EntryProblem } from './conditionLists.ts';
import type { PolicyEffect } from './effect.ts';
import type { LeftTaint } from './leftBehind.ts';
import { ownershipOf, type TaintOwnership } from '../taints/taintOwnership.ts';

/** Something risky about changed ClusterTaintPolicies, as data: who shows it finds the words and names flags. */
export type PolicyRisk = RiskOfPolicy | RiskOfChange;

/** Said of a policy, and of a field in it. */
interface OfPolicy {
  policy: string;
  /** path of the field: "spec.taints[0].effect" */
  field: string;
}

export type RiskOfPolicy = OfPolicy &
  (
    | {
        /** the Cluster API refuses the taint: then no policy does anything on these clusters any more, these others neither */
        code: 'taint-refused';
        taint: NamedTaint;
        refusal: string;
        clusters: string[];
        stops: string[];
      }
    | {
        /** no condition takes the taint away again, of this policy or of another one for all of its clusters */
        code: 'never-removed';
        taint: NamedTaint;
      }
    | {
        /** the list can never hold; `entries` says which of it cannot by themselves, else they contradict each other */
        code: 'removal-never-matches' | 'addition-never-matches';
        entries: { index: number; problem: EntryProblem }[];
      }
    | { code: 'removal-always-matches' | 'addition-always-matches' }
    | {
        /** whenever it would add its taints it takes them away */
        code: 'removes-what-it-adds';
      }
    | {
        /** these of its clusters report no such condition now, so that the entry does not hold there */
        code: 'condition-not-reported';
        conditionType: string;
        clusters: string[];
        /** none of the clusters that it is for reports it */
        everywhere: boolean;
      }
    | {
        /** the taint is also another policy's, Karmada's own or a person's on these clusters */
        code: 'taint-owned';
        taint: NamedTaint;
        owner: { kind: 'policy'; name: string } | { kind: Exclude<TaintOwnership['owner'], 'policy'> };
        clusters: string[];
      }
    | {
        /** the webhook refuses NoExecute: --allow-no-execute-taint-policy is off */
        code: 'no-execute-refused';
        taint: NamedTaint;
      }
    | {
        /** the taint would evict nothing: these gates and flags are off */
        code: 'no-execute-dead';
        taint: NamedTaint;
        off: string[];
      }
    | { code: 'targets-no-cluster' }
  );

export type RiskOfChange =
  | {
      /** each cluster carries one of these taints afterwards, and not each did before; `all` without exception */
      code: 'every-cluster-tainted';
      clusters: string[];
      taints: NamedTaint[];
    }
  | {
      /** a taint goes that is not for certain a policy's: at once, or once a condition turns */
      code: 'takes-anothers-taint';
      cluster: string;
      taint: NamedTaint;
      policy: string;
      ownership: TaintOwnership;
      when?: { type: string; status: string };
    }
  | {
      /** the time of a taint begins anew with every change of a condition: an older policy removes what a newer one adds */
      code: 'renewed-again-and-again';
      cluster: string;
      taint: NamedTaint;
      policies: string[];
    }
  | {
      /** policies of the same second want different things, and Karmada takes them in no fixed order */
      code: 'order-open';
      cluster: string;
      taint: NamedTaint;
      policies: string[];
    }
  | { code: 'left-behind'; left: LeftTaint }
  | {
      /** no ClusterTaintPolicy does anything at all: the gate is off, or the version has none */
      code: 'policies-dead';
      off: 'Failover' | 'version';
    };

/** What is risky about a change of ClusterTaintPolicies whose effect is known; in the order of policies and fields. */
export function risksOf(effect: PolicyEffect, world: World, configuration: Configuration): PolicyRisk[] {
  const { featureGates, rules } = configuration;
  const off = !rules.taints.clusterTaintPolicies ? 'version' : featureGates.Failover ? undefined : 'Failover';
  return [
    ...(off ? [{ code: 'policies-dead', off } as const] : []),
    ...effect.policies.flatMap(({ after }) =>
      after ? policyRisks(after, effect.after, world.clusters, configuration) : [],
    ),
    ...everyCluster(effect, world.clusters),
    ...anothersTaints(effect, world.clusters, configuration),
    ...fights(effect),
    ...effect.leftBehind.map((left) => ({ code: 'left-behind', left }) as const),
  ];
}

/**
 * What is risky about one policy by itself and among others.
 *
 * @param policies all that there are, it included
 */
export function policyRisks(
  policy: ClusterTaintPolicy,
  policies: readonly ClusterTaintPolicy[],
  clusters: readonly Cluster[],
  configuration: Configuration,
): RiskOfPolicy[] {
  const { rules } = configuration;
  const own = clusters.filter((cluster) => targets(policy, cluster, rules.scheduling));
  const { name } = policy.metadata;
  const others = policies.filter(
    (other) => other.metadata.name !== name && shareClusters(policy, other, clusters, configuration),
  );
  return [
    ...(own.length === 0 && clusters.length > 0
      ? [{ code: 'targets-no-cluster', policy: name, field: 'spec.targetClusters' } as const]
      : []),
    ...listRisks(policy, own),
    ...(policy.spec.taints ?? []).flatMap((taint, index) =>
      taintRisks(policy, { taint, index }, others, own, configuration),
    ),
  ];
}

/** Whether two policies are for some cluster both; of clusters that are not known, by the names that they give. */
function shareClusters(
  a: ClusterTaintPolicy,
  b: ClusterTaintPolicy,
  clusters: readonly Cluster[],
  { rules }: Configuration,
): boolean {
  const isFor = (policy: ClusterTaintPolicy) => (cluster: Cluster) =>
    targets(policy, cluster, rules.scheduling);
  if (clusters.length > 0) return clusters.filter(isFor(a)).some(isFor(b));
  const [own, theirs] = [a, b].map(({ spec }) => spec.targetClusters?.clusterNames);
  if (!own?.length || !theirs?.length) return true;
  const named = new Set(theirs);
  return own.some((name) => named.has(name));
}

type Lists = 'addOnConditions' | 'removeOnConditions';

function listRisks(policy: ClusterTaintPolicy, own: readonly Cluster[]): RiskOfPolicy[] {
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

function unreported(
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
      },
    ];
  });
}

function taintRisks(
  policy: ClusterTaintPolicy,
  { taint: listed, index }: { taint: NamedTaint; index: number },
  others: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  configuration: Configuration,
): RiskOfPolicy[] {
  const { rules, webhook } = configuration;
  const { key, value, effect } = listed;
  const taint = { key, ...(value && { value }), effect };
  const at = { policy: policy.metadata.name, field: `spec.taints[${index}]` };
  const adds = (policy.spec.addOnConditions ?? []).length > 0;
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
      stops: others.map(({ metadata }) => metadata.name),
    });
  if (effect === 'NoExecute' && adds) {
    if (!webhook['allow-no-execute-taint-policy']) risks.push({ ...at, code: 'no-execute-refused', taint });
    const off = taintEvictionSwitches(configuration).flatMap((one) => (one.on ? [] : [one.name]));
    if (off.length > 0) risks.push({ ...at, code: 'no-execute-dead', taint, off });
  }
  if (adds && !isRemovedSomewhere(taint, [policy, ...others], own, configuration))
    risks.push({ ...at, code: 'never-removed', taint });
  risks.push(...ownedRisks(at, taint, others, own, configuration));
  return risks;
}

/** On each cluster that it is for, some policy can remove the taint. */
function isRemovedSomewhere(
  taint: NamedTaint,
  policies: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  { rules }: Configuration,
): boolean {
  const removers = policies.filter(
    ({ spec }) =>
      spec.taints?.some((one) => sameTaint(one, taint)) &&
      ['sometimes', 'always'].includes(listVerdict(spec.removeOnConditions)),
  );
  if (removers.length === 0) return false;
  return own.every((cluster) => removers.some((one) => targets(one, cluster, rules.scheduling)));
}

function ownedRisks(
  at: OfPolicy,
  taint: NamedTaint,
  others: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  { rules }: Configuration,
): RiskOfPolicy[] {
  const names = (clusters: readonly Cluster[]) => clusters.map(({ metadata }) => metadata.name).sort();
  if (isKarmadas(taint, rules))
    return [
      { ...at, code: 'taint-owned', taint, owner: { kind: 'cluster-controller' }, clusters: names(own) },
    ];
  const risks: RiskOfPolicy[] = [];
  for (const other of others) {
    if (!other.spec.taints?.some((one) => sameTaint(one, taint))) continue;
    const common = own.filter((cluster) => targets(other, cluster, rules.scheduling));
    const owner = { kind: 'policy', name: other.metadata.name } as const;
    risks.push({ ...at, code: 'taint-owned', taint, owner, clusters: names(common) });
  }
  const held = new Map<Exclude<TaintOwnership['owner'], 'policy'>, Cluster[]>();
  for (const cluster of own) {
    const there = cluster.spec?.taints?.find((one) => sameTaint(one, taint));
    if (!there) continue;
    const { owner } = ownershipOf(there, cluster, [], rules);
    // Whether its own policy, edited, has put it there is another question.
    if (owner === 'policy' || owner === 'unknown') continue;
    held.set(owner, [...(held.get(owner) ?? []), cluster]);
  }
  for (const [kind, clusters] of held)
    risks.push({ ...at, code: 'taint-owned', taint, owner: { kind }, clusters: names(clusters) });
  return risks;
}

function everyCluster({ clusters: effects }: PolicyEffect, clusters: readonly Cluster[]): PolicyRisk[] {
  const looks = new Map(effects.map(({ cluster, atOnce }) => [cluster, atOnce]));
  const after = clusters.map(({ metadata: { name }, spec }) => looks.get(name)?.taints ?? spec?.taints ?? []);
  if (clusters.length === 0 || after.some((taints) => taints.length === 0)) return [];
  const gained = effects.flatMap(({ atOnce }) => (atOnce.refused === undefined ? atOnce.gains : []));
  if (gained.length === 0 || clusters.every(({ spec }) => (spec?.taints ?? []).length > 0)) return [];
  const taints = gained
    .map(({ taint }) => taint)
    .filter((taint, at, all) => all.findIndex((one) => sameTaint(one, taint)) === at);
  const names = clusters.map(({ metadata }) => metadata.name).sort();
  return [{ code: 'every-cluster-tainted', clusters: names, taints }];
}

function anothersTaints(
  effect: PolicyEffect,
  clusters: readonly Cluster[],
  { rules }: Configuration,
): PolicyRisk[] {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return effect.clusters.flatMap(({ cluster: name, atOnce, later }) => {
    const cluster = byName.get(name)!;
    const looks = [
      { look: atOnce, when: undefined },
      ...later.map(({ look, condition }) => ({ look, when: condition })),
    ];
    const told = new Set<string>();
    return looks.flatMap(({ look, when }) =>
      look.loses.flatMap(({ taint, policy }): PolicyRisk[] => {
        const there = cluster.spec?.taints?.find((one) => sameTaint(one, taint));
        const id = `${taint.key}:${taint.effect}`;
        if (!there || told.has(id)) return [];
        const ownership = ownershipOf(there, cluster, effect.before, rules);
        if (ownership.owner === 'policy' || ownership.owner === 'cluster-controller') return [];
        told.add(id);
        return [
          {
            code: 'takes-anothers-taint',
            cluster: name,
            taint,
            policy,
            ownership,
            ...(when && { when }),
          },
        ];
      }),
    );
  });
}

function fights({ clusters }: PolicyEffect): PolicyRisk[] {
  return clusters.flatMap(({ cluster, atOnce, later }) => {
    const looks = [atOnce, ...later.map(({ look }) => look)];
    const renewed = new Map(
      looks.flatMap(({ renews }) => renews.map((one) => [`${one.taint.key}:${one.taint.effect}`, one])),
    );
    const open = new Map(
      looks.flatMap(({ contested }) => contested.map((one) => [`${one.taint.key}:${one.taint.effect}`, one])),
    );
    return [
      ...[...renewed.values()].map(({ taint, evidence }): PolicyRisk => ({
        code: 'renewed-again-and-again',
        cluster,
        taint,
        policies: [...new Set(evidence.flatMap(({ object }) => object?.name ?? []))],
      })),
      ...[...open.values()].map(({ taint, policies }): PolicyRisk => ({
        code: 'order-open',
        cluster,
        taint,
        policies,
      })),
    ];
  });
}
