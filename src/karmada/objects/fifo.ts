/** First in, first out. Adding and taking are constant in time, on average. */
export interface Fifo<Item> {
  push(item: Item): void;
  /** removes and returns the oldest item */
  take(): Item | undefined;
  size(): number;
  /** all items in their order, left in place */
  all(): Item[];
}

/** @param items the items to begin with, in their order */
export function createFifo<Item>(items: Iterable<Item> = []): Fifo<Item> {
  let waiting = [...items];
  let head = 0;
  return {
    push: (item) => void waiting.push(item),
    take() {
      if (head === waiting.length) return undefined;
      const item = waiting[head++];
      // Cuts off the consumed front once it is the larger part.
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
