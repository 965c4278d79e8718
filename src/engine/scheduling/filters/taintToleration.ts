import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../../kubernetes/tolerations.ts';
import { keepAccepted } from '../../selection/clusterColumns.ts';
import { removeCluster, type ClusterSet } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { FilterColumns } from './filter.ts';

/**
 * The reason for which the TaintToleration filter rejects a cluster: its first NoSchedule or NoExecute taint that
 * placement.clusterTolerations do not tolerate, whatever their tolerationSeconds. Undefined if the cluster passes; a
 * cluster in the scheduling result always does, since the taint manager evicts from it.
 */
export function taintTolerationFilter(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  rules: SchedulingRules,
): string | undefined {
  const taints = cluster.spec?.taints;
  if (!taints?.length) return undefined;
  if (spec.clusters?.some(({ name }) => name === cluster.metadata.name)) return undefined;
  const taint = untoleratedTaint(taints, tolerationsFor(spec, cluster.metadata.name, rules));
  return taint && `cluster(s) had untolerated taint {${formatTaint(taint)}}`;
}

/**
 * The tolerations that count for scheduling to a cluster. If tasks do not keep their clusters out of the result, those
 * for a time count no more for the cluster of a task: the time is over, or it would come back to where it was evicted.
 */
export function tolerationsFor(
  spec: ResourceBindingSpec,
  cluster: string,
  { evictedClusters }: SchedulingRules,
): readonly Toleration[] {
  const tolerations = spec.placement?.clusterTolerations ?? [];
  if (evictedClusters === 'filtered') return tolerations;
  const evicted = spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster) ?? false;
  return evicted ? tolerations.filter(({ tolerationSeconds }) => tolerationSeconds == null) : tolerations;
}

/** The filter over all clusters: keeps in `set` those whose taints are tolerated. */
export function keepTolerated(set: ClusterSet, columns: FilterColumns, spec: ResourceBindingSpec): void {
  const tolerations = spec.placement?.clusterTolerations ?? [];
  const taints = columns.taints();
  keepAccepted(set, taints, (value) => untoleratedTaint(value, tolerations) === undefined);
  if (columns.rules.evictedClusters === 'filtered') return;
  for (const { fromCluster } of spec.gracefulEvictionTasks ?? []) {
    const at = columns.index.get(fromCluster);
    if (at === undefined) continue;
    const { value } = taints.groups[taints.groupOf[at]!]!;
    if (untoleratedTaint(value, tolerationsFor(spec, fromCluster, columns.rules))) removeCluster(set, at);
  }
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
