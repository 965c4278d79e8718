import type { Agenda } from '../../src/engine/simulation/agenda.ts';
import { createHeap } from '../../src/engine/objects/heap.ts';

/** Time that passes only where somebody waits for it; asynchronous code and planned tasks take turns. */
export interface VirtualTime extends Agenda {
  /** Runs the next planned task and moves on to its instant; false where nothing is planned. */
  step(): boolean;
  /** Lets time pass until the promise is settled. Fails where nothing is planned any more, or after a virtual day. */
  until<T>(promise: Promise<T>): Promise<T>;
}

const LONGEST = 24 * 3600_000;

export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  let planned = 0;
  const heap = createHeap<{ at: number; order: number; task: () => void }>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  );
  const step = (): boolean => {
    const next = heap.pop();
    if (!next) return false;
    now = next.at;
    next.task();
    return true;
  };
  return {
    now: () => now,
    plan: (at, task) => heap.push({ at: Math.max(at, now), order: planned++, task }),
    run(until) {
      while ((heap.first()?.at ?? Infinity) <= until) step();
      if (heap.size() > 0) now = until;
      return heap.size() === 0;
    },
    step,
    async until<T>(promise: Promise<T>): Promise<T> {
      const limit = now + LONGEST;
      let settled = false;
      const done = () => void (settled = true);
      promise.then(done, done);
      for (;;) {
        // all that asynchronous code does without waiting for time comes first
        await new Promise((resolve) => setImmediate(resolve));
        if (settled) return promise;
        if (!step()) throw new Error('nothing happens any more, and the promise is not settled');
        if (now > limit) throw new Error('a day has passed, and the promise is not settled');
      }
    },
  };
}
