import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { clusterTaintRefusal } from '../../karmada/validation/clusterTaints.ts';
import type { Evidence, NamedTaint } from '../../karmada/evidence.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { findTaint, sameTaint, taintIdentity } from '../../karmada/objects/sameTaint.ts';
import { conditionTaints } from '../../karmada/detection/conditionTaints.ts';
import type { ContestedTaint } from '../../karmada/taints/contestedTaints.ts';
import { upcomingPasses } from '../../karmada/taints/upcomingPasses.ts';
import { nextEnd, type TaintWindowMemory, taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { inactivePolicies } from '../../karmada/taints/inactivePolicies.ts';
import { lastOf } from '../../kubernetes/nonEmpty.ts';

/** A taint that a reconcile of the ClusterTaintPolicy controller adds, removes or renews. */
export interface TaintMove {
  taint: NamedTaint;
  /** the policy that decides: the last one, if several do */
  policy: string;
  /** milliseconds from the reconcile to the end of a window, if conditions do not change; absent: at once */
  after?: number;
  /**
   * Karmada's cluster controller undoes it at once: its own NoSchedule taints not-ready and unreachable follow the
   * Ready condition
   */
  undone?: true;
  evidence: Evidence[];
}

/**
 * The result of a reconcile of a cluster by the ClusterTaintPolicy controller, and of the windows open at that time.
 */
export interface TaintReconcile {
  cluster: string;
  gains: TaintMove[];
  loses: TaintMove[];
  /** removed and added in one write: with a new timeAdded, or another value */
  renews: TaintMove[];
  /** why the Cluster API refuses the whole write, in its words */
  refused?: string;
  /** taints whose outcome depends on the order of policies created in the same second */
  contested: ContestedTaint[];
  /** the taints of the cluster right after the reconcile, as Karmada's cluster controller leaves them */
  taints: readonly Taint[];
}

/**
 * The effect of reconciling a cluster by the ClusterTaintPolicy controller, together with Karmada's own rules for the
 * Ready condition. If the version has windows, also the effect of their ends, if nothing else changes.
 *
 * @param memory the controller's memory of the windows; undefined: what the conditions show
 * @param now epoch milliseconds
 */
export function reconcileTaints(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  configuration: Configuration,
  now: number,
  memory?: TaintWindowMemory,
): TaintReconcile {
  const { rules } = configuration;
  const before = cluster.spec?.taints ?? [];
  const nothing = { cluster: cluster.metadata.name, gains: [], loses: [], renews: [], contested: [] };
  if (inactivePolicies(configuration)) return { ...nothing, taints: before };
  const passes = upcomingPasses({ cluster, policies, memory, now, rules });
  const { taints } = lastOf(passes).pass;
  const changed = passes.some(({ pass }) => pass.changed);
  const refused = changed ? clusterTaintRefusal(cluster.metadata.name, taints, rules.admission) : undefined;
  const left = (some: Taint[]) =>
    conditionTaints({ ...cluster, spec: { ...cluster.spec, taints: some } }, now, rules).taints;
  const kept = left(taints);
  const among = (some: readonly Taint[], taint: Taint) => findTaint(some, taint);
  const acts = passes.flatMap(({ at, pass }) => pass.acts.map((act) => ({ ...act, at })));
  const lastActs = new Map(acts.map((act) => [taintIdentity(act.taint), act]));
  const evidence = byTaint(passes.flatMap(({ pass }) => pass.evidence));
  const move = (taint: Taint, undone: boolean): TaintMove => {
    const last = lastActs.get(taintIdentity(taint))!;
    const { key, value, effect } = last.taint;
    return {
      taint: { key, ...(value && { value }), effect },
      policy: last.policy.metadata.name,
      ...(last.at > now && { after: last.at - now }),
      ...(undone && { undone }),
      evidence: evidence.get(taintIdentity(taint)) ?? [],
    };
  };
  const isTouched = (taint: Taint) => lastActs.has(taintIdentity(taint));
  return {
    cluster: cluster.metadata.name,
    gains: taints.filter((taint) => !among(before, taint)).map((taint) => move(taint, !among(kept, taint))),
    loses: before
      .filter((taint) => !among(taints, taint))
      .map((taint) => move(taint, among(kept, taint) !== undefined)),
    renews: taints
      .filter((taint) => among(before, taint) && among(before, taint) !== taint && isTouched(taint))
      .map((taint) => move(taint, false)),
    ...(refused !== undefined && { refused }),
    contested: passes.flatMap(({ pass }) => pass.contested),
    taints: passes[0].pass.changed && refused === undefined ? left(passes[0].pass.taints) : before,
  };
}

function byTaint(evidence: readonly Evidence[]): Map<string, Evidence[]> {
  const found = new Map<string, Evidence[]>();
  for (const one of evidence) if (one.taint) getOrAdd(found, taintIdentity(one.taint), () => []).push(one);
  return found;
}

/** Whether a reconcile changes anything, or tries to. */
export function changesAnything({ gains, loses, renews, refused }: TaintReconcile): boolean {
  return gains.length > 0 || loses.length > 0 || renews.length > 0 || refused !== undefined;
}

/** The effect of a policy change on a cluster at once, and through the windows open at that time. */
export interface ChangeReconcile {
  atOnce: TaintReconcile;
  /** actions that open windows no longer take at their ends */
  calledOff: { gains: TaintMove[]; loses: TaintMove[] };
}

/**
 * The effect of a policy change on a cluster, without the effects of windows that are independent of it.
 *
 * @param reconciles whether the change triggers the controller; if not, nothing happens before a window ends
 * @param now epoch milliseconds
 */
export function reconcileChange(
  cluster: Cluster,
  { before, after }: { before: readonly ClusterTaintPolicy[]; after: readonly ClusterTaintPolicy[] },
  reconciles: boolean,
  configuration: Configuration,
  now: number,
): ChangeReconcile {
  const none = { gains: [], loses: [] };
  const { api, scheduling } = configuration.rules;
  if (api.taintPolicyForm !== 'windows')
    return { atOnce: reconcileTaints(cluster, reconciles ? after : [], configuration, now), calledOff: none };
  const due = reconciles
    ? now
    : nextEnd(taintWindows(cluster, before, undefined, now, scheduling).windows, now);
  const then =
    due === undefined
      ? reconcileTaints(cluster, [], configuration, now)
      : later(reconcileTaints(cluster, after, configuration, due), due - now);
  const without = reconcileTaints(cluster, before, configuration, now);
  const isNew = (known: readonly TaintMove[]) => (move: TaintMove) =>
    move.after === undefined ||
    !known.some(
      (one) =>
        sameTaint(one.taint, move.taint) && one.taint.value === move.taint.value && one.after === move.after,
    );
  const isOff = (coming: readonly TaintMove[]) => (move: TaintMove) =>
    move.after !== undefined && !coming.some((one) => sameTaint(one.taint, move.taint));
  return {
    atOnce: {
      ...then,
      gains: then.gains.filter(isNew(without.gains)),
      loses: then.loses.filter(isNew(without.loses)),
    },
    calledOff: {
      gains: without.gains.filter(isOff(then.gains)),
      loses: without.loses.filter(isOff(then.loses)),
    },
  };
}

/** A reconcile this many milliseconds later. */
function later(reconcile: TaintReconcile, by: number): TaintReconcile {
  if (by === 0) return reconcile;
  const moved = (moves: readonly TaintMove[]) =>
    moves.map((one) => ({ ...one, after: (one.after ?? 0) + by }));
  return {
    ...reconcile,
    gains: moved(reconcile.gains),
    loses: moved(reconcile.loses),
    renews: moved(reconcile.renews),
  };
}

/** Policies that conflict over a taint of a cluster. */
export interface TaintConflict {
  /**
   * - `renewed-again-and-again`: an older one removes what a newer one adds, at every change of a condition
   * - `order-open`: they were created in the same second, and Karmada has no fixed order for them
   */
  code: 'renewed-again-and-again' | 'order-open';
  taint: NamedTaint;
  policies: string[];
}

/** The distinct conflicts in reconciles of a cluster. A reconcile without a write shows none. */
export function conflictsIn(reconciles: readonly TaintReconcile[]): TaintConflict[] {
  const all = reconciles
    .filter(({ refused }) => refused === undefined)
    .flatMap(({ renews, contested }): TaintConflict[] => [
      ...renews.map(({ taint, evidence }) => ({
        code: 'renewed-again-and-again' as const,
        taint,
        policies: [...new Set(evidence.flatMap(({ object }) => object?.name ?? []))],
      })),
      ...contested.map(({ taint, policies }) => ({ code: 'order-open' as const, taint, policies })),
    ]);
  return [...new Map(all.map((fight) => [`${fight.code} ${taintIdentity(fight.taint)}`, fight])).values()];
}

/** The new conflicts: between other policies, or over other taints. */
export function newConflicts(
  before: readonly TaintConflict[],
  after: readonly TaintConflict[],
): TaintConflict[] {
  const known = new Set(before.map(textOf));
  return after.filter((fight) => !known.has(textOf(fight)));
}

function textOf({ code, taint, policies }: TaintConflict): string {
  return JSON.stringify([code, taintIdentity(taint), policies.toSorted()]);
}
