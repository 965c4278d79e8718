import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../api/work.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { diagnose, fitErrorMessage } from './diagnosis.ts';
import { assignReplicas } from './division/assignReplicas.ts';
import { wrapped, type ScheduleError } from './errors.ts';
import { rankClusters } from './rankClusters.ts';
import type { Tie } from './division/tie.ts';
import { selectClusters } from './spread/selectClusters.ts';
import type { AttemptTrace } from './trace.ts';

export type ScheduleResult =
  | {
      clusters: TargetCluster[];
      /** what Karmada decides by lot: the result is one of several, see `possibleOutcomes` */
      tie?: Tie;
      /** Karmada lists some of the clusters in any order (before v1.16) */
      unordered?: true;
    }
  | { error: ScheduleError; tie?: undefined };

/**
 * One scheduling decision: filter, score, select, assign (genericScheduler.Schedule of Karmada, by the rules of the
 * snapshot's version). The order of the result is Karmada's, except for clusters that keep what they have in a
 * scale-up, and before v1.16 those of equal weight: Karmada leaves their order open.
 *
 * @param winners who wins random ties (before v1.16); absent: the first names
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
  if ('error' in selection) return { error: wrapped('failed to select clusters', selection.error) };
  if (trace)
    for (const at of selection.clusters) {
      const seen = trace.clusters.find(({ name }) => name === snapshot.clusters[at]!.metadata.name);
      if (seen) seen.selected = true;
    }

  const assignment = assignReplicas(snapshot, selection.clusters, ranked, spec, status, winners, trace);
  if ('error' in assignment) return { error: wrapped('failed to assign replicas', assignment.error) };
  if (!snapshot.options.enableEmptyWorkloadPropagation) return assignment;
  const { clusters } = assignment;
  const placed = new Set(clusters.map(({ name }) => name));
  const empty = selection.clusters
    .map((at) => ({ name: snapshot.clusters[at]!.metadata.name, replicas: 0 }))
    .filter(({ name }) => !placed.has(name));
  return { ...assignment, clusters: [...clusters, ...empty] };
}
