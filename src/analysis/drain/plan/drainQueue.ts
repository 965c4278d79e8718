import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { DrainOrder } from '../decide/drainOrder.ts';
import { queueOrder } from '../decide/queueOrder.ts';

/** The bindings that a simulated drain has yet to evict, by key, a few at a time. */
export interface DrainQueue {
  add(key: string): void;
  /** The next few; empty after the last ones. */
  next(): string[];
  /** Moves bindings that cannot be evicted now behind all others. */
  setAside(keys: readonly string[]): void;
  /** Lets `next` begin anew. */
  rewind(): void;
}

/** How many bindings at a time: more than the first is needed only if that has no place to go to. */
const SOME = 8;

/**
 * The bindings on the drained clusters, in the order of a drain.
 *
 * @param skipped keys of the bindings that had no place to go to in their turn
 * @param waiting the binding of a key if it waits to be evicted, else undefined
 */
export function createDrainQueue(
  order: DrainOrder,
  skipped: ReadonlySet<string>,
  waiting: (key: string) => ResourceBinding | undefined,
): DrainQueue {
  const members = new Set<string>();
  const aside = new Set<string>();
  let sorted: string[] = [];
  /** the sorted list is out of date: sort again when `next` begins anew */
  let stale = true;
  /** how many were skipped at the last sort */
  let skippedThen = 0;
  /** every entry before it has left */
  let head = 0;
  let at = 0;

  function sort(): void {
    const queued: { key: string; binding: ResourceBinding }[] = [];
    for (const key of members) {
      const binding = waiting(key);
      if (binding) queued.push({ key, binding });
      else members.delete(key);
    }
    const tried = (key: string) => skipped.has(key) || aside.has(key);
    sorted = queued.sort(queueOrder(queued, order, tried)).map(({ key }) => key);
    stale = false;
    skippedThen = skipped.size;
    head = at = 0;
  }

  return {
    add(key) {
      if (members.has(key)) return;
      members.add(key);
      stale = true;
    },
    next() {
      if (stale && at === head) sort();
      const some: string[] = [];
      for (; at < sorted.length && some.length < SOME; at++) if (waiting(sorted[at]!)) some.push(sorted[at]!);
      return some;
    },
    setAside(keys) {
      for (const key of keys) {
        stale ||= !aside.has(key);
        aside.add(key);
      }
    },
    rewind() {
      while (head < sorted.length && !waiting(sorted[head]!)) head++;
      at = head;
      stale ||= skipped.size !== skippedThen;
    },
  };
}
