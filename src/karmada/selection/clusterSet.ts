import type { Cluster } from '../api/cluster.ts';

/** A set of clusters: a bit for each, by its index in a list of clusters. */
export type ClusterSet = Int32Array;

/** The empty set over `size` clusters. */
export function noClusters(size: number): ClusterSet {
  return new Int32Array((size + 31) >>> 5);
}

/** The set of some of `size` clusters. */
export function clusterSetOf(indexes: Iterable<number>, size: number): ClusterSet {
  const set = noClusters(size);
  for (const at of indexes) addCluster(set, at);
  return set;
}

/** Whether the cluster at a position is in the set. */
export function hasCluster(set: ClusterSet, at: number): boolean {
  return (set[at >>> 5]! & (1 << at)) !== 0;
}

/** Adds the cluster at a position to the set. */
export function addCluster(set: ClusterSet, at: number): void {
  set[at >>> 5]! |= 1 << at;
}

/** Removes the cluster at a position from the set. */
export function removeCluster(set: ClusterSet, at: number): void {
  set[at >>> 5]! &= ~(1 << at);
}

/** Keeps in `set` the clusters that are also in `other`. */
export function keepCommon(set: ClusterSet, other: ClusterSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= other[word]!;
}

function removeAll(set: ClusterSet, other: ClusterSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= ~other[word]!;
}

/** Adds all clusters of another set to this one. */
export function addClusters(set: ClusterSet, other: ClusterSet): void {
  for (let word = 0; word < set.length; word++) set[word]! |= other[word]!;
}

/** How many clusters are in the set. */
export function countClusters(set: ClusterSet): number {
  let count = 0;
  for (let word = 0; word < set.length; word++)
    for (let bits = set[word]!; bits !== 0; bits &= bits - 1) count++;
  return count;
}

/** The members' indexes, ascending. */
export function clusterIndexes(set: ClusterSet): number[] {
  const indexes: number[] = [];
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word]!; bits !== 0; bits &= bits - 1) {
      indexes.push(word * 32 + 31 - Math.clz32(bits & -bits));
    }
  }
  return indexes;
}

/** Clusters grouped by one of their properties: a result for a value applies to its whole group. */
export interface Column<V> {
  readonly groups: readonly Group<V>[];
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
  /** undefined if empty; likewise the region */
  provider(): Column<string | undefined>;
  region(): Column<string | undefined>;
  zones(): Column<readonly string[]>;
}

/** Groups clusters by a property; values are equal if their keys are. */
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
