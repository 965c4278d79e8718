import { createHeap } from '../../karmada/objects/queues.ts';

export interface Plannable {
  /** epoch milliseconds */
  readonly time: number;
  /** its position among items of the same instant; the schedule sets it */
  turn: number;
}

/** Planned items, ordered by instant; at the same instant external ones first, then those planned earlier. */
interface Schedule<Item extends Plannable> {
  add(item: Item, from?: 'outside'): void;
  /** the instant of the first item */
  next(): number | undefined;
  take(): Item | undefined;
  /** all items, the first one first */
  all(): Item[];
}

/** The position of the first external item: before all others. */
const OUTSIDE = -(2 ** 30);

/** @param counts whether an item is still valid; others are skipped */
export function createSchedule<Item extends Plannable>(counts: (item: Item) => boolean): Schedule<Item> {
  const heap = createHeap<Item>((a, b) => (a.time !== b.time ? a.time < b.time : a.turn < b.turn));
  let planned = 0;
  function first(): Item | undefined {
    let item = heap.first();
    while (item && !counts(item)) {
      heap.pop();
      item = heap.first();
    }
    return item;
  }
  return {
    add(item, from) {
      item.turn = (from === 'outside' ? OUTSIDE : 0) + planned++;
      heap.push(item);
    },
    next: () => first()?.time,
    take: () => first() && heap.pop(),
    all: () => heap.all().filter(counts),
  };
}
