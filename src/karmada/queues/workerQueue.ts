import { createFifo } from '../objects/queues.ts';
import { createDelayedKeys } from './delayedKeys.ts';
import { createEvictionRateLimiter, type SavedRateLimiter } from './evictionRateLimiter.ts';

/**
 * A queue of the taint manager with the limits of its workers, as a data structure: the caller passes the time.
 * Instants are epoch milliseconds and never decrease. Operations are at most logarithmic in the number of keys.
 * `createWorkerQueue` is the shipped one, `createRatedQueue` that of a design.
 */
export interface KeyQueue<Saved = unknown> {
  /**
   * Adds a key, unless it is waiting already; a key in processing is queued again once it is done.
   *
   * @param since when it became due, if before `now`; used only by queues with one rate
   */
  add(key: string, now: number, since?: number): void;
  /** Adds a key at the instant `at`, or at an earlier one if that was requested before. */
  addAfter(key: string, at: number): void;
  /** The next instant at which `take` may return a key; undefined if an `add` or `done` is needed first. */
  nextWake(): number | undefined;
  /** A key for a free worker at `now`; undefined if no key waits, or all workers are busy or asleep. */
  take(now: number): string | undefined;
  /**
   * A worker is done with a key that it took; after a failure the key is retried later.
   *
   * @param turn unused: nothing was done, so the next key may use the turn; ignored by queues that pace their workers
   */
  done(key: string, now: number, outcome: 'succeeded' | 'failed', turn?: 'used' | 'unused'): void;
  /** Removes a key in any state; returns whether it waited for its turn. Absent: keys stay until their turn. */
  drop?(key: string): boolean;
  /** Reports a change of the pace, so that the next wake may differ. Absent: the pace never changes. */
  paceChanged?(): void;
  /** the number of keys that wait for a worker, not counting those that wait for an instant */
  length(): number;
  /** The complete state of the queue between two operations. */
  save(): Saved;
}

interface WorkerQueueOptions {
  /**
   * --resource-eviction-rate, evictions per second and worker; 0 means one in 1800 s; undefined: workers do not
   * sleep (before Karmada v1.16)
   */
  rate: number | undefined;
  /** 3 in Karmada v1.18 */
  workers: number;
}

/** The common part of every eviction queue as plain JSON; all lists in order. */
export interface SavedQueue {
  /** the last instant passed to it, epoch milliseconds; absent in a new queue */
  time?: number;
  /** keys that wait for their turn */
  waiting: string[];
  /** delayed keys, with their due times */
  delayed: [key: string, at: number][];
  /** keys being processed */
  processing: string[];
  /** keys added while being processed */
  addedAgain: string[];
}

/** A queue with workers that sleep, as plain JSON. */
export interface SavedWorkerQueue extends SavedQueue {
  /** sleeping workers, each with the key that it has finished */
  sleepers: { key: string; until: number }[];
  limiter: SavedRateLimiter;
}

/**
 * An empty queue, as after a start of the controller manager: the first keys, one per worker, start without delay.
 * Every processed key uses a slot, even one that needs no eviction: after a success the worker sleeps, and the key can
 * be processed again only after that; after a failure the worker continues at once. Karmada v1.16 and later,
 * eviction_worker.go with client-go's work queue; before, a plain work queue. One each for bindings and cluster
 * bindings.
 *
 * One long function: all operations share the queue's few lists.
 *
 * @param saved the result of `save`, to resume from
 */
export function createWorkerQueue(
  { rate, workers }: WorkerQueueOptions,
  saved?: SavedWorkerQueue,
): KeyQueue<SavedWorkerQueue> {
  const limiter = createEvictionRateLimiter(rate, saved?.limiter);
  const waiting = createFifo(saved?.waiting);
  /** keys to process (again): waiting ones, and those added while being processed */
  const dirty = new Set([...waiting.all(), ...(saved?.addedAgain ?? [])]);
  const sleepers = [...(saved?.sleepers ?? [])];
  /** keys that workers process, or processed before their current sleep */
  const processing = new Set([...(saved?.processing ?? []), ...sleepers.map(({ key }) => key)]);
  const delayed = createDelayedKeys(saved?.delayed);
  let free = workers - processing.size;
  let time = saved?.time ?? -Infinity;

  function enqueue(key: string): void {
    if (dirty.has(key)) return;
    dirty.add(key);
    if (!processing.has(key)) waiting.push(key);
  }

  function release(key: string): void {
    free++;
    processing.delete(key);
    if (dirty.has(key)) waiting.push(key);
  }

  function nextSleeper(): { key: string; until: number } | undefined {
    let first = sleepers[0];
    for (const sleeper of sleepers) if (sleeper.until < first!.until) first = sleeper;
    return first;
  }

  /** Applies, in order, all events until `now`: delayed keys become due, workers wake. */
  function advance(now: number): void {
    for (;;) {
      const sleeper = nextSleeper();
      const due = delayed.next() ?? Infinity;
      const wakes = sleeper?.until ?? Infinity;
      if (Math.min(due, wakes) > now) break;
      if (due <= wakes) enqueue(delayed.take()!);
      else {
        sleepers.splice(sleepers.indexOf(sleeper!), 1);
        limiter.slept();
        release(sleeper!.key);
      }
    }
    time = Math.max(time, now);
  }

  return {
    add(key, now) {
      advance(now);
      enqueue(key);
    },
    addAfter: (key, at) => delayed.add(key, at),
    nextWake() {
      const workerFree = free > 0 ? time : (nextSleeper()?.until ?? Infinity);
      let wake = waiting.size() > 0 ? workerFree : Math.max(delayed.next() ?? Infinity, workerFree);
      for (const { key, until } of sleepers) if (dirty.has(key)) wake = Math.min(wake, until);
      return wake === Infinity ? undefined : wake;
    },
    take(now) {
      advance(now);
      const key = free === 0 ? undefined : waiting.take();
      if (key === undefined) return undefined;
      free--;
      dirty.delete(key);
      processing.add(key);
      return key;
    },
    done(key, now, outcome) {
      advance(now);
      if (outcome === 'failed') {
        delayed.add(key, now + limiter.afterFailure(key, now));
        release(key);
        return;
      }
      limiter.forget(key);
      const sleep = limiter.betweenItems(now);
      if (sleep > 0) sleepers.push({ key, until: now + sleep });
      else release(key);
    },
    length: waiting.size,
    save() {
      const asleep = new Set(sleepers.map(({ key }) => key));
      return {
        ...(time === -Infinity ? {} : { time }),
        waiting: waiting.all(),
        delayed: delayed.save(),
        processing: [...processing].filter((key) => !asleep.has(key)),
        sleepers: [...sleepers],
        addedAgain: [...dirty].filter((key) => processing.has(key)),
        limiter: limiter.save(),
      };
    },
  };
}
