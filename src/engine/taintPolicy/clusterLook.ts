import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { clusterTaintRefusal } from '../../karmada/validation/clusterTaints.ts';
import type { Evidence, NamedTaint } from '../evidence.ts';
import { sameTaint } from '../objects/sameTaint.ts';
import { reconcileClusterTaintPolicies } from '../taints/clusterTaintPolicy.ts';
import { conditionTaints } from '../taints/conditionTaints.ts';
import type { ContestedTaint } from '../taints/contestedTaints.ts';
import { deadPolicies } from './deadPolicies.ts';

/** A taint that a look of the ClusterTaintPolicy controller adds, removes or renews. */
export interface TaintMove {
  taint: NamedTaint;
  /** the policy that decides: the last of several */
  policy: string;
  /**
   * Karmada's cluster controller undoes it at once: its own not-ready and unreachable with NoSchedule follow the Ready
   * condition
   */
  undone?: true;
  evidence: Evidence[];
}

/** The result of a look of the ClusterTaintPolicy controller at a cluster. */
export interface ClusterLook {
  cluster: string;
  gains: TaintMove[];
  loses: TaintMove[];
  /** removed and added in one write: with a new timeAdded, or another value */
  renews: TaintMove[];
  /** why the Cluster API refuses the whole write, in its words */
  refused?: string;
  /** taints that depend on the order of policies created in the same second */
  contested: ContestedTaint[];
  /** the taints of the cluster afterwards, as Karmada's cluster controller leaves them */
  taints: readonly Taint[];
}

/**
 * What a look of the ClusterTaintPolicy controller at a cluster does, together with Karmada's own rules for the Ready
 * condition.
 *
 * @param now epoch milliseconds
 */
export function lookAtCluster(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  configuration: Configuration,
  now: number,
): ClusterLook {
  const { rules } = configuration;
  const before = cluster.spec?.taints ?? [];
  const nothing = { cluster: cluster.metadata.name, gains: [], loses: [], renews: [], contested: [] };
  if (deadPolicies(configuration)) return { ...nothing, taints: before };
  const result = reconcileClusterTaintPolicies({ cluster, policies, now, rules: rules.scheduling });
  const refused = result.changed
    ? clusterTaintRefusal(cluster.metadata.name, result.taints, rules.admission)
    : undefined;
  const after = { ...cluster, spec: { ...cluster.spec, taints: result.taints } };
  const kept = conditionTaints(after, now, rules).taints;
  const among = (taints: readonly Taint[], taint: Taint) => taints.find((one) => sameTaint(one, taint));
  const move = (taint: Taint, undone: boolean): TaintMove => {
    const last = result.acts.findLast((act) => sameTaint(act.taint, taint))!;
    const { key, value, effect } = last.taint;
    return {
      taint: { key, ...(value && { value }), effect },
      policy: last.policy.metadata.name,
      ...(undone && { undone }),
      evidence: result.evidence.filter((one) => one.taint && sameTaint(one.taint, taint)),
    };
  };
  const isTouched = (taint: Taint) => result.acts.some((act) => sameTaint(act.taint, taint));
  return {
    cluster: cluster.metadata.name,
    gains: result.taints
      .filter((taint) => !among(before, taint))
      .map((taint) => move(taint, !among(kept, taint))),
    loses: before
      .filter((taint) => !among(result.taints, taint))
      .map((taint) => move(taint, among(kept, taint) !== undefined)),
    renews: result.taints
      .filter((taint) => among(before, taint) && among(before, taint) !== taint && isTouched(taint))
      .map((taint) => move(taint, false)),
    ...(refused !== undefined && { refused }),
    contested: result.contested,
    taints: result.changed && refused === undefined ? kept : before,
  };
}

/** Whether a look changes anything, or tries to. */
export function doesSomething({ gains, loses, renews, refused }: ClusterLook): boolean {
  return gains.length > 0 || loses.length > 0 || renews.length > 0 || refused !== undefined;
}
