import { clusterIndexes, clusterSetOf } from '../../selection/clusterSet.ts';
import { divideByLot } from './divideByLot.ts';
import {
  noShares,
  noteDivision,
  targetsOf,
  type Assignment,
  type Division,
  type Shares,
} from './division.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';

/** Static weights: always divides from scratch; before v1.16 present replicas count in ties. */
export function divideStatically(division: Division): Assignment {
  const { replicas, snapshot, spec } = division;
  const { weights, ruled } = staticWeights(division);
  noteDivision(division, 'StaticWeight', 'from scratch', replicas, weights);
  if (snapshot.rules.division === 'roundedDown')
    return divideByLot(division, replicas, weights, noShares, ruled ? division.ranked.assigned : undefined);
  const seats = divideByWebster(replicas, weights.of, laterNamesFirst(spec.resource.uid));
  return { clusters: targetsOf(division, { clusters: weights.clusters, of: seats }) };
}

/**
 * A cluster's weight is the greatest of the rules that select it. Clusters without a weight take no part, unless none
 * has one: then all count the same. `ruled`: rules gave the weights, be it only the one that Karmada adds if there is
 * no preference.
 */
function staticWeights({ snapshot, selected, spec }: Division): { weights: Shares; ruled: boolean } {
  const candidates = clusterSetOf(selected, snapshot.clusters.length);
  const weights = new Map<number, number>();
  for (const rule of spec.placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []) {
    const matching = candidates.slice();
    snapshot.affinities.keep(matching, snapshot, rule.targetCluster);
    for (const at of clusterIndexes(matching))
      if (rule.weight > (weights.get(at) ?? 0)) weights.set(at, rule.weight);
  }
  const clusters = clusterIndexes(candidates);
  const unasked = spec.placement?.replicaScheduling?.weightPreference == null;
  if (weights.size === 0) return { weights: { clusters, of: clusters.map(() => 1) }, ruled: unasked };
  const weighted = clusters.filter((at) => weights.has(at));
  return { weights: { clusters: weighted, of: weighted.map((at) => weights.get(at)!) }, ruled: true };
}
