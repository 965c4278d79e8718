import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { clusterTaintErrors } from '../../karmada/validation/clusterTaints.ts';
import { aggregateMessage } from '../../kubernetes/fieldErrors.ts';
import type { NamedTaint } from '../evidence.ts';
import { findTaint, taintIdentity } from '../objects/sameTaint.ts';
import { targets } from '../taints/clusterTaintPolicy.ts';
import { policiesByTaint } from '../taints/policiesByTaint.ts';
import { listedTaints, targetOf } from '../taints/policyFields.ts';
import { isKarmadas } from '../taints/taintSources.ts';
import { taintEvictionSwitches } from '../taints/taintEviction.ts';
import type { World } from '../world.ts';
import { entryProblem, listVerdict, removesWhatItAdds, type EntryProblem } from './conditionLists.ts';
import { deadPolicies, type DeadPolicies } from './deadPolicies.ts';
import type { ClusterLook } from './clusterLook.ts';
import type { PolicyEffect } from './effect.ts';
import { ownershipOf, type TaintOwnership } from '../taints/taintOwnership.ts';
import type { ShortestTurn } from './shortestTurn.ts';
import { inactiveMigrations, matchRisks, shortWindows } from './windowRisks.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/** A risk of changed ClusterTaintPolicies, as data: whoever shows it finds the words and names flags. */
export type PolicyRisk = RiskOfPolicy | RiskOfChange;

/** What a risk rests on beside what is known. */
interface Assuming {
  /** gates and flags that are off by a default that nobody has confirmed; absent: all are known */
  assumed?: string[];
}

/** A risk of a policy and one of its fields. */
interface OfPolicy {
  policy: string;
  /** path of the field: "spec.taints[0].effect" */
  field: string;
}

export type RiskOfPolicy = OfPolicy &
  (
    | {
        /** the Cluster API refuses the taint: then no policy works on these clusters any more, not even these others */
        code: 'taint-refused';
        taint: NamedTaint;
        refusal: string;
        clusters: string[];
        stops: string[];
      }
    | {
        /** no condition removes the taint again, neither of this policy nor of another one for all of its clusters */
        code: 'never-removed';
        taint: NamedTaint;
      }
    | {
        /** it has no addOnConditions, and no other policy for its clusters adds these of its taints */
        code: 'never-added';
        taints: NamedTaint[];
      }
    | {
        /**
         * the list can never hold; `entries` are those that cannot hold by themselves; if empty, entries contradict
         * each other
         */
        code: 'removal-never-matches' | 'addition-never-matches';
        entries: { index: number; problem: EntryProblem }[];
      }
    | { code: 'removal-always-matches' | 'addition-always-matches' }
    | {
        /** it always removes its taints with the same look that adds them */
        code: 'removes-what-it-adds';
      }
    | {
        /** these of its clusters report no such condition now, so the entry does not hold there */
        code: 'condition-not-reported';
        conditionType: string;
        clusters: string[];
        /** none of the clusters that it is for reports it */
        everywhere: boolean;
        /** the types that those clusters report */
        reported: string[];
      }
    | {
        /** the taint is also another policy's, Karmada's own or a person's on these clusters */
        code: 'taint-owned';
        taint: NamedTaint;
        owner: { kind: 'policy'; name: string } | { kind: Exclude<TaintOwnership['owner'], 'policy'> };
        clusters: string[];
      }
    | ({
        /** the webhook refuses NoExecute: --allow-no-execute-taint-policy is off */
        code: 'no-execute-refused';
        taint: NamedTaint;
      } & Assuming)
    | ({
        /** the taint would evict nothing: these gates and flags are off */
        code: 'no-execute-dead';
        taint: NamedTaint;
        off: string[];
      } & Assuming)
    | { code: 'targets-no-cluster' }
    /** of the design: without matchConditions every cluster that it is for gets the taints, and keeps them */
    | { code: 'no-match-conditions' }
    | { code: 'match-always' }
    | { code: 'match-never'; entries: { index: number; problem: EntryProblem }[] }
    | { code: 'lists-no-taints' }
    | ({
        /** of the design: no turn back of its conditions can fall into the window, which so only waits */
        code: 'window-shorter-than-probe';
        taint: NamedTaint;
        seconds: number;
        shortest: ShortestTurn;
      } & Assuming)
    | {
        /** of the design: none of these workloads has spec.failover.cluster, so PreferNoExecute moves nothing */
        code: 'no-active-migration';
        taint: NamedTaint;
        workloadCount: number;
      }
  );

export type RiskOfChange =
  | {
      /** every cluster has one of these taints afterwards, but not before; `all` without exception */
      code: 'every-cluster-tainted';
      clusters: string[];
      taints: NamedTaint[];
    }
  | {
      /** it removes a taint that is not certainly a policy's: at once, or after a condition changes */
      code: 'takes-anothers-taint';
      cluster: string;
      taint: NamedTaint;
      policy: string;
      ownership: TaintOwnership;
      when?: { type: string; status: string };
    }
  | {
      /** every change of a condition renews timeAdded of a taint: an older policy removes what a newer one adds */
      code: 'renewed-again-and-again';
      cluster: string;
      taint: NamedTaint;
      policies: string[];
    }
  | {
      /** policies created in the same second want different things, and Karmada has no fixed order for them */
      code: 'order-open';
      cluster: string;
      taint: NamedTaint;
      policies: string[];
    }
  | ({
      /** no ClusterTaintPolicy has an effect: the gate is off, or the version has none */
      code: 'policies-dead';
      off: DeadPolicies;
    } & Assuming);

