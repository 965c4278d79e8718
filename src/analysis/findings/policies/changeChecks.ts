import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import { findTaint, taintIdentity } from '../../../karmada/objects/sameTaint.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { inactivePolicies } from '../../../karmada/taints/inactivePolicies.ts';
import { ownershipOf } from '../../../karmada/taints/taintOwnership.ts';
import type { World } from '../../../karmada/world.ts';
import type { TaintReconcile } from '../../taintPolicy/taintReconcile.ts';
import type { PolicyEffect } from '../../taintPolicy/effect.ts';
import { findingsOf, type CheckOf } from '../check.ts';
import { policyRisks } from './policyChecks.ts';
import { assumedOff, type PolicyRisk, type RiskOfChange } from './policyRisk.ts';

/** A change of ClusterTaintPolicies with its effect. */
interface ChangeSeen {
  effect: PolicyEffect;
  world: World;
  configuration: Configuration;
  unverified: ReadonlySet<string>;
}

type ChangeCheck = CheckOf<ChangeSeen, RiskOfChange>;

const ofClusters = {
  severity: 'warning',
  needs: ['ClusterTaintPolicy', 'Cluster', 'Configuration'],
} as const;

const ofWorkloads = {
  ...ofClusters,
  needs: ['ClusterTaintPolicy', 'Cluster', 'ResourceBinding', 'Configuration'],
} as const;

/**
 * The risks of a change of ClusterTaintPolicies with a known effect; in the order of policies and fields.
 *
 * @param unverified gates and flags whose values are unverified defaults
 */
export function risksOf(
  effect: PolicyEffect,
  world: World,
  configuration: Configuration,
  unverified: ReadonlySet<string> = new Set(),
): PolicyRisk[] {
  const change = { effect, world, configuration, unverified };
  const ofPolicy = policyRisks(effect.after, world.clusters, configuration, unverified);
  return [
    ...policiesDead.find(change),
    ...effect.policies.flatMap(({ after }) => (after ? ofPolicy(after) : [])),
    ...findingsOf<ChangeSeen, RiskOfChange>(
      [everyClusterTainted, noActiveMigration, removesForeignTaint],
      change,
    ),
    ...fightRisks(change),
    ...findingsOf<ChangeSeen, RiskOfChange>([workloadsLost, workloadsBlocked], change),
  ];
}

/** No ClusterTaintPolicy has an effect. */
export const policiesDead: ChangeCheck = {
  id: 'policies-dead',
  severity: 'warning',
  title: 'no policy does anything',
  help: 'ClusterTaintPolicies work since v1.14, with the feature gate Failover of karmada-controller-manager. If it is on, assume Failover=true.',
  needs: ['Configuration'],
  find: ({ configuration, unverified }) => {
    const off = inactivePolicies(configuration);
    return off ? [{ code: 'policies-dead', off, ...assumedOff([off], unverified) }] : [];
  },
};

/** Every cluster has one of the new taints, and some had none before. */
export const everyClusterTainted: ChangeCheck = {
  ...ofClusters,
  id: 'every-cluster-tainted',
  title: 'every cluster gets a taint',
  help: 'The scheduler no longer places workloads without a toleration of these taints.',
  find: ({ effect: { clusters: effects }, world: { clusters } }) => {
    const coming = ({ gains }: TaintReconcile) => gains.filter(({ after }) => after !== undefined);
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
  },
};

/** PreferNoExecute taints on clusters where no workload opts in to failover (spec.failover.cluster). */
export const noActiveMigration: ChangeCheck = {
  ...ofWorkloads,
  id: 'no-active-migration',
  title: 'PreferNoExecute that moves nothing',
  help: 'PreferNoExecute moves only workloads whose policy has spec.failover.cluster, and policies need it before a cluster fails. Add it to the PropagationPolicies of the workloads to move.',
  find: ({ effect: { policies }, world, configuration }) =>
    policies.flatMap(({ after, verb }) => {
      if (!after || verb === 'unchanged') return [];
      const there = workloadsUnder(after, world, configuration);
      if (there.length === 0 || there.some(({ spec }) => spec.failover?.cluster)) return [];
      return (after.spec.taintsToAdd ?? []).flatMap(({ key, value, effect }, index) =>
        effect === 'PreferNoExecute'
          ? {
              code: 'no-active-migration' as const,
              policy: after.metadata.name,
              field: `spec.taintsToAdd[${index}]`,
              taint: { key, ...(value && { value }), effect },
              workloadCount: there.length,
            }
          : [],
      );
    }),
};

