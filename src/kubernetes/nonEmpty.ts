/** A list of at least one item. */
type NonEmpty<T> = readonly [T, ...T[]];

/** The last item of a non-empty list. */
export function lastOf<T>(list: NonEmpty<T>): T {
  return list.at(-1) ?? list[0];
}

/** Groups items by a common key, keeping their order. */
export function groupedBy<K, T>(items: Iterable<T>, commonOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const common = commonOf(item);
    const group = groups.get(common);
    if (group) group.push(item);
    else groups.set(common, [item]);
  }
  return groups;
}

/** The items at the same positions of two lists, up to the shorter length. */
export function zip<A, B>(a: readonly A[], b: ArrayLike<B>): [A, B][] {
  return a.slice(0, b.length).map((item, at) => [item, b[at]!]);
}
