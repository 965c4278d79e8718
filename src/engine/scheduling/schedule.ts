import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { diagnose, fitErrorMessage } from './diagnosis.ts';
import { assignReplicas } from './division/assignReplicas.ts';
import { wrapped, type ScheduleError } from './errors.ts';
import { rankClusters } from './rankClusters.ts';
import { selectClusters } from './spread/selectClusters.ts';
import type { AttemptTrace } from './trace.ts';

export type ScheduleResult = { clusters: TargetCluster[] } | { error: ScheduleError };

/**
 * One scheduling decision: filter, score, select, assign (Karmada v1.18, genericScheduler.Schedule). The order
 * of the result is Karmada's, but for clusters that keep what they have in a scale-up, whose order Karmada
 * leaves open.
 */
export function schedule(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  trace?: AttemptTrace,
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

  const assignment = assignReplicas(snapshot, selection.clusters, ranked, spec, status, trace);
  if ('error' in assignment) return { error: wrapped('failed to assign replicas', assignment.error) };
  const { clusters } = assignment;
  if (!snapshot.options.enableEmptyWorkloadPropagation) return { clusters };
  const placed = new Set(clusters.map(({ name }) => name));
  const empty = selection.clusters
    .map((at) => ({ name: snapshot.clusters[at]!.metadata.name, replicas: 0 }))
    .filter(({ name }) => !placed.has(name));
  return { clusters: [...clusters, ...empty] };
}
