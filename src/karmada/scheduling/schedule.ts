import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../api/work.ts';
import { hasCluster } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { assignReplicas } from './division/assignReplicas.ts';
import type { DivisionTie } from '../controllers/controller.ts';
import { type ScheduleError, wrapError } from './errors.ts';
import { filterVerdicts, rejectionReason } from './filters/filters.ts';
import { type RankedClusters, availableOn, rankClusters, scoreOf } from './rankClusters.ts';
import { selectClusters } from './spread/selectClusters.ts';
import type { AttemptTrace, ClusterTrace } from './trace.ts';

type ScheduleResult =
  | {
      clusters: TargetCluster[];
      /** a random choice of Karmada: the result is one of several, see `possibleOutcomes` */
      tie?: DivisionTie;
      /** Karmada lists some of the clusters in any order (before v1.16) */
      unordered?: true;
    }
  | { error: ScheduleError; tie?: undefined };

/**
 * One scheduling decision: filter, score, select, assign (genericScheduler.Schedule of Karmada, by the rules of the
 * snapshot's version). The result is in Karmada's order, except for clusters that keep their replicas in a scale-up,
 * and before v1.16 those of equal weight: Karmada leaves these open.
 *
 * @param winners the winners of random ties (before v1.16); absent: the first names
 */
export function schedule(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  trace?: AttemptTrace,
  winners?: ReadonlySet<string>,
): ScheduleResult {
  const ranked = rankClusters(snapshot, spec, status);
  if (trace) trace.clusters = diagnose(snapshot, spec, status, ranked);
  if (ranked.clusters.length === 0)
    return { error: { kind: 'FitError', message: fitErrorMessage(snapshot, spec, status) } };

  const selection = selectClusters(snapshot, ranked, spec, trace);
  if ('error' in selection) return { error: wrapError('failed to select clusters', selection.error) };
  if (trace)
    for (const at of selection.clusters) {
      const seen = trace.clusters.find(({ name }) => name === snapshot.clusters[at]!.metadata.name);
      if (seen) seen.selected = true;
    }

  const assignment = assignReplicas(snapshot, selection.clusters, ranked, spec, status, winners, trace);
  if ('error' in assignment) return { error: wrapError('failed to assign replicas', assignment.error) };
  if (!snapshot.options.enableEmptyWorkloadPropagation) return assignment;
  const { clusters } = assignment;
  const placed = new Set(clusters.map(({ name }) => name));
  const empty = selection.clusters
    .map((at) => ({ name: snapshot.clusters[at]!.metadata.name, replicas: 0 }))
    .filter(({ name }) => !placed.has(name));
  return { ...assignment, clusters: [...clusters, ...empty] };
}

/** Every cluster with all filters' reasons against it, its score and its capacity. */
function diagnose(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  ranked: RankedClusters,
): ClusterTrace[] {
  const candidates = snapshot.candidates();
  const asked = snapshot.filters.map((filter) => ({
    filter,
    judge: filterVerdicts(filter, spec, status, snapshot),
  }));
  const positions = new Map(ranked.clusters.map((at, position) => [at, position]));
  return snapshot.clusters.flatMap((cluster, at): ClusterTrace | [] => {
    if (at === snapshot.absent) return [];
    const { name } = cluster.metadata;
    if (!hasCluster(candidates, at)) return { name, deleting: true, filters: [], fits: false };
    const position = positions.get(at);
    return {
      name,
      deleting: false,
      ...(cluster.spec?.region ? { region: cluster.spec.region } : {}),
      filters: asked.map(({ filter, judge }) => {
        const { reason, spared } = judge(cluster);
        return reason === undefined
          ? { plugin: filter.plugin, ...(spared !== undefined && { spared }) }
          : {
              plugin: filter.plugin,
              reason,
              evidence: filter.evidence(spec, status, cluster, snapshot),
            };
      }),
      fits: position !== undefined,
      allocatableReplicas: ranked.allocatable[at]!,
      availableReplicas: availableOn(ranked, at),
      ...(position === undefined ? {} : { rank: position, score: scoreOf(ranked, at), selected: false }),
    };
  });
}

/**
 * The text of a FitError: how many clusters each reason rejects, sorted as text. A cluster counts for the first filter
 * that rejects it; Karmada's choice among several varies.
 */
function fitErrorMessage(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): string {
  const counts = new Map<string, number>();
  const candidates = snapshot.candidates();
  const left = new Set(snapshot.clusters.filter((_, at) => hasCluster(candidates, at)));
  for (const filter of snapshot.filters) {
    const reject = rejectionReason(filter, spec, status, snapshot);
    for (const cluster of left) {
      const reason = reject(cluster);
      if (reason === undefined) continue;
      left.delete(cluster);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort((a, b) => (a < b ? -1 : 1));
  const count = snapshot.clusters.length - (snapshot.absent === undefined ? 0 : 1);
  return `0/${count} clusters are available: ${reasons.join(', ') || 'no cluster exists'}.`;
}
