import type { ReachedBackOff } from '../controllers/kinds.ts';
/** Milliseconds that client-go's reflectors wait after the first failure; doubled with each further one. */
const FIRST = 800;
/** The longest wait, in milliseconds; each wait gets a random extra of up to its own length. */
const LONGEST = 30_000;

/**
 * Milliseconds: the average longest wait including its random extra, and the time before a server's return from which
 * waits matter.
 */
const AVERAGE = 1.5 * LONGEST;
const DECIDING = 3600_000;

/** The longest time from a server's return until it is relisted, in milliseconds. */
export const MAX_RELIST_DELAY = 4 * LONGEST;

/** Milliseconds without a failure after which the waits start over. */
const FORGOTTEN = 120_000;

/**
 * The back-off of informers whose API server has recovered at `back` (epoch milliseconds) after an unobserved outage.
 */
export function longestBackOff(back: number): ReachedBackOff {
  return { failedAt: back, wait: LONGEST };
}

/** The share of reconnecting watches that continue instead of relisting, in recordings: 0.65 ± 0.15. */
const RESUMED_SHARE = 0.65;

/**
 * When an informer that lost its API server at `lost` is up to date again, if the server answers from `back` on (both
 * epoch milliseconds). Until then its cache does not change. While connections are refused it tries to resume its
 * watch; if the server then answers that its version is too old, it waits once more before it lists (client-go,
 * reflector.go: watch, BackoffUntil). No capture shows which one happens.
 *
 * @param chance from 0 to 1: the random extra of the first wait, the second, …; and whether the watch continues. Each
 *   is drawn independently
 * @param grown the waits of an earlier outage: if they are recent, they keep growing
 */
export function relistTime(
  lost: number,
  back: number,
  chance: (what: number | 'watch') => number,
  grown?: ReachedBackOff,
): { at: number; grown: ReachedBackOff } {
  let at = lost;
  let failedAt = lost;
  let wait = grown && lost - grown.failedAt <= FORGOTTEN ? grown.wait : FIRST;
  let waits = 0;
  const waitOnce = () => {
    failedAt = at;
    at += Math.round(wait * (1 + chance(waits++)));
    wait = Math.min(2 * wait, LONGEST);
  };
  while (at < back) {
    waitOnce();
    // only the last waits of a long outage matter: earlier ones are assumed to be average
    const skipped = wait === LONGEST ? Math.floor((back - at - DECIDING) / AVERAGE) : 0;
    if (skipped > 0) {
      at += skipped * AVERAGE;
      failedAt = at - AVERAGE;
      waits += skipped;
    }
  }
  if (waits > 0 && chance('watch') > RESUMED_SHARE) waitOnce();
  return { at, grown: { failedAt, wait } };
}
