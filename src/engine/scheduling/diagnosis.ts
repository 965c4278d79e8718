import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { apiEnablementFilter } from './filters/apiEnablement.ts';
import { clusterAffinityFilter } from './filters/clusterAffinity.ts';
import { clusterEvictionFilter } from './filters/clusterEviction.ts';
import { spreadConstraintFilter } from './filters/spreadConstraint.ts';
import { taintTolerationFilter } from './filters/taintToleration.ts';
import type { RankedClusters } from './rankClusters.ts';
import {
  apiEnablementEvidence,
  clusterAffinityEvidence,
  clusterEvictionEvidence,
  spreadConstraintEvidence,
  taintTolerationEvidence,
} from './rejectionEvidence.ts';
import type { ClusterTrace } from './trace.ts';

type Question<Answer> = (
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
) => Answer;

interface Filter {
  plugin: string;
  reject: Question<string | undefined>;
  /** what a refusal rests on, with all that speaks against the cluster */
  evidence: Question<Evidence[]>;
}

/**
 * The scheduler's filters by plugin name. Karmada runs them in no fixed order and stops at the first refusal; here
 * all of them speak, in this order.
 */
export const filters: readonly Filter[] = [
  {
    plugin: 'APIEnablement',
    reject: (spec, _status, cluster) => apiEnablementFilter(spec, cluster),
    evidence: (spec, _status, cluster) => apiEnablementEvidence(spec, cluster),
  },
  { plugin: 'ClusterAffinity', reject: clusterAffinityFilter, evidence: clusterAffinityEvidence },
  {
    plugin: 'ClusterEviction',
    reject: (spec, _status, cluster) => clusterEvictionFilter(spec, cluster),
    evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
  },
  {
    plugin: 'SpreadConstraint',
    reject: (spec, _status, cluster) => spreadConstraintFilter(spec.placement?.spreadConstraints, cluster),
    evidence: (spec, _status, cluster) => spreadConstraintEvidence(spec, cluster),
  },
  {
    plugin: 'TaintToleration',
    reject: (spec, _status, cluster) => taintTolerationFilter(spec, cluster),
    evidence: (spec, _status, cluster) => taintTolerationEvidence(spec, cluster),
  },
];

/** Every cluster with all that speaks against it, its score and its room. */
export function diagnose(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  ranked: RankedClusters,
): ClusterTrace[] {
  const positions = new Map(ranked.clusters.map((at, position) => [at, position]));
  return snapshot.clusters.map((cluster, at): ClusterTrace => {
    const { name, deletionTimestamp } = cluster.metadata;
    if (deletionTimestamp) return { name, deleting: true, filters: [], fits: false };
    const position = positions.get(at);
    return {
      name,
      deleting: false,
      filters: filters.map(({ plugin, reject, evidence }) => {
        const reason = reject(spec, status, cluster);
        return reason === undefined
          ? { plugin }
          : { plugin, reason, evidence: evidence(spec, status, cluster) };
      }),
      fits: position !== undefined,
      allocatableReplicas: ranked.allocatable[at]!,
      availableReplicas: ranked.available(at),
      ...(position === undefined ? {} : { rank: position, score: ranked.scores[position]!, selected: false }),
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
  for (const cluster of snapshot.clusters) {
    if (cluster.metadata.deletionTimestamp) continue;
    for (const { reject } of filters) {
      const reason = reject(spec, status, cluster);
      if (reason === undefined) continue;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      break;
    }
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort((a, b) => (a < b ? -1 : 1));
  return `0/${snapshot.clusters.length} clusters are available: ${reasons.join(', ') || 'no cluster exists'}.`;
}
