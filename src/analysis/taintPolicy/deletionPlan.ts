import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { findTaint, taintIdentity } from '../../karmada/objects/sameTaint.ts';
import type { World } from '../../karmada/world.ts';
import { isAmong, type KeptTaint, type RemovalPlan } from './removalPlan.ts';

/** The objects that a plan to delete policies is based on, as they were. */
export interface DeletionBasis {
  /** the policies to delete, without labels and annotations */
  policies: ClusterTaintPolicy[];
  /** the clusters that lose taints; `uid` if the state has it */
  clusters: { name: string; uid?: string }[];
}

/** A saved plan to delete policies and, if included, their taints. */
export interface DeletionPlan {
  basis: DeletionBasis;
  withTaints: boolean;
  /** the taints to remove; empty if they stay */
  removed: { cluster: string; taint: Taint }[];
}

/** A change since a plan was made that invalidates it. */
export type DeletionDrift =
  | { change: 'edited' | 'replaced'; kind: 'ClusterTaintPolicy'; name: string }
  | { change: 'replaced'; kind: 'Cluster'; name: string }
  /** a taint has another value, or was removed and added again: `now` is the present one */
  | { change: 'taint changed'; cluster: string; taint: Taint; now: Taint }
  /** a taint must stay: it now has another owner */
  | { change: 'taint kept'; cluster: string; taint: Taint; why: KeptTaint['why']; listedBy: string[] }
  /** the policies have added a taint */
  | { change: 'taint new'; cluster: string; taint: Taint };

/** The basis of a plan to delete policies. */
export function deletionBasis(deleted: readonly ClusterTaintPolicy[], removal: RemovalPlan): DeletionBasis {
  return {
    policies: deleted.map(({ metadata: { name, uid, resourceVersion, creationTimestamp }, spec }) => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: {
        name,
        ...(uid && { uid }),
        ...(resourceVersion && { resourceVersion }),
        ...(creationTimestamp && { creationTimestamp }),
      },
      spec,
    })),
    clusters: removal.steps.map(({ cluster, uid }) => ({ name: cluster, ...(uid && { uid }) })),
  };
}

/**
 * The world including the plan's policies deleted since, possibly by an interrupted run of the plan: their taints still
 * belong to them.
 */
export function withPlannedPolicies<W extends Pick<World, 'taintPolicies'>>(
  world: W,
  { policies }: DeletionBasis,
): { world: W; gone: string[] } {
  const there = new Set(world.taintPolicies.map(({ metadata }) => metadata.name));
  const gone = policies.filter(({ metadata }) => !there.has(metadata.name));
  return {
    world: gone.length > 0 ? { ...world, taintPolicies: [...world.taintPolicies, ...gone] } : world,
    gone: gone.map(({ metadata }) => metadata.name),
  };
}

/**
 * The changes since a plan was made. Empty if the plan is still valid: then `removal`, which is planned now, removes
 * only taints of the plan. The plan's own effects are not changes: deleted policies and removed taints.
 */
export function deletionDrift(
  { basis, withTaints, removed }: DeletionPlan,
  { clusters, taintPolicies }: Pick<World, 'clusters' | 'taintPolicies'>,
  removal: RemovalPlan,
): DeletionDrift[] {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const policiesNow = new Map(taintPolicies.map((policy) => [policy.metadata.name, policy]));
  const policies = basis.policies.flatMap((planned): DeletionDrift[] => {
    const { name } = planned.metadata;
    const now = policiesNow.get(name);
    if (!now) return [];
    if (isReplaced(planned.metadata.uid, now.metadata.uid))
      return [{ change: 'replaced', kind: 'ClusterTaintPolicy', name }];
    return deepEqual(planned.spec, now.spec) ? [] : [{ change: 'edited', kind: 'ClusterTaintPolicy', name }];
  });
  const replaced = basis.clusters.flatMap(({ name, uid }): DeletionDrift[] =>
    isReplaced(uid, byName.get(name)?.metadata.uid) ? [{ change: 'replaced', kind: 'Cluster', name }] : [],
  );
  const now: RemovedNow = {
    removed: new Set(
      removal.steps.flatMap(({ cluster, taints }) => taints.map((taint) => placeOf(cluster, taint))),
    ),
    kept: new Map(removal.kept.map((one) => [placeOf(one.left.cluster, one.left.taint), one])),
  };
  const planned = removed.flatMap(({ cluster, taint }) =>
    taintDrift(byName.get(cluster), cluster, taint, now),
  );
  const isPlanned = new Set(removed.map(({ cluster, taint }) => placeOf(cluster, taint)));
  const others = (withTaints ? removal.steps : []).flatMap(({ cluster, taints }) =>
    taints
      .filter((taint) => !isPlanned.has(placeOf(cluster, taint)))
      .map((taint): DeletionDrift => ({ change: 'taint new', cluster, taint })),
  );
  return [...policies, ...replaced, ...planned, ...others];
}

function isReplaced(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

/** The same text for the same taint of the same cluster. */
function placeOf(cluster: string, taint: Taint): string {
  return `${cluster} ${taintIdentity(taint)}`;
}

interface RemovedNow {
  removed: ReadonlySet<string>;
  kept: ReadonlyMap<string, KeptTaint>;
}

function taintDrift(
  found: Cluster | undefined,
  cluster: string,
  taint: Taint,
  { removed, kept }: RemovedNow,
): DeletionDrift[] {
  const there = found?.spec?.taints ?? [];
  const now = findTaint(there, taint);
  if (!now) return [];
  if (!isAmong(there, taint)) return [{ change: 'taint changed', cluster, taint, now }];
  if (removed.has(placeOf(cluster, taint))) return [];
  const stays = kept.get(placeOf(cluster, taint));
  const why = stays?.why ?? 'not of a policy';
  return [{ change: 'taint kept', cluster, taint, why, listedBy: stays?.left.stillListedBy ?? [] }];
}
