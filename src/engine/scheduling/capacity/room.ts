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
    const { values } = this;
    return (this.#order ??= values.map((_, at) => at).sort((a, b) => values[b]! - values[a]! || a - b));
  }

  /** Whether some cluster has room for exactly so many. */
  has(replicas: number): boolean {
    let present = this.#present.get(replicas);
    if (present === undefined) this.#present.set(replicas, (present = this.values.includes(replicas)));
    return present;
  }
}
