/**
 * How fast Karmada's eviction workers go: the longest of the delays that --resource-eviction-rate, the
 * back-off of the item and the token bucket of the queue ask for. Milliseconds throughout.
 */
interface EvictionRateLimiter {
  /** How long a failed item waits until it is tried again; takes a token and counts the failure. */
  afterFailure(key: string, now: number): number;
  /** The item has succeeded: its failures no longer count. */
  forget(key: string): void;
  /** How long the worker of a successful item sleeps; takes a token. 0 if items are not paced. */
  betweenItems(now: number): number;
  /** A worker has slept. */
  slept(): void;
  save(): SavedRateLimiter;
}

/** A rate limiter as plain JSON. */
export interface SavedRateLimiter {
  /** failures of items since their last success */
  failures: Record<string, number>;
  /** sleeps since a worker last woke */
  asleep: number;
  tokens: number;
  /** epoch milliseconds; absent while no token was taken */
  filledAt?: number;
}

/** Karmada's --rate-limiter-* flags by their defaults. */
const BASE_DELAY = 5;
const MAX_DELAY = 1_000_000;
const TOKENS_PER_SECOND = 10;
const BUCKET_SIZE = 100;

/** A rate of 0 does not stop: each worker takes one item in half an hour. */
const DELAY_AT_RATE_0 = 1_800_000;

/**
 * @param rate --resource-eviction-rate, evictions per second and worker; undefined: workers do not sleep (before v1.16)
 * @param saved what `save` gave, to continue from there
 */
export function createEvictionRateLimiter(
  rate: number | undefined,
  saved: SavedRateLimiter = { failures: {}, asleep: 0, tokens: BUCKET_SIZE },
): EvictionRateLimiter {
  const steady = rate === undefined ? 0 : delayAtRate(rate);
  const failures = new Map(Object.entries(saved.failures));
  // Workers share one back-off count for their sleep; it returns to 0 whenever one of them wakes.
  let { asleep, tokens, filledAt } = saved;

  function bucketDelay(now: number): number {
    const elapsed = filledAt === undefined ? 0 : Math.max(0, now - filledAt);
    filledAt = now;
    tokens = Math.min(BUCKET_SIZE, tokens + (elapsed / 1000) * TOKENS_PER_SECOND) - 1;
    return tokens < 0 ? (-tokens / TOKENS_PER_SECOND) * 1000 : 0;
  }

  return {
    afterFailure(key, now) {
      const failed = failures.get(key) ?? 0;
      failures.set(key, failed + 1);
      return Math.max(steady, backOff(failed), bucketDelay(now));
    },
    forget: (key) => void failures.delete(key),
    betweenItems: (now) => (rate === undefined ? 0 : Math.max(steady, backOff(asleep++), bucketDelay(now))),
    slept() {
      asleep = 0;
    },
    save: () => ({
      failures: Object.fromEntries(failures),
      asleep,
      tokens,
      ...(filledAt === undefined ? {} : { filledAt }),
    }),
  };
}

function backOff(failures: number): number {
  return Math.min(BASE_DELAY * 2 ** failures, MAX_DELAY);
}

/** 1/rate, in the 32-bit floats that Karmada calculates it in, cut to nanoseconds. */
function delayAtRate(rate: number): number {
  const rate32 = Math.fround(rate);
  if (rate32 === 0) return DELAY_AT_RATE_0;
  return Math.trunc(Math.fround(Math.fround(1 / rate32) * 1e9)) / 1e6;
}
