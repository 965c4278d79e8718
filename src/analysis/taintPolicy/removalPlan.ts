import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { findTaints } from '../../karmada/objects/sameTaint.ts';
import type { LeftTaint } from './leftBehind.ts';

/** The writes that remove the taints that a change of policies leaves behind. */
export interface RemovalPlan {
  /** one write for each cluster */
  steps: RemovalStep[];
  /** taints that the policies listed and that stay, and why */
  kept: KeptTaint[];
}

/** One write and its preconditions. */
interface RemovalStep {
  cluster: string;
  /** the taints to remove; those that have changed since stay */
  taints: Taint[];
  /** uid of the cluster that it was decided on, if the state has it */
  uid?: string;
}

/** A taint that stays, and why: somebody else owns it, or its owner is unknown. */
export interface KeptTaint {
  left: LeftTaint;
  why: 'still listed' | 'not of a policy' | 'owner unknown';
}

/** The plan to remove what a change of policies has left behind, except taints that somebody else owns. */
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

/** A cluster's taints after a step; the same list if none of its taints is there as expected. */
export function withoutTaints(there: readonly Taint[], gone: readonly Taint[]): readonly Taint[] {
  const left = there.filter((taint) => !isAmong(gone, taint));
  return left.length === there.length ? there : left;
}

/** Whether a list, which must not change afterwards, has a taint with the same value since the same time. */
export function isAmong(taints: readonly Taint[], taint: Taint): boolean {
  return findTaints(taints, taint).some(
    (one) => (one.value ?? '') === (taint.value ?? '') && (one.timeAdded ?? '') === (taint.timeAdded ?? ''),
  );
}
