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

/** @param counts whether an item still does: others are passed over as if they had never been planned */
export function createSchedule<Item>(counts: (item: Item) => boolean): Schedule<Item> {
  const before = (a: Entry<Item>, b: Entry<Item>) =>
    a.at !== b.at ? a.at < b.at : a.outside !== b.outside ? a.outside : a.order < b.order;
  const heap = createHeap(before);
  let planned = 0;
  function first(): Entry<Item> | undefined {
    let entry = heap.first();
    while (entry && !counts(entry.item)) {
      heap.pop();
      entry = heap.first();
    }
    return entry;
  }
  return {
    add(at, item, from) {
      heap.push({ at, item, outside: from === 'outside', order: planned++ });
    },
    next: () => first()?.at,
    take: () => first() && heap.pop(),
    all: () => heap.all().flatMap(({ at, item }) => (counts(item) ? [{ at, item }] : [])),
  };
}

interface Entry<Item> extends Planned<Item> {
  outside: boolean;
  order: number;
}
