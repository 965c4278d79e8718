import type { Cluster } from '../api/cluster.ts';
import type { ClusterFacts } from '../objects/placement.ts';
import { clusterMatches, type AffinityRules } from './clusterAffinity.ts';

/** Answers what is asked about the clusters of a world by name. */
export function factsOfClusters(
  clusterNamed: (name: string) => Cluster | undefined,
  rules: AffinityRules,
): ClusterFacts {
  return {
    isSelected(affinity, name) {
      const cluster = clusterNamed(name);
      return cluster === undefined || clusterMatches(cluster, affinity, rules);
    },
    regionOf: (name) => clusterNamed(name)?.spec?.region,
  };
}
