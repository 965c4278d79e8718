import { BUCKET_SIZE, createTokenBucket, type SavedTokenBucket } from './tokenBucket.ts';

/**
 * The rate limiter of Karmada's eviction workers: the longest of the delays by --resource-eviction-rate, the item's
 * back-off and the queue's token bucket. Milliseconds throughout.
 */
interface EvictionRateLimiter {
  /** The delay of a failed item's retry; takes a token and counts the failure. */
  afterFailure(key: string, now: number): number;
  /** Resets the failures of a successful item. */
  forget(key: string): void;
  /** The sleep of a worker after a successful item; takes a token. 0 if items are not paced. */
  betweenItems(now: number): number;
  /** A worker has finished sleeping. */
  slept(): void;
  save(): SavedRateLimiter;
}

/** A rate limiter as plain JSON. */
export interface SavedRateLimiter extends SavedTokenBucket {
  /** failures of items since their last success */
  failures: Record<string, number>;
  /** sleeps since a worker last woke */
  asleep: number;
}

/** Karmada's defaults for the --rate-limiter-* flags. */
const BASE_DELAY = 5;
const MAX_DELAY = 1_000_000;

/** A rate of 0 does not stop evictions: each worker takes one item per half hour. */
const DELAY_AT_RATE_0 = 1_800_000;

/**
 * @param rate --resource-eviction-rate, evictions per second and worker; undefined: workers do not sleep (before v1.16)
 * @param saved the result of `save`, to resume from
 */
export function createEvictionRateLimiter(
  rate: number | undefined,
  saved: SavedRateLimiter = { failures: {}, asleep: 0, tokens: BUCKET_SIZE },
): EvictionRateLimiter {
  const steady = rate === undefined ? 0 : delayAtRate(rate);
  const failures = new Map(Object.entries(saved.failures));
  // Workers share one back-off count for their sleep; it is reset to 0 whenever one of them wakes.
  let { asleep } = saved;
  const bucket = createTokenBucket(saved);

  return {
    afterFailure(key, now) {
      const failed = failures.get(key) ?? 0;
      failures.set(key, failed + 1);
      return Math.max(steady, backOff(failed), bucket.take(now));
    },
    forget: (key) => void failures.delete(key),
    betweenItems: (now) => (rate === undefined ? 0 : Math.max(steady, backOff(asleep++), bucket.take(now))),
    slept() {
      asleep = 0;
    },
    save: () => ({
      failures: Object.fromEntries(failures),
      asleep,
      ...bucket.save(),
    }),
  };
}

function backOff(failures: number): number {
  return Math.min(BASE_DELAY * 2 ** failures, MAX_DELAY);
}

/** 1/rate, in 32-bit floats as in Karmada, truncated to nanoseconds. */
function delayAtRate(rate: number): number {
  const rate32 = Math.fround(rate);
  if (rate32 === 0) return DELAY_AT_RATE_0;
  return Math.trunc(Math.fround(Math.fround(1 / rate32) * 1e9)) / 1e6;
}
