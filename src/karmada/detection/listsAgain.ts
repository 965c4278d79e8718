import type { GrownWaits } from '../controllers/kinds.ts';
/**
 * How long client-go's reflectors wait after the first failure, in milliseconds; twice as long after each further
 * one.
 */
const FIRST = 800;
/** The longest wait, in milliseconds; chance may add as much again to each wait. */
const LONGEST = 30_000;

/** Milliseconds of a longest wait on average, and for how long before a server's return each wait is counted. */
const AVERAGE = 1.5 * LONGEST;
const DECIDING = 3600_000;

/** The most milliseconds from a server's return until it is relisted. */
export const LONGEST_SILENCE = 4 * LONGEST;

/** Milliseconds without a wait after which they begin with the first wait again. */
const FORGOTTEN = 120_000;

/**
 * The waits of informers whose API server has come back at `back` (epoch milliseconds) after an unobserved outage.
 */
export function fullyGrown(back: number): GrownWaits {
  return { failedAt: back, wait: LONGEST };
}

/** The share of reconnected watches that continue, in recordings: 0.65 ± 0.15. */
const GO_ON = 0.65;

/**
 * When an informer that lost its API server at `lost` is up to date again, if the server answers from `back` on (both
 * epoch milliseconds). Until then its cache stays as it was. While connections are refused it tries to continue with its
 * watch; if the server then answers that its version is too old, it waits once more before it lists (client-go,
 * reflector.go: watch, BackoffUntil). No capture shows which happens.
 *
 * @param chance from 0 to 1: how much chance adds to the first wait, the second, …; and whether the watch continues.
 * Each from its own draw
 * @param grown the waits of an earlier outage: if they are recent, they keep growing
 */
export function listsAgain(
  lost: number,
  back: number,
  chance: (what: number | 'watch') => number,
  grown?: GrownWaits,
): { at: number; grown: GrownWaits } {
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
    // of a long outage the last waits decide: those before are as long as on average
    const skipped = wait === LONGEST ? Math.floor((back - at - DECIDING) / AVERAGE) : 0;
    if (skipped > 0) {
      at += skipped * AVERAGE;
      failedAt = at - AVERAGE;
      waits += skipped;
    }
  }
  if (waits > 0 && chance('watch') > GO_ON) waitOnce();
  return { at, grown: { failedAt, wait } };
}
