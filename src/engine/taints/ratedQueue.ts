import { createFifo } from '../objects/fifo.ts';
import { createDelayedKeys } from './delayedKeys.ts';
import type { EvictionQueue } from './evictionQueue.ts';

/** A rated queue as plain JSON; all lists in order. */
export interface SavedRatedQueue {
  /** the latest instant that it was given, epoch milliseconds; absent in a new queue */
  time?: number;
  /** keys that wait for their turn */
  waiting: string[];
  /** keys and the instants for which they wait */
  delayed: [key: string, at: number][];
  /** keys in processing */
  processing: string[];
  /** keys added while they were processed */
  addedAgain: string[];
  /** epoch milliseconds; absent if there has been none */
  lastTurn?: number;
  /** failures of keys since their last success */
  failures: Record<string, number>;
}

export interface RatedQueueOptions {
  /** keys per second, as it is now; 0: none until that changes */
  rate: () => number;
  /** epoch milliseconds of a turn that another process may have taken; absent: there was none recently */
  lastTurn?: number | undefined;
}

/** Milliseconds: a key that fails comes back after the first, doubled with each failure up to the longest. */
const FIRST_RETRY = 5;
const LONGEST_RETRY = 1_000_000;
/** The most tickets of dropped keys that stay in the line. */
const MOST_DROPPED = 1024;

/**
 * A queue with one rate for all of its workers. It asks for the rate whenever a key could have its turn: between two
 * turns passes at least what the rate requires at the second. First in, first out. Any number of keys may be in
 * processing; each takes a turn even if it fails, since a write without an answer may have been made. Design
 * optimize-cluster-failover, "Multiple rate configuration".
 *
 * One long function: all operations share the queue's few lists.
 *
 * @param saved what `save` gave, to go on from there
 */
export function createRatedQueue(
  { rate, lastTurn: taken }: RatedQueueOptions,
  saved?: SavedRatedQueue,
): EvictionQueue<SavedRatedQueue> {
  const delayed = createDelayedKeys(saved?.delayed);
  const processing = new Set(saved?.processing);
  const addedAgain = new Set(saved?.addedAgain);
  const failures = new Map(Object.entries(saved?.failures ?? {}));
  /** the waiting keys, each with its ticket; a dropped key leaves a ticket in the line that no longer counts */
  const tickets = new Map<string, number>();
  let line = createFifo<{ key: string; ticket: number }>();
  let issued = 0;
  let lastTurn = saved ? saved.lastTurn : taken;
  let time = saved?.time ?? -Infinity;
  let known = rate();
  /** for the last key that was taken: the turn before it */
  let before: { key: string; lastTurn: number | undefined } | undefined;

  function enqueue(key: string): void {
    if (processing.has(key)) addedAgain.add(key);
    else if (!tickets.has(key)) {
      tickets.set(key, issued);
      line.push({ key, ticket: issued++ });
    }
  }

  function advance(now: number): void {
    for (let at = delayed.next(); at !== undefined && at <= now; at = delayed.next())
      enqueue(delayed.take()!);
    time = Math.max(time, now);
  }

  /** The first instant at which the rate lets a key go. */
  function nextTurn(): number {
    if (known <= 0) return Infinity;
    return lastTurn === undefined ? -Infinity : lastTurn + 1000 / known;
  }

  function inLine(): { key: string; ticket: number }[] {
    return line.all().filter(({ key, ticket }) => tickets.get(key) === ticket);
  }

  for (const key of saved?.waiting ?? []) enqueue(key);
  return {
    add(key, now) {
      advance(now);
      enqueue(key);
    },
    addAfter: (key, at) => delayed.add(key, at),
    nextWake() {
      const due = tickets.size > 0 ? time : delayed.next();
      if (due === undefined) return undefined;
      const wake = Math.max(due, nextTurn());
      return wake === Infinity ? undefined : wake;
    },
    take(now) {
      advance(now);
      if (tickets.size === 0) return undefined;
      known = rate();
      if (now < nextTurn()) return undefined;
      for (let first = line.take(); first; first = line.take()) {
        const { key, ticket } = first;
        if (tickets.get(key) !== ticket) continue;
        tickets.delete(key);
        processing.add(key);
        before = { key, lastTurn };
        lastTurn = now;
        return key;
      }
      return undefined;
    },
    done(key, now, outcome, turn = 'used') {
      advance(now);
      processing.delete(key);
      if (turn === 'unused' && before?.key === key) lastTurn = before.lastTurn;
      if (outcome === 'failed') {
        const failed = failures.get(key) ?? 0;
        failures.set(key, failed + 1);
        delayed.add(key, now + Math.min(FIRST_RETRY * 2 ** failed, LONGEST_RETRY));
      } else failures.delete(key);
      if (addedAgain.delete(key)) enqueue(key);
    },
    paceChanged: () => void (known = rate()),
    drop(key) {
      const waited = tickets.delete(key);
      delayed.remove(key);
      addedAgain.delete(key);
      failures.delete(key);
      if (line.size() > 2 * tickets.size + MOST_DROPPED) line = createFifo(inLine());
      return waited;
    },
    length: () => tickets.size,
    save: () => ({
      ...(time === -Infinity ? {} : { time }),
      waiting: inLine().map(({ key }) => key),
      delayed: delayed.save(),
      processing: [...processing],
      addedAgain: [...addedAgain],
      ...(lastTurn === undefined ? {} : { lastTurn }),
      failures: Object.fromEntries(failures),
    }),
  };
}