/** The bindings placed on a cluster that a policy targets. */
function workloadsUnder(
  policy: ClusterTaintPolicy,
  { clusters, bindings }: World,
  { rules }: Configuration,
): World['bindings'] {
  const own = new Set(
    clusters
      .filter((cluster) => targets(policy, cluster, rules.scheduling))
      .map(({ metadata }) => metadata.name),
  );
  return bindings.filter(({ spec }) => placedOn(spec).some(({ name }) => own.has(name)));
}

type TakenTaint = Extract<RiskOfChange, { code: 'takes-anothers-taint' }>;

/** Taints that may have another owner and that the policies remove, at once or after a condition changes. */
export const removesForeignTaint: ChangeCheck = {
  ...ofClusters,
  id: 'takes-anothers-taint',
  title: 'a policy removes a taint of another owner',
  help: 'removeOnConditions remove a taint of any owner. Use a key of your own.',
  find: ({ effect, world: { clusters }, configuration: { rules } }) => {
    const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
    const all = effect.clusters.flatMap(({ cluster: name, atOnce, later }) => {
      const cluster = byName.get(name);
      if (!cluster) return [];
      const reconciles = [
        { reconcile: atOnce, when: undefined },
        ...later.map(({ reconcile, condition }) => ({ reconcile, when: condition })),
      ];
      const reported = new Set<string>();
      const written = reconciles.filter(({ reconcile }) => reconcile.refused === undefined);
      return written.flatMap(({ reconcile, when }) =>
        reconcile.loses.flatMap(({ taint, policy }): TakenTaint | [] => {
          const there = findTaint(cluster.spec?.taints, taint);
          const id = taintIdentity(taint);
          if (!there || reported.has(id)) return [];
          const { owner } = ownershipOf(there, cluster, effect.before, rules);
          if (owner === 'policy' || owner === 'cluster-controller') return [];
          reported.add(id);
          return {
            code: 'takes-anothers-taint',
            clusters: [name],
            taint,
            policy,
            owner,
            ...(when && { when }),
          };
        }),
      );
    });
    return together(all);
  },
};

type Fight = Extract<RiskOfChange, { code: 'renewed-again-and-again' | 'order-open' }>;

/** Policies that undo each other's changes. */
function fightRisks({ effect: { clusters } }: ChangeSeen): Fight[] {
  return together(
    clusters.flatMap(({ cluster, fights }) =>
      fights.map((fight): Fight => ({ ...fight, clusters: [cluster] })),
    ),
  );
}

const fightsOf = (code: Fight['code']) => (change: ChangeSeen) =>
  fightRisks(change).filter((one) => one.code === code);

export const repeatedlyRenewed: ChangeCheck = {
  ...ofClusters,
  id: 'renewed-again-and-again',
  title: 'policies that conflict over a taint',
  help: 'One removes what a newer one adds: the time of the taint restarts with every change of a condition, and tolerations of it never end.',
  find: fightsOf('renewed-again-and-again'),
};

export const orderUndefined: ChangeCheck = {
  ...ofClusters,
  id: 'order-open',
  title: 'policies of the same second that contradict each other',
  help: 'Karmada does not guarantee their processing order. Delete one and create it again.',
  find: fightsOf('order-open'),
};

export const workloadsLost: ChangeCheck = {
  ...ofWorkloads,
  id: 'workloads-lost',
  title: 'workloads lose all copies',
  help: 'The change evicts them, and no other cluster takes them. First add a cluster to their placement, or a toleration.',
  find: workloadsThatTurn('lost', 'workloads-lost'),
};

export const workloadsBlocked: ChangeCheck = {
  ...ofWorkloads,
  id: 'workloads-blocked',
  title: 'workloads cannot be scheduled',
  help: 'After the change no cluster accepts them. Add another cluster to their placement first, or a toleration.',
  find: workloadsThatTurn('blocked', 'workloads-blocked'),
};

type Turned = Extract<RiskOfChange, { workloads: unknown }>;

function workloadsThatTurn(outcome: 'lost' | 'blocked', code: Turned['code']) {
  return ({ effect }: ChangeSeen): Turned[] => {
    const workloads = effect.workloads
      .filter(({ from, to }) => to?.outcome === outcome && from?.outcome !== outcome)
      .map(({ workload }) => workload);
    return workloads.length > 0 ? [{ code, workloads }] : [];
  };
}

/** Merges risks that differ only in the cluster into one with all of its clusters. */
function together<Risk extends { clusters: string[] }>(risks: readonly Risk[]): Risk[] {
  const alike = new Map<string, Risk>();
  for (const risk of risks) {
    const { clusters, ...rest } = risk;
    const key = JSON.stringify(rest);
    const found = alike.get(key);
    if (found) found.clusters.push(...clusters);
    else alike.set(key, { ...risk, clusters: [...clusters] });
  }
  return [...alike.values()];
}
