import type { ResourceBindingSpec, ResourceBindingStatus } from '../api/work.ts';
import { hasCluster } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { rejecting } from './filters/filters.ts';
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
  const asked = snapshot.filters.map((filter) => ({
    filter,
    reject: rejecting(filter, spec, status, snapshot),
  }));
  const positions = new Map(ranked.clusters.map((at, position) => [at, position]));
  return snapshot.clusters.map((cluster, at): ClusterTrace => {
    const { name } = cluster.metadata;
    if (!hasCluster(candidates, at)) return { name, deleting: true, filters: [], fits: false };
    const position = positions.get(at);
    return {
      name,
      deleting: false,
      ...(cluster.spec?.region ? { region: cluster.spec.region } : {}),
      filters: asked.map(({ filter, reject }) => {
        const reason = reject(cluster);
        return reason === undefined
          ? { plugin: filter.plugin }
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
 * The text of a FitError: how many clusters each reason rejects, sorted as text. A cluster counts with the
 * first filter that rejects it; Karmada's own choice among several varies.
 */
export function fitErrorMessage(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): string {
  const counts = new Map<string, number>();
  const candidates = snapshot.candidates();
  const left = new Set(snapshot.clusters.filter((_, at) => hasCluster(candidates, at)));
  for (const filter of snapshot.filters) {
    const reject = rejecting(filter, spec, status, snapshot);
    for (const cluster of left) {
      const reason = reject(cluster);
      if (reason === undefined) continue;
      left.delete(cluster);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort((a, b) => (a < b ? -1 : 1));
  return `0/${snapshot.clusters.length} clusters are available: ${reasons.join(', ') || 'no cluster exists'}.`;
}
