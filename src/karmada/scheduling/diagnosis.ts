import type { ResourceBindingSpec, ResourceBindingStatus } from '../api/work.ts';
import { clusterIndexes, hasCluster, removeAll } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { assignedClusters, keepPassing } from './feasibleClusters.ts';
import { availableOn, scoreOf, type RankedClusters } from './rankClusters.ts';
import type { ClusterTrace } from './trace.ts';

/** Every cluster with all that the filters say against it, its score and its room. */
export function diagnose(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  ranked: RankedClusters,
): ClusterTrace[] {
  const candidates = snapshot.candidates();
  const positions = new Map(ranked.clusters.map((at, position) => [at, position]));
  return snapshot.clusters.map((cluster, at): ClusterTrace => {
    const { name } = cluster.metadata;
    if (!hasCluster(candidates, at)) return { name, deleting: true, filters: [], fits: false };
    const position = positions.get(at);
    return {
      name,
      deleting: false,
      ...(cluster.spec?.region ? { region: cluster.spec.region } : {}),
      filters: snapshot.filters.map(({ plugin, reject, evidence }) => {
        const reason = reject(spec, status, cluster, snapshot);
        return reason === undefined
          ? { plugin }
          : { plugin, reason, evidence: evidence(spec, status, cluster, snapshot) };
      }),
      fits: position !== undefined,
      allocatableReplicas: ranked.allocatable[at]!,
      availableReplicas: availableOn(ranked, at),
      ...(position === undefined ? {} : { rank: position, score: scoreOf(ranked, at), selected: false }),
    };
  });
}

/**
 * The text of a FitError: how many clusters each reason rejects, sorted as text. A cluster counts with the
 * first filter that rejects it; Karmada's own choice among several varies.
 */
export function fitErrorMessage(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): string {
  const counts = new Map<string, number>();
  const assigned = assignedClusters(snapshot, spec);
  const left = snapshot.candidates().slice();
  for (const filter of snapshot.filters) {
    const rejected = left.slice();
    keepPassing(left, filter, assigned, snapshot, spec, status);
    removeAll(rejected, left);
    for (const at of clusterIndexes(rejected)) {
      const reason = filter.reject(spec, status, snapshot.clusters[at]!, snapshot)!;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort((a, b) => (a < b ? -1 : 1));
  return `0/${snapshot.clusters.length} clusters are available: ${reasons.join(', ') || 'no cluster exists'}.`;
}
