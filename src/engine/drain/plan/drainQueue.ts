import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { drainOrder } from '../decide/drainOrder.ts';

/** The bindings that a simulated drain has still to evict, by key, handed out a few at a time. */
export interface DrainQueue {
  add(key: string): void;
  /** The next few; none when all have been handed out. */
  next(): string[];
  /** These had no place to go to. */
  setAside(keys: readonly string[]): void;
  /** The next call of `next` begins anew. */
  rewind(): void;
}

/** Bindings handed out at a time: more than the first is needed only where that has no place to go to. */
const SOME = 8;

/**
 * The bindings on the drained clusters in the order of a drain; what had no place to go to before comes last.
 *
 * @param waiting a binding that waits to be evicted, undefined if it does not
 */
export function createDrainQueue(
  own: ReadonlySet<string>,
  waiting: (key: string) => ResourceBinding | undefined,
): DrainQueue {
  const order = drainOrder(own);
  const fresh = createSortedList();
  const tried = createSortedList();
  let list = fresh;

  function createSortedList() {
    const members = new Set<string>();
    let sorted: string[] = [];
    let stale = false;
    /** all before it have left */
    let head = 0;
    let at = 0;
    const stays = (key: string) => members.has(key) && waiting(key) !== undefined;
    return {
      has: (key: string) => members.has(key),
      add(key: string): void {
        members.add(key);
        stale = true;
      },
      delete: (key: string) => void members.delete(key),
      next(): string | undefined {
        if (stale) {
          sorted = [...members]
            .flatMap((key) => {
              const binding = waiting(key);
              return binding ? [{ key, binding }] : [];
            })
            .sort((a, b) => order(a.binding, b.binding))
            .map(({ key }) => key);
          stale = false;
          head = at = 0;
        }
        while (at < sorted.length && !stays(sorted[at]!)) at++;
        return sorted[at++];
      },
      rewind(): void {
        while (head < sorted.length && !stays(sorted[head]!)) head++;
        at = head;
      },
    };
  }

  return {
    add(key) {
      if (!fresh.has(key) && !tried.has(key)) fresh.add(key);
    },
    next() {
      const some: string[] = [];
      while (some.length < SOME) {
        const key = list.next();
        if (key !== undefined) some.push(key);
        else if (list === fresh && some.length === 0) list = tried;
        else break;
      }
      return some;
    },
    setAside(keys) {
      for (const key of keys) {
        if (tried.has(key)) continue;
        fresh.delete(key);
        tried.add(key);
      }
    },
    rewind() {
      list = fresh;
      fresh.rewind();
      tried.rewind();
    },
  };
}
