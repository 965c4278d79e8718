import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { findTaint, taintIdentity } from '../../../karmada/objects/sameTaint.ts';
import { ownershipOf } from '../../../karmada/taints/taintOwnership.ts';
import type { World } from '../../../karmada/world.ts';
import type { ClusterLook } from '../clusterLook.ts';
import { deadPolicies } from '../../../karmada/taints/deadPolicies.ts';
import type { PolicyEffect } from '../effect.ts';
import { assuming, type PolicyRisk } from './policyRisk.ts';
import { policyRisks } from './policyRisks.ts';
import { inactiveMigrations } from './windowRisks.ts';

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
    ...together(anothersTaints(effect, world.clusters, configuration)),
    ...together(fightRisks(effect)),
  ];
}

/** A risk that is found cluster by cluster. */
type OnClusters = Extract<
  PolicyRisk,
  { code: 'takes-anothers-taint' | 'renewed-again-and-again' | 'order-open' }
>;

/** What is alike but for the cluster, as one risk with all of its clusters. */
function together(risks: readonly OnClusters[]): OnClusters[] {
  const alike = new Map<string, OnClusters>();
  for (const risk of risks) {
    const { clusters, ...rest } = risk;
    const key = JSON.stringify(rest);
    const found = alike.get(key);
    if (found) found.clusters.push(...clusters);
    else alike.set(key, { ...risk, clusters: [...clusters] });
  }
  return [...alike.values()];
}

/** Every cluster has one of the new taints, and some had none before. */
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

/** Taints that somebody else may have set and the policies take away, at once or after a condition turns. */
function anothersTaints(
  effect: PolicyEffect,
  clusters: readonly Cluster[],
  { rules }: Configuration,
): OnClusters[] {
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
      look.loses.flatMap(({ taint, policy }): OnClusters[] => {
        const there = findTaint(cluster.spec?.taints, taint);
        const id = taintIdentity(taint);
        if (!there || told.has(id)) return [];
        const ownership = ownershipOf(there, cluster, effect.before, rules);
        if (ownership.owner === 'policy' || ownership.owner === 'cluster-controller') return [];
        told.add(id);
        return [
          {
            code: 'takes-anothers-taint',
            clusters: [name],
            taint,
            policy,
            owner: ownership.owner,
            ...(when && { when }),
          },
        ];
      }),
    );
  });
}

/** Policies that undo each other's changes. */
function fightRisks({ clusters }: PolicyEffect): OnClusters[] {
  return clusters.flatMap(({ cluster, fights }) =>
    fights.map((fight): OnClusters => ({ ...fight, clusters: [cluster] })),
  );
}
