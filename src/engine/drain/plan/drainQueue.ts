import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { DrainOrder } from '../decide/drainOrder.ts';
import { queueOrder } from '../decide/queueOrder.ts';

/** The bindings that a simulated drain has still to evict, by key, handed out a few at a time. */
export interface DrainQueue {
  add(key: string): void;
  /** The next few; none when all have been handed out. */
  next(): string[];
  /** None of these may be evicted now: they come after all others. */
  setAside(keys: readonly string[]): void;
  /** The next call of `next` begins anew. */
  rewind(): void;
}

/** Bindings handed out at a time: more than the first is needed only if that has no place to go to. */
const SOME = 8;

/**
 * The bindings on the drained clusters, in the order of a drain.
 *
 * @param skipped keys of the bindings that had no place to go to when their turn came
 * @param waiting a binding that waits to be evicted, undefined if it does not
 */
export function createDrainQueue(
  order: DrainOrder,
  skipped: ReadonlySet<string>,
  waiting: (key: string) => ResourceBinding | undefined,
): DrainQueue {
  const members = new Set<string>();
  const aside = new Set<string>();
  let sorted: string[] = [];
  /** what was sorted is no longer in order: the next one to begin anew sorts again */
  let stale = true;
  /** how many had been skipped when it was sorted */
  let skippedThen = 0;
  /** all before it have left */
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
