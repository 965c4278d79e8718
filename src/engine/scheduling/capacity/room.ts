/** How many replicas each cluster has room for, by the cluster's index; what is asked of it often is worked out once. */
export class Room {
  readonly values: Int32Array;
  #order: Int32Array | undefined;
  readonly #present = new Map<number, boolean>();

  constructor(values: Int32Array) {
    this.values = values;
  }

  /** All indexes, most room first, equals by index. */
  get order(): Int32Array {
    return (this.#order ??= this.values.map((_, at) => at).sort(this.#compare));
  }

  /** The room after some of the clusters have got other values, by index. */
  with(changed: ReadonlyMap<number, number>): Room {
    const values = this.values.slice();
    for (const [at, value] of changed) values[at] = value;
    const next = new Room(values);
    if (this.#order) next.#order = next.#resorted(this.#order, changed);
    return next;
  }

  /** In time that depends on how many have changed, where sorting all anew takes much longer. */
  #resorted(before: Int32Array, changed: ReadonlyMap<number, number>): Int32Array {
    const order = new Int32Array(before.length);
    const moved = [...changed.keys()].sort(this.#compare);
    let next = 0;
    let at = 0;
    for (const one of before) {
      if (changed.has(one)) continue;
      while (next < moved.length && this.#compare(moved[next]!, one) < 0) order[at++] = moved[next++]!;
      order[at++] = one;
    }
    while (next < moved.length) order[at++] = moved[next++]!;
    return order;
  }

  #compare = (a: number, b: number): number => this.values[b]! - this.values[a]! || a - b;

  /** Whether some cluster has room for exactly so many. */
  has(replicas: number): boolean {
    let present = this.#present.get(replicas);
    if (present === undefined) this.#present.set(replicas, (present = this.values.includes(replicas)));
    return present;
  }
}
