import { createHeap } from '../objects/heap.ts';

/**
 * What is to happen, ordered by instant; if instants are equal what comes from outside is first, and else what was planned
 * first.
 */
export interface Schedule<Item> {
  /** @param at epoch milliseconds */
  add(at: number, item: Item, from?: 'outside'): void;
  /** the instant of the first item */
  next(): number | undefined;
  take(): Planned<Item> | undefined;
  /** all items, the first one first */
  all(): Planned<Item>[];
}

export interface Planned<Item> {
  at: number;
  item: Item;
}

export function createSchedule<Item>(): Schedule<Item> {
  const before = (a: Entry<Item>, b: Entry<Item>) =>
    a.at !== b.at ? a.at < b.at : a.outside !== b.outside ? a.outside : a.order < b.order;
  const heap = createHeap(before);
  const entries = new Set<Entry<Item>>();
  let planned = 0;
  return {
    add(at, item, from) {
      const entry = { at, item, outside: from === 'outside', order: planned++ };
      entries.add(entry);
      heap.push(entry);
    },
    next: () => heap.first()?.at,
    take() {
      const entry = heap.pop();
      if (entry) entries.delete(entry);
      return entry;
    },
    all: () => [...entries].sort((a, b) => (before(a, b) ? -1 : 1)).map(({ at, item }) => ({ at, item })),
  };
}

interface Entry<Item> extends Planned<Item> {
  outside: boolean;
  order: number;
}