/**
 * The risks of a change of ClusterTaintPolicies with a known effect; in the order of policies and fields.
 *
 * @param unconfirmed gates and flags whose values are defaults that nobody has confirmed
 */
export function risksOf(
  effect: PolicyEffect,
  world: World,
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
): PolicyRisk[] {
  const off = deadPolicies(configuration);
  const ofPolicy = policyRisks(effect.after, world.clusters, configuration, unconfirmed);
  return [
    ...(off ? [{ code: 'policies-dead', off, ...assuming([off], unconfirmed) } as const] : []),
    ...effect.policies.flatMap(({ after }) => (after ? ofPolicy(after) : [])),
    ...everyCluster(effect, world.clusters),
    ...inactiveMigrations(effect, world, configuration),
    ...anothersTaints(effect, world.clusters, configuration),
    ...fightRisks(effect),
  ];
}

function assuming(off: readonly string[], unconfirmed: ReadonlySet<string>): Assuming {
  const assumed = off.filter((name) => unconfirmed.has(name));
  return assumed.length > 0 ? { assumed } : {};
}

/**
 * What is risky about a policy by itself and among others: of these, it looks at those alone that list the same taint.
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

/** The policies for a cluster that a policy is for too. */
interface Others {
  all(): ClusterTaintPolicy[];
  listing(taint: NamedTaint): ClusterTaintPolicy[];
}

/**
 * Tells whether another policy is for a cluster that this one is for; of clusters that are not known, by the names that
 * they give.
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

/** A policy may be there to remove what another one adds; else it does nothing that anybody sees. */
function neverAdded({ metadata: { name }, spec }: ClusterTaintPolicy, others: Others): RiskOfPolicy[] {
  const adds = (one: ClusterTaintPolicy['spec']) => (one.addOnConditions ?? []).length > 0;
  if (adds(spec)) return [];
  const taints = (spec.taints ?? [])
    .filter((taint) => !others.listing(taint).some((other) => adds(other.spec)))
    .map(({ key, value, effect }) => ({ key, ...(value && { value }), effect }));
  if (taints.length === 0) return [];
  return [{ code: 'never-added', policy: name, field: 'spec.addOnConditions', taints }];
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
        reported: [
          ...new Set(lacking.flatMap(({ status }) => status?.conditions?.map(({ type }) => type) ?? [])),
        ].sort(),
      },
    ];
  });
}

function taintRisks(
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

/** Of so many other policies that list a taint each is told: of thousands every pair would be. */
const MOST_OTHERS = 20;

function ownedRisks(
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
  for (const other of listing.slice(0, MOST_OTHERS)) {
    const common = own.filter((cluster) => targets(other, cluster, rules.scheduling));
    const owner = { kind: 'policy', name: other.metadata.name } as const;
    risks.push({ ...at, code: 'taint-owned', taint, owner, clusters: names(common) });
  }
  const held = new Map<Exclude<TaintOwnership['owner'], 'policy'>, Cluster[]>();
  for (const cluster of own) {
    const there = findTaint(cluster.spec?.taints, taint);
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
  const coming = ({ gains }: ClusterLook) => gains.filter(({ after }) => after !== undefined);
  const changed = new Map(
    effects.map(({ cluster, taints, atOnce }) => [
      cluster,
      [...taints, ...coming(atOnce).map(({ taint }) => taint)],
    ]),
  );
  const after = clusters.map(({ metadata: { name }, spec }) => changed.get(name) ?? spec?.taints ?? []);
  if (clusters.length === 0 || after.some((taints) => taints.length === 0)) return [];
  const gained = effects.flatMap(({ atOnce }) => (atOnce.refused === undefined ? atOnce.gains : []));
  if (gained.length === 0 || clusters.every(({ spec }) => (spec?.taints ?? []).length > 0)) return [];
  const taints = new Map<string, NamedTaint>();
  for (const { taint } of gained)
    if (!taints.has(taintIdentity(taint))) taints.set(taintIdentity(taint), taint);
  const names = clusters.map(({ metadata }) => metadata.name).sort();
  return [{ code: 'every-cluster-tainted', clusters: names, taints: [...taints.values()] }];
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
    const written = looks.filter(({ look }) => look.refused === undefined);
    return written.flatMap(({ look, when }) =>
      look.loses.flatMap(({ taint, policy }): PolicyRisk[] => {
        const there = findTaint(cluster.spec?.taints, taint);
        const id = taintIdentity(taint);
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

function fightRisks({ clusters }: PolicyEffect): PolicyRisk[] {
  return clusters.flatMap(({ cluster, fights }) =>
    fights.map((fight): PolicyRisk => ({ ...fight, cluster })),
  );
}
