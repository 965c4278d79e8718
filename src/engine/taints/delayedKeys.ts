import { createHeap } from '../heap.ts';

/** Keys that wait for an instant, each once, at the earliest instant asked for. */
export interface DelayedKeys<Key> {
  add(key: Key, at: number): void;
  /** the instant of the first key, undefined without any */
  next(): number | undefined;
  /** Takes out the first key; of the same instant the one that was added first. */
  take(): Key | undefined;
}

interface Entry<Key> {
  key: Key;
  at: number;
  order: number;
}

/** Adding and taking are logarithmic in the number of keys. */
export function createDelayedKeys<Key>(): DelayedKeys<Key> {
  const heap = createHeap<Entry<Key>>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  const entries = new Map<Key, Entry<Key>>();
  let added = 0;

  /** Drops entries whose key has been given an earlier instant since. */
  function first(): Entry<Key> | undefined {
    let entry = heap.first();
    while (entry && entries.get(entry.key) !== entry) {
      heap.pop();
      entry = heap.first();
    }
    return entry;
  }

  return {
    add(key, at) {
      const known = entries.get(key);
      if (known && known.at <= at) return;
      const entry = { key, at, order: added++ };
      entries.set(key, entry);
      heap.push(entry);
    },
    next: () => first()?.at,
    take() {
      const entry = first();
      if (!entry) return undefined;
      heap.pop();
      entries.delete(entry.key);
      return entry.key;
    },
  };
}
