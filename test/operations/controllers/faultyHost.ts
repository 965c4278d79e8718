import type { Change, Write } from '../../../src/karmada/controllers/write.ts';
import { createHeap } from '../../../src/karmada/objects/queues.ts';
import { createStore } from '../../../src/simulator/store/store.ts';
import type { StartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import type { ControllerHost, Written } from '../../../src/operations/controllers/controllerHost.ts';

/** The fault of a write, if any: it is not made, or it is made and its response is lost, or everything is slow. */
export type Fault = 'refused' | 'conflict' | 'lost before' | 'lost after' | 'late' | undefined;

/** A host whose API fails now and then, in virtual time that passes only when everything waits. */
export interface FaultyHost extends ControllerHost {
  readonly store: ReturnType<typeof createStore>;
  faults: number;
  plan(at: number, task: () => void): void;
  /** Lets time pass until `end` (epoch milliseconds). */
  runUntil(end: number): Promise<void>;
}

export function faultyHost(start: StartingWorld, fault: () => Fault): FaultyHost {
  const store = createStore(start);
  let now = start.start;
  let planned = 0;
  const tasks = createHeap<{ at: number; order: number; task: () => void }>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  );
  const plan = (at: number, task: () => void) =>
    tasks.push({ at: Math.max(at, now), order: planned++, task });
  const after = (milliseconds: number) =>
    new Promise<void>((resolve) => plan(now + milliseconds, () => resolve()));
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change) => listeners.forEach((listener) => listener(change));

  function make(write: Write): Written {
    const change = store.write(write, now, true);
    if (!change) return { result: 'written' };
    if ('refused' in change)
      return { result: change.refused === 'conflict' ? 'conflict' : 'refused', message: change.refused };
    // an interrupted watch reports the same again after it reconnects
    plan(now + 5, () => notify(change));
    if (planned % 3 === 0) plan(now + 700, () => notify(change));
    return { result: 'written' };
  }

  const host: FaultyHost = {
    store,
    view: store,
    configuration: start.configuration,
    faults: 0,
    now: () => now,
    plan,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          signal.removeEventListener('abort', done);
          resolve();
        };
        signal.addEventListener('abort', done);
        if (milliseconds !== Infinity) plan(now + milliseconds, done);
      }),
    stopwatch: () => 0,
    breathe: () => Promise.resolve(),
    staleSince: () => undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    api: {
      async write(write) {
        const wrong = fault();
        if (wrong) host.faults++;
        await after(wrong === 'late' ? 3000 : 10);
        if (wrong === 'refused' || wrong === 'conflict') return { result: wrong };
        if (wrong === 'lost before') return { result: 'lost' };
        const answer = make(write);
        await after(wrong === 'late' ? 3000 : 10);
        return wrong === 'lost after' ? { result: 'lost' } : answer;
      },
    },
    async runUntil(end) {
      for (;;) {
        // pending microtasks run first
        await new Promise((resolve) => setImmediate(resolve));
        const next = tasks.first();
        if (!next || next.at > end) break;
        tasks.pop();
        now = next.at;
        next.task();
      }
      now = end;
    },
  };
  return host;
}
