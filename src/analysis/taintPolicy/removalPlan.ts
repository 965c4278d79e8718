import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { findTaint, findTaints } from '../../karmada/objects/sameTaint.ts';
import { listedTaints } from '../../karmada/taints/policyFields.ts';
import { explains } from '../../karmada/taints/taintSources.ts';
import { ownershipOf, type TaintOwnership } from '../../karmada/taints/taintOwnership.ts';
import type { PoliciesAround } from './policyChange.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';

/** A taint that stays on a cluster although its policy no longer wants it. */
export interface LeftTaint {
  cluster: string;
  taint: Taint;
  /**
   * the cause: its policies were deleted, they no longer list the taint, they no longer target the cluster, or they
   * list another value, which the existing taint does not get
   */
  why: 'deleted' | 'taint dropped' | 'cluster dropped' | 'other value';
  /** the policies that no longer explain it */
  policies: string[];
  /** the value that the policy wants now */
  wanted?: string;
  /** its owner before the change */
  ownership: TaintOwnership;
  /** policies that still list it for the cluster; if there are any, it is not orphaned */
  stillListedBy: string[];
}

/**
 * The taints that a policy change leaves behind: Karmada neither removes a taint nor corrects its value when a policy
 * is deleted or edited, or stops targeting a cluster.
 *
 * @param clusters the clusters right after the change
 */
export function leftBehind(
  clusters: readonly Cluster[],
  { before, after, changed }: PoliciesAround,
  rules: Pick<Rules, 'scheduling' | 'taints'>,
): LeftTaint[] {
  const gone = changed.filter(({ verb }) => verb === 'deleted' || verb === 'edited');
  if (gone.length === 0) return [];
  return clusters.flatMap((cluster) =>
    (cluster.spec?.taints ?? []).flatMap((taint): LeftTaint[] => {
      const ownership = ownershipOf(taint, cluster, before, rules);
      if (ownership.owner === 'cluster-controller') return [];
      const stillListedBy = after
        .filter((policy) => explains(policy, cluster, taint, rules))
        .map(({ metadata }) => metadata.name);
      const left = { cluster: cluster.metadata.name, taint, ownership, stillListedBy };
      const had = gone.filter((one) => explains(one.before!, cluster, taint, rules));
      const lost = had.filter((one) => !one.after || !explains(one.after, cluster, taint, rules));
      if (lost.length > 0)
        return [{ ...left, why: whyLost(lost[0]!.after, taint), policies: lost.map(({ name }) => name) }];
      const revalued = had.find((one) => valueIn(one.before!, taint) !== valueIn(one.after!, taint));
      const wanted = revalued && valueIn(revalued.after!, taint);
      if (!revalued || wanted === (taint.value ?? '')) return [];
      return [{ ...left, why: 'other value', policies: [revalued.name], wanted: wanted! }];
    }),
  );
}

function whyLost(after: ClusterTaintPolicy | undefined, taint: Taint): LeftTaint['why'] {
  if (!after) return 'deleted';
  return findTaint(listedTaints(after), taint) ? 'cluster dropped' : 'taint dropped';
}

function valueIn(policy: ClusterTaintPolicy, taint: Taint): string {
  return findTaint(listedTaints(policy), taint)?.value ?? '';
}

/** The writes that remove the taints left behind by a policy change. */
export interface RemovalPlan {
  /** one write for each cluster */
  steps: RemovalStep[];
  /** taints of the policies that stay, and why */
  kept: KeptTaint[];
}

/** One write and its preconditions. */
interface RemovalStep {
  cluster: string;
  /** the taints to remove, unless changed since */
  taints: Taint[];
  /** uid of the cluster when planned, if the state has it */
  uid?: string;
}

/** A taint that stays, and why: it has another owner, or its owner is unknown. */
export interface KeptTaint {
  left: LeftTaint;
  why: 'still listed' | 'not of a policy' | 'owner unknown';
}

/** The plan to remove the taints left behind by a policy change, except those with another owner. */
export function planTaintRemoval(left: readonly LeftTaint[], clusters: readonly Cluster[]): RemovalPlan {
  const kept: KeptTaint[] = [];
  const byCluster = new Map<string, Taint[]>();
  for (const one of left) {
    const why = whyKept(one);
    if (why) kept.push({ left: one, why });
    else getOrAdd(byCluster, one.cluster, () => []).push(one.taint);
  }
  const uids = new Map(clusters.map(({ metadata: { name, uid } }) => [name, uid]));
  return {
    steps: [...byCluster].map(([cluster, taints]) => {
      const uid = uids.get(cluster);
      return { cluster, taints, ...(uid && { uid }) };
    }),
    kept,
  };
}

function whyKept({ ownership, stillListedBy, policies }: LeftTaint): KeptTaint['why'] | undefined {
  if (stillListedBy.length > 0) return 'still listed';
  if (ownership.owner === 'unknown') return 'owner unknown';
  if (ownership.owner !== 'policy' || !ownership.policies.some((name) => policies.includes(name)))
    return 'not of a policy';
  return undefined;
}

/** A cluster's taints after a step; the same list if none of the step's taints is as expected. */
export function withoutTaints(there: readonly Taint[], gone: readonly Taint[]): readonly Taint[] {
  const left = there.filter((taint) => !isAmong(gone, taint));
  return left.length === there.length ? there : left;
}

/** Whether an immutable list has a taint with the same value and timeAdded. */
export function isAmong(taints: readonly Taint[], taint: Taint): boolean {
  return findTaints(taints, taint).some(
    (one) => (one.value ?? '') === (taint.value ?? '') && (one.timeAdded ?? '') === (taint.timeAdded ?? ''),
  );
}
