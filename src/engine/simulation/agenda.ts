/**
 * Virtual time: what is to happen, ordered by instant, and by the order in which it was planned where
 * instants are equal. Nothing here knows what the tasks do.
 */
export interface Agenda {
  /** the current instant, epoch milliseconds */
  now(): number;
  /** Plans `task` for `at` (epoch milliseconds), or for now where that has passed. */
  plan(at: number, task: () => void): void;
  /**
   * Runs until nothing is left to do or the next task lies after `until`. Controllers plan no look that cannot
   * change anything (periodic ones, retries on an unchanged world), so an empty agenda means rest: true.
   */
  run(until: number): boolean;
}

interface Entry {
  at: number;
  order: number;
  task: () => void;
}

/** Tasks between two reports of progress. */
const REPORT_EVERY = 1000;

/** An empty agenda at `start`. `progress` is told now and then how far time has come. */
export function createAgenda(start: number, progress?: (now: number) => void): Agenda {
  const heap: Entry[] = [];
  let now = start;
  let planned = 0;
  let done = 0;

  const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(entry, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = entry;
  }

  function pop(): Entry {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first;
  }

  return {
    now: () => now,
    plan(at, task) {
      push({ at: Math.max(at, now), order: planned++, task });
    },
    run(until) {
      while (heap.length > 0 && heap[0]!.at <= until) {
        const entry = pop();
        now = entry.at;
        entry.task();
        if (progress && ++done % REPORT_EVERY === 0) progress(now);
      }
      if (heap.length > 0) now = until;
      return heap.length === 0;
    },
  };
}

/** A controller's queue: a key waits in it once, at its earliest instant. */
export interface KeyedQueue<Key> {
  /** Plans a look at `key` at the instant `at`, unless an earlier one is planned already. */
  add(key: Key, at: number): void;
}

export function createKeyedQueue<Key>(agenda: Agenda, look: (key: Key) => void): KeyedQueue<Key> {
  const waiting = new Map<Key, number>();
  return {
    add(key, at) {
      const planned = waiting.get(key);
      if (planned !== undefined && planned <= at) return;
      waiting.set(key, at);
      agenda.plan(at, () => {
        if (waiting.get(key) !== at) return;
        waiting.delete(key);
        look(key);
      });
    },
  };
}
