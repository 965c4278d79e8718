import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { TaintToAdd } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import { findTaints, sameTaint } from '../../karmada/objects/sameTaint.ts';
import { targets } from '../../karmada/taints/clusterTaintPolicy.ts';
import { listedTaints, targetOf, windowSeconds } from '../../karmada/taints/policyFields.ts';
import { policiesByTaint } from '../../karmada/taints/policiesByTaint.ts';
import { inOrderOfCreation } from '../../karmada/taints/policyOrder.ts';
import type { World } from '../../karmada/world.ts';
import { type TaintReconcile, reconcileTaints, type TaintMove } from './taintReconcile.ts';
import { inactivePolicies, type InactivePolicies } from '../../karmada/taints/inactivePolicies.ts';
import { ownershipOf, type TaintOwnership } from '../../karmada/taints/taintOwnership.ts';

/** The ClusterTaintPolicies of a control plane with their taints on clusters, and taints without such a policy. */
export interface TaintPolicyList {
  /** in the order in which they act: the newest last */
  policies: ListedPolicy[];
  /**
   * orphaned taints: no policy for the cluster explains them, and they belong neither to Karmada nor certainly to a
   * user
   */
  orphans: ClusterTaint[];
  /** taints that no policy explains and that have another owner: Karmada, a cordon, a drain, a user */
  others: ClusterTaint[];
  /** why no policy has an effect; absent: they do */
  dead?: InactivePolicies;
  /** `dead` depends on an unverified default */
  deadAssumed?: true;
}

export interface ListedPolicy {
  name: string;
  /** epoch milliseconds; absent: unknown */
  created?: number;
  /** names of its target clusters */
  targets: string[];
  /** it names no target clusters, so it also targets clusters that join later */
  everywhere: boolean;
  taints: ListedTaint[];
}

interface ListedTaint {
  taint: NamedTaint;
  /** the clusters with the taint, and its owner there */
  inForce: ClusterTaint[];
  /** its windows and their pending effects; absent: the version has no windows */
  windows?: ListedWindows;
}

/**
 * The durations of a taint's windows, or their defaults, and the clusters where an open window will add or remove it.
 */
interface ListedWindows extends Required<Pick<TaintToAdd, 'addOnMatchSeconds' | 'removeOnMismatchSeconds'>> {
  /** `ends`: epoch milliseconds */
  coming: { cluster: string; verb: 'adds' | 'removes'; ends: number }[];
}

export interface ClusterTaint {
  cluster: string;
  taint: Taint;
  ownership: TaintOwnership;
}

/**
 * Lists the policies, their targets, their taints in force, and the taints that no policy explains.
 *
 * @param now epoch milliseconds
 * @param unverified gates and flags whose values are unverified defaults
 */
export function listTaintPolicies(
  { clusters, taintPolicies }: World,
  configuration: Configuration,
  now: number,
  unverified?: ReadonlySet<string>,
): TaintPolicyList {
  const { rules } = configuration;
  const listing = policiesByTaint(taintPolicies);
  const reconciles = new Map(
    rules.api.taintPolicyForm === 'windows'
      ? clusters.map((cluster) => [cluster, reconcileTaints(cluster, taintPolicies, configuration, now)])
      : [],
  );
  const dead = inactivePolicies(configuration);
  const sorted = clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const unexplained = sorted
    .flatMap((cluster) => clusterTaints(cluster, cluster.spec?.taints ?? [], listing, rules))
    .filter(({ ownership }) => ownership.listedBy.length === 0);
  return {
    policies: inOrderOfCreation(taintPolicies).map((policy) => {
      const own = sorted.filter((cluster) => targets(policy, cluster, rules.scheduling));
      const { name, creationTimestamp } = policy.metadata;
      return {
        name,
        ...(creationTimestamp && { created: instant(creationTimestamp) }),
        targets: own.map(({ metadata }) => metadata.name),
        everywhere: targetOf(policy) === undefined,
        taints: listedTaints(policy).map((listed) => {
          const { key, value, effect } = listed;
          const taint = { key, ...(value && { value }), effect };
          return {
            taint,
            inForce: own.flatMap((cluster) =>
              clusterTaints(cluster, findTaints(cluster.spec?.taints ?? [], listed), listing, rules),
            ),
            ...(rules.api.taintPolicyForm === 'windows' && {
              windows: {
                ...timesOf(listed),
                coming: own.flatMap((cluster) => comingOn(reconciles.get(cluster)!, name, taint, now)),
              },
            }),
          };
        }),
      };
    }),
    orphans: unexplained.filter(({ ownership }) => ownership.owner === 'unknown'),
    others: unexplained.filter(({ ownership }) => ownership.owner !== 'unknown'),
    ...(dead && { dead }),
    ...(dead && unverified?.has(dead) && { deadAssumed: true }),
  };
}

function timesOf(taint: TaintToAdd) {
  const { add, remove } = windowSeconds(taint);
  return { addOnMatchSeconds: add, removeOnMismatchSeconds: remove };
}

/** The effect of the end of a policy's window on a taint of a cluster. */
function comingOn(
  { cluster, gains, loses }: TaintReconcile,
  policy: string,
  taint: NamedTaint,
  now: number,
): ListedWindows['coming'] {
  const of = (moves: readonly TaintMove[], verb: 'adds' | 'removes') =>
    moves.flatMap((move) =>
      move.after !== undefined && move.policy === policy && sameTaint(move.taint, taint)
        ? [{ cluster, verb, ends: now + move.after }]
        : [],
    );
  return [...of(gains, 'adds'), ...of(loses, 'removes')];
}

function clusterTaints(
  cluster: Cluster,
  taints: readonly Taint[],
  listing: ReturnType<typeof policiesByTaint>,
  rules: Configuration['rules'],
): ClusterTaint[] {
  return taints.map((taint) => ({
    cluster: cluster.metadata.name,
    taint,
    ownership: ownershipOf(taint, cluster, listing(taint), rules),
  }));
}
