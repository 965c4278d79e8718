import type { Cluster } from '../api/cluster.ts';
import type { Selects } from '../objects/placement.ts';
import { clusterMatches, type AffinityRules } from './clusterAffinity.ts';

/** Asks affinities about the clusters of a world, by name. */
export function selectsAmong(
  clusterNamed: (name: string) => Cluster | undefined,
  rules: AffinityRules,
): Selects {
  return (affinity, name) => {
    const cluster = clusterNamed(name);
    return cluster === undefined || clusterMatches(cluster, affinity, rules);
  };
}
