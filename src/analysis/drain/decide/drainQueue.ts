import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { type DrainOrder, queueOrder } from './drainOrder.ts';

/** The bindings that a drain has not evicted yet, by key, a few at a time. */
export interface DrainQueue {
  add(key: string): void;
  /**
   * The next few; empty at the end.
   *
   * @param skipped keys of those that cannot be evicted now, sorted behind all others
   */
  next(skipped: ReadonlySet<string>): string[];
  /** Makes `next` start over. */
  rewind(skipped: ReadonlySet<string>): void;
}

/** How many bindings at a time: later ones are needed only if the first has no possible replacement. */
const SOME = 8;

/**
 * The bindings on the drained clusters, in the order of a drain.
 *
 * @param waiting the binding of a key if it waits to be evicted, otherwise undefined
 */
export function createDrainQueue(
  order: DrainOrder,
  waiting: (key: string) => ResourceBinding | undefined,
): DrainQueue {
  const members = new Set<string>();
  let sorted: string[] = [];
  /** the sorted list is out of date: sort again when `next` starts over */
  let stale = true;
  /** the number of skipped bindings at the last sort */
  let skippedThen = 0;
  /** every entry before it has left */
  let head = 0;
  let at = 0;

  function sort(skipped: ReadonlySet<string>): void {
    const queued: { key: string; binding: ResourceBinding }[] = [];
    for (const key of members) {
      const binding = waiting(key);
      if (binding) queued.push({ key, binding });
      else members.delete(key);
    }
    sorted = queued.sort(queueOrder(queued, order, (key) => skipped.has(key))).map(({ key }) => key);
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
    next(skipped) {
      if (stale && at === head) sort(skipped);
      const some: string[] = [];
      for (; at < sorted.length && some.length < SOME; at++) {
        const key = sorted[at];
        if (key !== undefined && waiting(key)) some.push(key);
      }
      return some;
    },
    rewind(skipped) {
      for (let key = sorted[head]; key !== undefined && !waiting(key); key = sorted[++head])
        members.delete(key);
      at = head;
      stale ||= skipped.size !== skippedThen;
    },
  };
}
