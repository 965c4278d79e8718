import type { Cluster } from '../api/cluster.ts';
import { addCluster, noClusters, removeAll, type ClusterSet } from './clusterSet.ts';

/** Clusters grouped by one of their properties: what holds for a value holds for its whole group. */
export interface Column<V> {
  readonly groups: readonly Group<V>[];
  /** the group that each cluster is in, by the cluster's index */
  readonly groupOf: readonly number[];
}

interface Group<V> {
  readonly value: V;
  readonly clusters: ClusterSet;
}

/** The properties of all clusters that affinities use. */
export interface ClusterColumns {
  /** a cluster's index by its name */
  readonly index: ReadonlyMap<string, number>;
  label(key: string): Column<string | undefined>;
  /** an empty provider is undefined; likewise for the region */
  provider(): Column<string | undefined>;
  region(): Column<string | undefined>;
  zones(): Column<readonly string[]>;
}

/** Groups clusters by a property; values are the same if their keys are. */
export function columnOf<V>(
  clusters: readonly Cluster[],
  valueOf: (cluster: Cluster) => V,
  keyOf: (value: V) => unknown = (value) => value,
): Column<V> {
  const groups: Group<V>[] = [];
  const known = new Map<unknown, number>();
  const groupOf = clusters.map((cluster, at) => {
    const value = valueOf(cluster);
    const key = keyOf(value);
    let group = known.get(key);
    if (group === undefined) {
      known.set(key, (group = groups.length));
      groups.push({ value, clusters: noClusters(clusters.length) });
    }
    addCluster(groups[group]!.clusters, at);
    return group;
  });
  return { groups, groupOf };
}

/** Keeps in `set` the clusters whose value is accepted. */
export function keepAccepted<V>(set: ClusterSet, column: Column<V>, accepts: (value: V) => boolean): void {
  for (const { value, clusters } of column.groups) if (!accepts(value)) removeAll(set, clusters);
}
