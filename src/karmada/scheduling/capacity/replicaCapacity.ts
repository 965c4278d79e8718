/** How many replicas fit on each cluster, by the cluster's index; frequent queries are cached. */
export class ReplicaCapacity {
  readonly values: Int32Array;
  #order: Int32Array | undefined;
  readonly #present = new Map<number, boolean>();

  constructor(values: Int32Array) {
    this.values = values;
  }

  /** All indexes, largest capacity first, equals by index. */
  get order(): Int32Array {
    return (this.#order ??= this.values.map((_, at) => at).sort((a, b) => compare(this.values, a, b)));
  }

  /** The capacity after the values of some clusters, given by index, have changed. */
  with(changed: ReadonlyMap<number, number>): ReplicaCapacity {
    const next = new ReplicaCapacity(this.values.slice());
    const order = this.#order?.slice();
    for (const [at, value] of changed) {
      next.values[at] = value;
      if (order) move(order, next.values, at);
    }
    next.#order = order;
    return next;
  }

  /** Whether some cluster has capacity for exactly this many. */
  has(replicas: number): boolean {
    let present = this.#present.get(replicas);
    if (present === undefined) this.#present.set(replicas, (present = this.values.includes(replicas)));
    return present;
  }
}

function compare(values: Int32Array, a: number, b: number): number {
  return values[b]! - values[a]! || a - b;
}

/** Moves one index to its new position; the others are already in order. */
function move(order: Int32Array, values: Int32Array, one: number): void {
  const from = order.indexOf(one);
  const last = order.length - 1;
  order.copyWithin(from, from + 1);
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(values, order[middle]!, one) < 0) low = middle + 1;
    else high = middle;
  }
  order.copyWithin(low + 1, low, last);
  order[low] = one;
}
