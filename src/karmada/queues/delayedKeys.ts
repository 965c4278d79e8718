import { createHeap } from '../objects/queues.ts';

/** Keys that wait for an instant, each once, at the earliest requested instant. */
export interface DelayedKeys {
  add(key: string, at: number): void;
  /** the instant of the first key, undefined if empty */
  next(): number | undefined;
  /** Removes and returns the first key; at the same instant, the one that was added first. */
  take(): string | undefined;
  /** Removes a key, whenever it is due. */
  remove(key: string): void;
  /** all keys with their instants, in the order of removal */
  save(): [key: string, at: number][];
}

interface Entry {
  key: string;
  at: number;
  order: number;
}

const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

/**
 * Adding and removing take logarithmic time in the number of keys.
 *
 * @param saved the result of `save`, to resume from
 */
export function createDelayedKeys(saved: readonly [key: string, at: number][] = []): DelayedKeys {
  const heap = createHeap<Entry>(before);
  const entries = new Map<string, Entry>();
  let added = 0;

  function add(key: string, at: number): void {
    const known = entries.get(key);
    if (known && known.at <= at) return;
    const entry = { key, at, order: added++ };
    entries.set(key, entry);
    heap.push(entry);
  }

  /** Drops entries whose key now has an earlier instant. */
  function first(): Entry | undefined {
    let entry = heap.first();
    while (entry && entries.get(entry.key) !== entry) {
      heap.pop();
      entry = heap.first();
    }
    return entry;
  }

  for (const [key, at] of saved) add(key, at);
  return {
    add,
    next: () => first()?.at,
    take() {
      const entry = first();
      if (!entry) return undefined;
      heap.pop();
      entries.delete(entry.key);
      return entry.key;
    },
    remove: (key) => void entries.delete(key),
    save: () => [...entries.values()].sort((a, b) => (before(a, b) ? -1 : 1)).map(({ key, at }) => [key, at]),
  };
}
