import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../../kubernetes/tolerations.ts';

/**
 * The reason for which the TaintToleration filter rejects a cluster: its first NoSchedule or NoExecute taint that
 * placement.clusterTolerations do not tolerate, whatever their tolerationSeconds. Undefined if the cluster passes; a
 * cluster in the scheduling result always does, since the taint manager evicts from it.
 */
export function taintTolerationFilter(spec: ResourceBindingSpec, cluster: Cluster): string | undefined {
  const taints = cluster.spec?.taints;
  if (!taints?.length) return undefined;
  if (spec.clusters?.some(({ name }) => name === cluster.metadata.name)) return undefined;
  const taint = untoleratedTaint(taints, spec.placement?.clusterTolerations ?? []);
  return taint && `cluster(s) had untolerated taint {${formatTaint(taint)}}`;
}

/** The first untolerated taint that keeps new work off a cluster. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Taint | undefined {
  return taints.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => toleratesTaint(toleration, taint)),
  );
}
