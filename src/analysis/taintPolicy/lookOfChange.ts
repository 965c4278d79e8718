import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import { nextEnd, taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { lookAtCluster, type ClusterLook, type TaintMove } from './clusterLook.ts';

/** What a change of policies does to a cluster at once, and by the windows that run then. */
export interface LookOfChange {
  atOnce: ClusterLook;
  /** what windows that run would have done when they end, and no longer do */
  calledOff: { gains: TaintMove[]; loses: TaintMove[] };
}

/**
 * What a change of policies does to a cluster. It leaves out what windows would do without the change, too.
 *
 * @param looks whether the controller looks because of it; if not, nothing happens before a window ends
 * @param now epoch milliseconds
 */
export function lookOfChange(
  cluster: Cluster,
  { before, after }: { before: readonly ClusterTaintPolicy[]; after: readonly ClusterTaintPolicy[] },
  looks: boolean,
  configuration: Configuration,
  now: number,
): LookOfChange {
  const none = { gains: [], loses: [] };
  const { api, scheduling } = configuration.rules;
  if (api.taintPolicyForm !== 'windows')
    return { atOnce: lookAtCluster(cluster, looks ? after : [], configuration, now), calledOff: none };
  const due = looks ? now : nextEnd(taintWindows(cluster, before, undefined, now, scheduling).windows, now);
  const then =
    due === undefined
      ? lookAtCluster(cluster, [], configuration, now)
      : later(lookAtCluster(cluster, after, configuration, due), due - now);
  const without = lookAtCluster(cluster, before, configuration, now);
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

/** A look that happens so many milliseconds later. */
function later(look: ClusterLook, by: number): ClusterLook {
  if (by === 0) return look;
  const moved = (moves: readonly TaintMove[]) =>
    moves.map((one) => ({ ...one, after: (one.after ?? 0) + by }));
  return { ...look, gains: moved(look.gains), loses: moved(look.loses), renews: moved(look.renews) };
}
