/** First in, first out. Adding and removing take amortized constant time. */
export interface Fifo<Item> {
  push(item: Item): void;
  /** removes and returns the oldest item */
  take(): Item | undefined;
  size(): number;
  /** all items in order, without removing them */
  all(): Item[];
}

/** @param items the initial items, in order */
export function createFifo<Item>(items: Iterable<Item> = []): Fifo<Item> {
  let waiting = [...items];
  let head = 0;
  return {
    push: (item) => void waiting.push(item),
    take() {
      if (head === waiting.length) return undefined;
      const item = waiting[head++];
      // Drops the consumed front once it is the larger part.
      if (head > 1024 && head * 2 > waiting.length) {
        waiting = waiting.slice(head);
        head = 0;
      }
      return item;
    },
    size: () => waiting.length - head,
    all: () => waiting.slice(head),
  };
}

/** A binary heap: reads the first item in constant time, adds and removes in logarithmic time. */
interface Heap<Item> {
  push(item: Item): void;
  /** the first item, without removing it */
  first(): Item | undefined;
  /** removes and returns the first item */
  pop(): Item | undefined;
  size(): number;
  /** all items in order, without removing them */
  all(): Item[];
}

/** An empty heap; the order is deterministic only if `before` is a strict total order. */
export function createHeap<Item>(before: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = [];
  return {
    first: () => items[0],
    size: () => items.length,
    all: () => items.toSorted((a, b) => (before(a, b) ? -1 : 1)),
    push(item) {
      let i = items.length;
      items.push(item);
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (!before(item, items[parent]!)) break;
        items[i] = items[parent]!;
        i = parent;
      }
      items[i] = item;
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      let i = 0;
      for (;;) {
        let child = 2 * i + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
        if (!before(items[child]!, last)) break;
        items[i] = items[child]!;
        i = child;
      }
      items[i] = last;
      return first;
    },
  };
}
