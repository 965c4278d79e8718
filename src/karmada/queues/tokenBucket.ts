/** A token bucket as plain JSON. */
export interface SavedTokenBucket {
  /** negative: tokens already promised */
  tokens: number;
  /** epoch milliseconds; absent until a token is taken */
  filledAt?: number;
}

/** client-go's token bucket, which all failed keys of a queue share. */
export interface TokenBucket {
  /** Milliseconds from `now` (epoch milliseconds) until the next free token, which is taken. */
  take(now: number): number;
  save(): SavedTokenBucket;
}

/** Karmada's defaults of --rate-limiter-qps and --rate-limiter-bucket-size. */
const TOKENS_PER_SECOND = 10;
export const BUCKET_SIZE = 100;

/** @param saved the result of `save`, to resume from; absent: full */
export function createTokenBucket(saved: SavedTokenBucket = { tokens: BUCKET_SIZE }): TokenBucket {
  let { tokens, filledAt } = saved;
  return {
    take(now) {
      const elapsed = filledAt === undefined ? 0 : Math.max(0, now - filledAt);
      filledAt = now;
      tokens = Math.min(BUCKET_SIZE, tokens + (elapsed / 1000) * TOKENS_PER_SECOND) - 1;
      return tokens < 0 ? (-tokens / TOKENS_PER_SECOND) * 1000 : 0;
    },
    save: () => ({ tokens, ...(filledAt === undefined ? {} : { filledAt }) }),
  };
}
