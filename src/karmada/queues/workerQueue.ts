import { createFifo } from '../objects/queues.ts';
import { createDelayedKeys } from './delayedKeys.ts';
import { createEvictionRateLimiter, type SavedRateLimiter } from './evictionRateLimiter.ts';

/**
 * A queue of the taint manager with what holds its workers back, as a data structure: the caller passes the time.
 * Instants are epoch milliseconds and never go backwards. Operations are at most logarithmic in the number of keys.
 * `createWorkerQueue` is the shipped one, `createRatedQueue` that of a design.
 */
export interface KeyQueue<Saved = unknown> {
  /**
   * Adds a key, unless it waits already; a key in processing comes back once it is done.
   *
   * @param since when it became due, if that was before `now`; only a queue with one rate goes by it
   */
  add(key: string, now: number, since?: number): void;
  /** Adds a key at the instant `at`, or earlier if an earlier instant was asked for. */
  addAfter(key: string, at: number): void;
  /** The next instant at which `take` may have a key; undefined if that needs an `add` or a `done`. */
  nextWake(): number | undefined;
  /** A key for a free worker at `now`; undefined if there is none, or all workers are busy or asleep. */
  take(now: number): string | undefined;
  /**
   * A worker is through with a key that it took; after a failure the key comes back later.
   *
   * @param turn unused: there was nothing to do, and the next key may have the turn; a queue that paces its workers
   * ignores it
   */
  done(key: string, now: number, outcome: 'succeeded' | 'failed', turn?: 'used' | 'unused'): void;
  /**
   * Removes a key, whatever it waits for; returns whether it waited for its turn. Absent: keys stay until they have
   * their turn.
   */
  drop?(key: string): boolean;
  /** Says that what sets the pace has changed, so that the next wake may differ. Absent: it never changes. */
  paceChanged?(): void;
  /** the number of keys that wait for a worker, without those that wait for an instant */
  length(): number;
  /** All that the queue remembers, between two of its operations. */
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

/** An eviction queue as plain JSON; all lists in order. */
export interface SavedWorkerQueue {
  /** the latest instant that it was given, epoch milliseconds; absent in a new queue */
  time?: number;
  /** keys that wait for a worker */
  waiting: string[];
  /** keys, and until when they wait */
  delayed: [key: string, at: number][];
  /** keys in processing */
  processing: string[];
  /** workers that sleep, each with the key that it has done */
  sleepers: { key: string; until: number }[];
  /** keys added while they were processed */
  addedAgain: string[];
  limiter: SavedRateLimiter;
}

/**
 * An empty queue, as after a start of the controller manager: the first keys, one per worker, go without delay. Every
 * processed key costs a slot, even one that needs no eviction: after a success the worker sleeps, and the key can be
 * processed again only then; after a failure it continues at once. Karmada v1.16 and later, eviction_worker.go on top of
 * client-go's work queue; before, a plain work queue. There is one for bindings, one for cluster bindings.
 *
 * One long function: all operations share the queue's few lists.
 *
 * @param saved what `save` gave, to continue from there
 */
export function createWorkerQueue(
  { rate, workers }: WorkerQueueOptions,
  saved?: SavedWorkerQueue,
): KeyQueue<SavedWorkerQueue> {
  const limiter = createEvictionRateLimiter(rate, saved?.limiter);
  const waiting = createFifo(saved?.waiting);
  /** keys to process (again): those that wait, and those added while they are processed */
  const dirty = new Set([...waiting.all(), ...(saved?.addedAgain ?? [])]);
  const sleepers = [...(saved?.sleepers ?? [])];
  /** keys that workers process, or sleep after */
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

  /** Plays, in order, what happens by itself until `now`: delayed keys become due, workers wake. */
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
