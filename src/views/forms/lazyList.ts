/** A list whose items are made as they are read: all items of a large fleet at once would take much memory. */
export class LazyList<From, To> {
  readonly #from: readonly From[];
  readonly #make: (one: From) => To;

  constructor(from: readonly From[], make: (one: From) => To) {
    this.#from = from;
    this.#make = make;
  }

  get length(): number {
    return this.#from.length;
  }

  slice(start: number, end: number): To[] {
    return this.#from.slice(start, end).map(this.#make);
  }

  /** JSON gets all items. */
  toJSON(): To[] {
    return this.slice(0, this.length);
  }
}
