import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import { groupByTaint, findTaint } from '../../karmada/objects/sameTaint.ts';
import type { TaintWindow } from '../../karmada/taints/windows/taintWindows.ts';
import type { TaintReconcile, TaintMove } from './taintReconcile.ts';
import { ownershipOf, type TaintOwnership } from '../../karmada/taints/taintOwnership.ts';
import type { PolicyOnTaint } from './policyOnTaint.ts';
import { shortWindows } from './shortestTurn.ts';

/** A taint that a cluster has, or that a policy for it lists. */
export interface ExplainedTaint {
  taint: NamedTaint;
  isThere: boolean;
  /** epoch milliseconds of timeAdded, if the cluster has the taint and it has one */
  since?: number;
  /** its owner, if the cluster has the taint */
  ownership?: TaintOwnership;
  /** the policies for the cluster that list it, in the order in which they act: the last one that acts decides */
  policies: PolicyOnTaint[];
  /** the policy that decides now; absent: none does */
  decides?: string;
  /** some policies add it while others remove it */
  fought: boolean;
  /** why it does not settle; absent if it does */
  flaps?: TaintFlap;
}

/**
 * Why a taint does not settle. renewed: an older policy removes what a newer one adds, so every change of a condition
 * renews timeAdded; order open: policies created in the same second conflict; undone: Karmada's own rules undo what a
 * policy does; short windows: they are shorter than the conditions take to turn back, so the taint is added and removed
 * with each change.
 */
export type TaintFlap = 'renewed' | 'order open' | 'undone' | 'short windows';

/** The policies that list a taint, their effect on it, and their windows if the version has windows. */
export interface AboutTaint {
  acting: readonly ClusterTaintPolicy[];
  onTaint: readonly PolicyOnTaint[];
  windows: readonly TaintWindow[];
}

/** The effect of the next reconcile, by taint. */
interface Moves {
  moved: (taint: NamedTaint) => readonly TaintMove[];
  contested: (taint: NamedTaint) => readonly unknown[];
  isRefused: boolean;
}

/** The changes by a reconcile, found by taint. */
export function movesOf({ gains, loses, contested, refused }: TaintReconcile): Moves {
  return {
    moved: groupByTaint([...gains, ...loses]),
    contested: groupByTaint(contested),
    isRefused: refused !== undefined,
  };
}

/** A taint with each policy's intent, the policy that decides, and why it does not settle. */
export function explainedTaint(
  taint: NamedTaint,
  cluster: Cluster,
  { acting, onTaint, windows }: AboutTaint,
  moves: Moves,
  configuration: Configuration,
): ExplainedTaint {
  const { key, value, effect } = taint;
  const found = findTaint(cluster.spec?.taints, taint);
  const wanting = onTaint.filter(({ wants }) => wants !== undefined);
  const flaps = flapOf(taint, wanting, moves) ?? shortWindowsOf(windows, cluster, configuration);
  // The last one to act is unknown.
  const decides = flaps === 'order open' ? undefined : decidingPolicy(taint, wanting, moves);
  const isOverruled = ({ wants }: PolicyOnTaint) =>
    decides && wants !== undefined && wants !== decides.wants && !(wants === 'adds' && 'window' in decides);
  return {
    taint: { key, ...(value && { value }), effect },
    isThere: found !== undefined,
    ...(found?.timeAdded && { since: instant(found.timeAdded) }),
    ...(found && { ownership: ownershipOf(found, cluster, acting, configuration.rules) }),
    policies: onTaint.map((one) => (isOverruled(one) ? { ...one, overruledBy: decides!.policy } : one)),
    ...(decides && { decides: decides.policy }),
    fought: wanting.some((one) => 'add' in one) && new Set(wanting.map(({ wants }) => wants)).size > 1,
    ...(flaps && { flaps }),
  };
}

/**
 * The newest policy decides. With windows: the one whose window ends next, otherwise one that matches, otherwise the
 * newest.
 */
function decidingPolicy(
  taint: NamedTaint,
  wanting: readonly PolicyOnTaint[],
  { moved }: Moves,
): PolicyOnTaint | undefined {
  const last = wanting.at(-1);
  if (!last || !('window' in last)) return last;
  const move = moved(taint)[0];
  const byMove = wanting.find(({ policy }) => policy === move?.policy);
  return byMove ?? wanting.find(({ wants }) => wants === 'adds') ?? last;
}

function flapOf(
  taint: NamedTaint,
  wanting: readonly PolicyOnTaint[],
  { moved, contested, isRefused }: Moves,
): TaintFlap | undefined {
  if (isRefused) return undefined;
  if (contested(taint).length > 0) return 'order open';
  if (moved(taint).some(({ undone }) => undone)) return 'undone';
  const last = wanting.at(-1);
  const isRenewed =
    last?.wants === 'adds' && 'add' in last && wanting.some(({ wants }) => wants === 'removes');
  return isRenewed ? 'renewed' : undefined;
}

/** Whether all windows of a taint on a cluster are shorter than its conditions take to turn back. */
function shortWindowsOf(
  windows: readonly TaintWindow[],
  cluster: Cluster,
  configuration: Configuration,
): TaintFlap | undefined {
  const areShort = ({ policy, index }: TaintWindow) =>
    shortWindows(policy, index, [cluster], configuration).length === 2;
  return windows.length > 0 && windows.every(areShort) ? 'short windows' : undefined;
}
