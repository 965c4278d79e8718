import { createHeap } from '../objects/queues.ts';
import { createDelayedKeys } from './delayedKeys.ts';
import type { KeyQueue, SavedQueue } from './workerQueue.ts';

/** A rated queue as plain JSON. */
export interface SavedRatedQueue extends SavedQueue {
  /** due times of the waiting keys, in the same order; absent: only the order was saved */
  since?: number[];
  /** time of the last turn, epoch milliseconds; absent if there was none */
  lastTurn?: number;
  /** failures of keys since their last success */
  failures: Record<string, number>;
}

interface RatedQueueOptions {
  /** current keys per second; 0: none until it changes */
  rate: () => number;
  /** epoch milliseconds of a turn that another process may have taken; absent: there was none recently */
  lastTurn?: number | undefined;
}

/** Milliseconds: a failed key is retried after the first, doubled with each failure up to the longest. */
const FIRST_RETRY = 5;
const LONGEST_RETRY = 1_000_000;
/** The most places of dropped keys to keep in the line. */
const MAX_DROPPED = 1024;

/** A key's place in the line. The place of a dropped key is skipped. */
interface Place {
  key: string;
  /** when it became due, epoch milliseconds */
  since: number;
  ticket: number;
}

/** By the time they became due; at the same instant, in the order of arrival. */
const before = (a: Place, b: Place) => a.since < b.since || (a.since === b.since && a.ticket < b.ticket);

/**
 * A queue with one rate for all its workers. It reads the rate whenever a key could have its turn: the time between two
 * turns is at least the interval of the rate at the second one. First in, first out; a key added late, because no
 * earlier reconcile found it, gets its place by due time. Any number of keys may be in processing; each uses a turn
 * even if it fails, because a write without an answer may have succeeded. Design optimize-cluster-failover, "Multiple
 * rate configuration".
 *
 * One long function: all operations share the queue's few lists.
 *
 * @param saved the result of `save`, to resume from
 */
export function createRatedQueue(
  { rate, lastTurn: taken }: RatedQueueOptions,
  saved?: SavedRatedQueue,
): KeyQueue<SavedRatedQueue> {
  const delayed = createDelayedKeys(saved?.delayed);
  const processing = new Set(saved?.processing);
  const addedAgain = new Set(saved?.addedAgain);
  const failures = new Map(Object.entries(saved?.failures ?? {}));
  /** the waiting keys, each with its place */
  const places = new Map<string, Place>();
  let line = createHeap(before);
  let issued = 0;
  let lastTurn = saved ? saved.lastTurn : taken;
  let time = saved?.time ?? -Infinity;
  let known = rate();
  /** for the key taken last: the time of the turn before it */
  let lastTaken: { key: string; lastTurn: number | undefined } | undefined;

  function enqueue(key: string, since: number): void {
    if (processing.has(key)) addedAgain.add(key);
    else if (!places.has(key)) {
      const place = { key, since, ticket: issued++ };
      places.set(key, place);
      line.push(place);
    }
  }

  function advance(now: number): void {
    for (let at = delayed.next(); at !== undefined && at <= now; at = delayed.next())
      enqueue(delayed.take()!, at);
    time = Math.max(time, now);
  }

  /** The time at which the rate releases the next key. */
  function nextTurn(): number {
    if (known <= 0) return Infinity;
    return lastTurn === undefined ? -Infinity : lastTurn + 1000 / known;
  }

  function inLine(): Place[] {
    return [...places.values()].sort((a, b) => (before(a, b) ? -1 : 1));
  }

  saved?.waiting.forEach((key, index) => enqueue(key, saved.since?.[index] ?? 0));
  return {
    add(key, now, since = now) {
      advance(now);
      enqueue(key, Math.min(since, now));
    },
    addAfter: (key, at) => delayed.add(key, at),
    nextWake() {
      const due = places.size > 0 ? time : delayed.next();
      if (due === undefined) return undefined;
      const wake = Math.max(due, nextTurn());
      return wake === Infinity ? undefined : wake;
    },
    take(now) {
      advance(now);
      if (places.size === 0) return undefined;
      known = rate();
      if (now < nextTurn()) return undefined;
      for (let first = line.pop(); first; first = line.pop()) {
        const { key } = first;
        if (places.get(key) !== first) continue;
        places.delete(key);
        processing.add(key);
        lastTaken = { key, lastTurn };
        lastTurn = now;
        return key;
      }
      return undefined;
    },
    done(key, now, outcome, turn = 'used') {
      advance(now);
      processing.delete(key);
      if (turn === 'unused' && lastTaken?.key === key) lastTurn = lastTaken.lastTurn;
      if (outcome === 'failed') {
        const failed = failures.get(key) ?? 0;
        failures.set(key, failed + 1);
        delayed.add(key, now + Math.min(FIRST_RETRY * 2 ** failed, LONGEST_RETRY));
      } else failures.delete(key);
      if (addedAgain.delete(key)) enqueue(key, now);
    },
    paceChanged: () => void (known = rate()),
    drop(key) {
      const waited = places.delete(key);
      delayed.remove(key);
      addedAgain.delete(key);
      failures.delete(key);
      if (line.size() > 2 * places.size + MAX_DROPPED) {
        line = createHeap(before);
        for (const place of places.values()) line.push(place);
      }
      return waited;
    },
    length: () => places.size,
    save() {
      const waiting = inLine();
      return {
        ...(time === -Infinity ? {} : { time }),
        waiting: waiting.map(({ key }) => key),
        since: waiting.map(({ since }) => since),
        delayed: delayed.save(),
        processing: [...processing],
        addedAgain: [...addedAgain],
        ...(lastTurn === undefined ? {} : { lastTurn }),
        failures: Object.fromEntries(failures),
      };
    },
  };
}
