import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { formatTaint, toleratesTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../../kubernetes/schema/core.ts';
import type { Evidence } from '../../evidence.ts';
import { keepAccepted, removeCluster } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { Filter, FilterContext, FilterDemand } from './filter.ts';

/**
 * placement.clusterTolerations must tolerate the NoSchedule and NoExecute taints of a cluster, whatever their
 * tolerationSeconds, and the binding must not be subject to its PreferNoExecute taints; the first untolerated taint is
 * the reason. A cluster in the scheduling result always passes: evicting from it is the taint manager's task.
 */
export const taintToleration: Filter = {
  plugin: 'TaintToleration',
  spares: 'assigned',
  demands(spec, _status, { rules }) {
    const heeds = respectsPreferNoExecute(spec, rules);
    const all = tolerated(spec.placement?.clusterTolerations ?? [], heeds);
    const tasks = spec.gracefulEvictionTasks;
    if (rules.evictedClusters === 'filtered' || !tasks?.length) return [all];
    const left = tasks.map(({ fromCluster }) =>
      onCluster(fromCluster, tolerated(tolerationsFor(spec, fromCluster, rules), heeds)),
    );
    return [...left, all];
  },
  evidence: (spec, _status, cluster, context) => taintTolerationEvidence(spec, cluster, context),
};

function tolerated(tolerations: readonly Toleration[], heeds: boolean): FilterDemand {
  const untolerated = (taints: readonly Taint[]) => untoleratedTaint(taints, tolerations, heeds);
  return {
    reject({ spec }) {
      const taint = spec?.taints && untolerated(spec.taints);
      return taint && `cluster(s) had untolerated taint {${formatTaint(taint)}}`;
    },
    keep: (set, columns) =>
      keepAccepted(set, columns.taints(), (taints) => untolerated(taints) === undefined),
  };
}

/** A requirement for only one cluster; others pass. */
function onCluster(name: string, { reject }: FilterDemand): FilterDemand {
  return {
    reject: (cluster) => (cluster.metadata.name === name ? reject(cluster) : undefined),
    keep(set, { index, clusters }) {
      const at = index.get(name);
      const cluster = at === undefined ? undefined : clusters[at];
      if (at !== undefined && cluster && reject(cluster) !== undefined) removeCluster(set, at);
    },
  };
}

/**
 * The tolerations that apply to scheduling on a cluster. If eviction tasks do not exclude their clusters, tolerations
 * with tolerationSeconds do not apply to a task's cluster: otherwise the workload would return to the cluster that
 * evicted it.
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

/**
 * Whether PreferNoExecute taints keep a binding off a cluster: if its policy enables active migration, it would leave
 * again. No toleration helps. Design optimize-cluster-failover.
 */
export function respectsPreferNoExecute(
  { failover }: Pick<ResourceBindingSpec, 'failover'>,
  { preferNoExecute }: SchedulingRules,
): boolean {
  return preferNoExecute && failover?.cluster != null;
}

/**
 * The first taint that keeps new workloads off the cluster.
 *
 * @param heeds `respectsPreferNoExecute` of the binding
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

/** All untolerated taints that keep new workloads off the cluster. */
function taintTolerationEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  { rules }: Pick<FilterContext, 'rules'>,
): Evidence[] {
  const tolerations = tolerationsFor(spec, cluster.metadata.name, rules);
  const given = spec.placement?.clusterTolerations ?? [];
  const heeds = respectsPreferNoExecute(spec, rules);
  const effectText = (taint: Taint) =>
    taint.effect === 'PreferNoExecute'
      ? 'rejects workloads whose policy sets failover.cluster'
      : `is ${untoleratedTaint([taint], given) ? 'not' : 'no longer'} tolerated`;
  return (cluster.spec?.taints ?? []).flatMap((taint, index): Evidence | [] =>
    untoleratedTaint([taint], tolerations, heeds) === undefined
      ? []
      : {
          rule: `taint ${formatTaint(taint)} ${effectText(taint)}`,
          object: { kind: 'Cluster', name: cluster.metadata.name },
          field: `spec.taints[${index}]`,
          value: taint,
        },
  );
}
