import type { TargetCluster } from '../../../karmada/api/work.ts';
import { keepMatching } from '../../selection/clusterAffinity.ts';
import { clusterIndexes, clusterSetOf } from '../../selection/clusterSet.ts';
import { noteDivision, targetClusters, type Division, type Shares } from './division.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';

/** Static weights: always from scratch, whatever is there already. */
export function divideStatically(division: Division): TargetCluster[] {
  const weights = staticWeights(division);
  noteDivision(division, 'StaticWeight', 'from scratch', division.replicas, weights);
  const seats = divideByWebster(division.replicas, weights.of, laterNamesFirst(division.spec.resource.uid));
  return targetClusters(division, { clusters: weights.clusters, of: seats });
}

/**
 * A cluster's weight is the greatest of the rules that select it. Clusters without a weight take no part, unless
 * none has one: then all count the same.
 */
function staticWeights({ snapshot, selected, spec }: Division): Shares {
  const candidates = clusterSetOf(selected, snapshot.clusters.length);
  const weights = new Map<number, number>();
  for (const rule of spec.placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []) {
    const matching = candidates.slice();
    keepMatching(matching, snapshot, rule.targetCluster);
    for (const at of clusterIndexes(matching))
      if (rule.weight > (weights.get(at) ?? 0)) weights.set(at, rule.weight);
  }
  const clusters = clusterIndexes(candidates);
  if (weights.size === 0) return { clusters, of: clusters.map(() => 1) };
  const weighted = clusters.filter((at) => weights.has(at));
  return { clusters: weighted, of: weighted.map((at) => weights.get(at)!) };
}
