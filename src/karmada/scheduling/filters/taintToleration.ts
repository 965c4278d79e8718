import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../../kubernetes/schema/core.ts';
import { keepAccepted } from '../../selection/clusterColumns.ts';
import { removeCluster, type ClusterSet } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { FilterColumns } from './filter.ts';

/**
 * The reason for which the TaintToleration filter rejects a cluster: its first NoSchedule or NoExecute taint that
 * placement.clusterTolerations do not tolerate, whatever their tolerationSeconds, or PreferNoExecute taint that it heeds.
 * Undefined if the cluster passes; a cluster in the scheduling result always does, since the taint manager evicts from
 * it.
 */
export function taintTolerationFilter(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  rules: SchedulingRules,
): string | undefined {
  const taints = cluster.spec?.taints;
  if (!taints?.length) return undefined;
  if (spec.clusters?.some(({ name }) => name === cluster.metadata.name)) return undefined;
  const tolerations = tolerationsFor(spec, cluster.metadata.name, rules);
  const taint = untoleratedTaint(taints, tolerations, heedsPreferNoExecute(spec, rules));
  return taint && `cluster(s) had untolerated taint {${formatTaint(taint)}}`;
}

/**
 * The tolerations that count for scheduling to a cluster. If eviction tasks do not keep their clusters out of the
 * result, tolerations for a time no longer count for the cluster of a task. Their time is over, or the workload would
 * go back to where it was evicted from.
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
  const heeds = heedsPreferNoExecute(spec, columns.rules);
  keepAccepted(set, taints, (value) => untoleratedTaint(value, tolerations, heeds) === undefined);
  if (columns.rules.evictedClusters === 'filtered') return;
  for (const { fromCluster } of spec.gracefulEvictionTasks ?? []) {
    const at = columns.index.get(fromCluster);
    if (at === undefined) continue;
    const { value } = taints.groups[taints.groupOf[at]!]!;
    if (untoleratedTaint(value, tolerationsFor(spec, fromCluster, columns.rules))) removeCluster(set, at);
  }
}

/**
 * Whether PreferNoExecute taints keep new placements of a binding off a cluster: if its policy asks for active
 * migration, it would have to leave again. No toleration helps. Design optimize-cluster-failover.
 */
export function heedsPreferNoExecute(
  { failover }: Pick<ResourceBindingSpec, 'failover'>,
  { preferNoExecute }: SchedulingRules,
): boolean {
  return preferNoExecute && failover?.cluster != null;
}

/**
 * The first taint that keeps new work off a cluster.
 *
 * @param heeds `heedsPreferNoExecute` of the binding
 */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  heeds = false,
): Taint | undefined {
  return taints.find((taint) => {
    if (taint.effect === 'PreferNoExecute') return heeds;
    if (taint.effect !== 'NoSchedule' && taint.effect !== 'NoExecute') return false;
    return !tolerations.some((toleration) => toleratesTaint(toleration, taint));
  });
}
