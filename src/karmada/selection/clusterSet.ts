/** A set of clusters: a bit for each, by its index in a list of clusters. */
export type ClusterSet = Int32Array;

/** The empty set over `size` clusters. */
export function noClusters(size: number): ClusterSet {
  return new Int32Array((size + 31) >>> 5);
}

/** The set of some out of `size` clusters. */
export function clusterSetOf(indexes: Iterable<number>, size: number): ClusterSet {
  const set = noClusters(size);
  for (const at of indexes) addCluster(set, at);
  return set;
}

/** Whether the cluster at a position is in the set. */
export function hasCluster(set: ClusterSet, at: number): boolean {
  return (set[at >>> 5]! & (1 << at)) !== 0;
}

/** Puts the cluster at a position into the set. */
export function addCluster(set: ClusterSet, at: number): void {
  set[at >>> 5]! |= 1 << at;
}

/** Takes the cluster at a position out of the set. */
export function removeCluster(set: ClusterSet, at: number): void {
  set[at >>> 5]! &= ~(1 << at);
}

/** Keeps in `set` what is in `other` too. */
export function keepCommon(set: ClusterSet, other: ClusterSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= other[word]!;
}

/** Takes out of `set` what is in `other`. */
export function removeAll(set: ClusterSet, other: ClusterSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= ~other[word]!;
}

/** Puts all clusters of another set into this one. */
export function addAll(set: ClusterSet, other: ClusterSet): void {
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
