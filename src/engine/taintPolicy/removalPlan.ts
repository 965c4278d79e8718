import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { sameTaint } from '../objects/sameTaint.ts';
import type { World } from '../world.ts';
import { leftBehind, type LeftTaint } from './leftBehind.ts';
import { policiesAround } from './policyChange.ts';

/** What takes away policies and the taints that they put on clusters, one write after the other. */
export interface RemovalPlan {
  /** in order: the policies first, as they would put their taints back at the next change of a condition */
  steps: RemovalStep[];
  /** taints that the policies listed and that stay, and why */
  kept: KeptTaint[];
}

/** One write, and what must be there for it to be made. */
export type RemovalStep =
  | {
      kind: 'delete-policy';
      policy: string;
      /** of the object that was decided on, as far as the state tells them */
      expects: { uid?: string; resourceVersion?: string };
    }
  | {
      kind: 'remove-taints';
      cluster: string;
      /** they must be there just so; those of them that are not are left alone */
      taints: Taint[];
      expects: { uid?: string };
    };

/** Why a taint stays: who else has it, or that nobody can tell whose it is. */
export interface KeptTaint {
  left: LeftTaint;
  why: 'still listed' | 'not of a policy' | 'owner unknown';
}

/** The plan to delete policies and take along the taints that they put there; nothing that somebody else owns. */
export function planRemoval(
  world: World,
  names: readonly string[],
  { rules }: Configuration,
  now: number,
): RemovalPlan {
  const around = policiesAround(world.taintPolicies, { deleted: names }, now);
  const { steps, kept } = planTaintRemoval(leftBehind(world.clusters, around, rules), world.clusters);
  const deletions = around.changed.flatMap(({ before, name }): RemovalStep[] => {
    const { uid, resourceVersion } = before!.metadata;
    const expects = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    return [{ kind: 'delete-policy', policy: name, expects }];
  });
  return { steps: [...deletions, ...steps], kept };
}

/** The plan to take away what a change of policies has left behind: one write for each cluster. */
export function planTaintRemoval(left: readonly LeftTaint[], clusters: readonly Cluster[]): RemovalPlan {
  const kept: KeptTaint[] = [];
  const byCluster = new Map<string, Taint[]>();
  for (const one of left) {
    const why = whyKept(one);
    if (why) kept.push({ left: one, why });
    else byCluster.set(one.cluster, [...(byCluster.get(one.cluster) ?? []), one.taint]);
  }
  const uids = new Map(clusters.map(({ metadata: { name, uid } }) => [name, uid]));
  return {
    steps: [...byCluster].map(([cluster, taints]) => {
      const uid = uids.get(cluster);
      return { kind: 'remove-taints', cluster, taints, expects: uid ? { uid } : {} };
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

/** What is left of the taints of a cluster once a step has been made; the very same list if nothing of it is there as expected. */
export function withoutTaints(there: readonly Taint[], gone: readonly Taint[]): readonly Taint[] {
  const left = there.filter(
    (taint) =>
      !gone.some(
        (one) =>
          sameTaint(one, taint) &&
          (one.value ?? '') === (taint.value ?? '') &&
          (one.timeAdded ?? '') === (taint.timeAdded ?? ''),
      ),
  );
  return left.length === there.length ? there : left;
}
