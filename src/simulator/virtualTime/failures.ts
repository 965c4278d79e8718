import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { BackOff, Controller, Failure } from '../../karmada/controllers/controller.ts';
import { createHeap } from '../../karmada/objects/queues.ts';
import { pendingRetry, STANDARD_BACK_OFF } from '../../karmada/queues/retryBackoff.ts';
import type { ParkedKey, SavedQueues } from '../../karmada/queues/savedQueues.ts';
import { createTokenBucket, type TokenBucket } from '../../karmada/queues/tokenBucket.ts';

/** A key that has failed since its last success. */
export interface KnownFailure extends Retry {
  message: string;
}

/** The retries of a key: the next one is `first` milliseconds after `since`, later ones follow the back-off. */
export interface Retry {
  /** epoch milliseconds */
  since: number;
  first: number;
}

/**
 * Whether a controller's queue holds a key only once: an event before a timer replaces it. Controller-runtime's
 * priority queue does this (gate ControllerPriorityQueue, on by default since Karmada v1.17); in earlier queues, and in
 * a controller's own queue, the timer still fires.
 */
export function forgetsTimers({ ownQueue }: Controller, { featureGates }: Configuration): boolean {
  return featureGates.ControllerPriorityQueue && !ownQueue;
}

/**
 * The start and back-off of retries for a key that fails now. Each failing reconcile doubles the delay, even one caused
 * by an event; a pending timer still fires (client-go's AddRateLimited), unless the queue forgets it.
 */
export function failedAgain(
  known: Retry | undefined,
  { since, backOff = STANDARD_BACK_OFF }: Failure,
  now: number,
  forgetsTimers: boolean,
): BackOff & Retry {
  if (!known) return { ...backOff, since: since ?? now };
  const { at, next: first } = pendingRetry(known.since, now, { ...backOff, first: known.first });
  return { ...backOff, since: forgetsTimers || at === now ? now : at - first, first };
}

/** The shortest delay whose end is worth a doubt, in milliseconds. */
const LONG_DELAY = 10_000;

/**
 * Whether a change at `now` and a retry are within a second of each other, and the following retry is far away: states
 * have the first failure only to the second.
 */
export function isCloseToRetry({ since, first }: Retry, now: number): boolean {
  return first >= LONG_DELAY && (now - since < 1000 || since + first - now < 1000);
}

/**
 * When failed keys are retried: after a key's own back-off, but not before the queue's token bucket has a token for it
 * (ratelimiterflag.DefaultControllerRateLimiter). If many keys fail together, like all Works of failed clusters after a
 * restart, the bucket decides. Skipped retries of parked keys also take tokens.
 */
export interface Retries {
  /** The retries of a key that fails now; takes a token of its queue. */
  failed(queue: string, retry: BackOff & Retry, now: number): Retry;
  /** Follows the retries of a parked key, which virtual time skips. */
  skip(queue: string, parked: ParkedKey): void;
  /** The first retry at or after `now` of a key that is no longer parked; undefined if its retries are not followed. */
  resume(parked: ParkedKey, now: number): Retry | undefined;
  /** Starts with a full bucket, like a new process. */
  restart(queue: string): void;
  /** Parked keys with their retries from `now` on. */
  present(parked: readonly ParkedKey[], now: number): ParkedKey[];
  save(): NonNullable<SavedQueues['buckets']>;
}

interface SkippedRetry {
  /** epoch milliseconds */
  time: number;
  delay: number;
  longest: number;
  parked: ParkedKey;
  line: Line;
}

interface Line {
  bucket: TokenBucket;
  retries: ReturnType<typeof createHeap<SkippedRetry>>;
}

const before = (a: SkippedRetry, b: SkippedRetry) =>
  a.time !== b.time ? a.time < b.time : a.parked.key < b.parked.key;

/** @param saved the result of `save`, to resume from */
export function createRetries(saved: SavedQueues['buckets'] = {}): Retries {
  const lines = new Map<string, Line>();
  const followed = new Map<ParkedKey, SkippedRetry>();
  for (const [queue, bucket] of Object.entries(saved))
    lines.set(queue, { bucket: createTokenBucket(bucket), retries: createHeap(before) });

  function lineOf(queue: string): Line {
    let line = lines.get(queue);
    if (!line) lines.set(queue, (line = { bucket: createTokenBucket(), retries: createHeap(before) }));
    return line;
  }

  function advance({ bucket, retries }: Line, now: number): void {
    for (let one = retries.first(); one && one.time < now; one = retries.first()) {
      retries.pop();
      if (followed.get(one.parked) !== one) continue;
      // The longest delays use hardly any tokens, and years have too many of them for a loop.
      if (one.delay === one.longest) one.time += Math.ceil((now - one.time) / one.longest) * one.longest;
      else {
        one.delay = Math.min(2 * one.delay, one.longest);
        one.time += Math.max(one.delay, Math.ceil(bucket.take(one.time)));
      }
      retries.push(one);
    }
  }

  const retryOf = ({ time, delay }: SkippedRetry): Retry => ({ since: time - delay, first: delay });
  function resume(parked: ParkedKey, now: number): Retry | undefined {
    const one = followed.get(parked);
    if (!one) return undefined;
    advance(one.line, now);
    return retryOf(one);
  }

  return {
    failed(queue, { since, ...backOff }, now) {
      if (backOff.flush !== undefined) return { since, first: backOff.first };
      const { at, delay } = pendingRetry(since, now + 1, backOff);
      const line = lineOf(queue);
      advance(line, now);
      const time = Math.max(at, now + Math.ceil(line.bucket.take(now)));
      return { since: time - delay, first: delay };
    },
    skip(queue, parked) {
      const { since, beat } = parked;
      if ('every' in beat || beat.backOff.flush !== undefined) return;
      const { first: delay, longest } = beat.backOff;
      const line = lineOf(queue);
      const one = { time: since + delay, delay, longest, parked, line };
      followed.set(parked, one);
      line.retries.push(one);
    },
    resume(parked, now) {
      const retry = resume(parked, now);
      followed.delete(parked);
      return retry;
    },
    restart: (queue) => void lines.delete(queue),
    present: (parked, now) =>
      parked.map((one) => {
        const retry = resume(one, now);
        if (!retry || 'every' in one.beat) return one;
        return { ...one, since: retry.since, beat: { backOff: { ...one.beat.backOff, first: retry.first } } };
      }),
    save: () => Object.fromEntries([...lines].map(([queue, { bucket }]) => [queue, bucket.save()])),
  };
}
