/** client-go's reflectors wait so long (milliseconds) after the first failure, and twice as long after each that follows, … */
const FIRST = 800;
/** … up to this; to each wait up to as much again is added by chance. */
const LONGEST = 30_000;

/** Milliseconds from when a server is back until it is listed anew, at the most. */
export const LONGEST_SILENCE = 4 * LONGEST;

/** They begin with the first wait again once they have not waited for so long (milliseconds). */
const FORGOTTEN = 120_000;

/** How far the waits of an informer have grown. */
export interface GrownWaits {
  /** epoch milliseconds of the last attempt that failed */
  failedAt: number;
  /** milliseconds that it waits after the next one */
  wait: number;
}

/** The waits of informers whose API server has come back at `back` (epoch milliseconds) after an outage that nobody saw. */
export function fullyGrown(back: number): GrownWaits {
  return { failedAt: back, wait: LONGEST };
}

/** Which part of the watches that get through again go on, in recordings: 0.65 ± 0.15. */
const GO_ON = 0.65;

/**
 * When an informer that has lost its API server at `lost` is up to date again, if that answers from `back` on (both epoch
 * milliseconds). Until then its cache is as it was. While connections are refused it tries to go on with its watch; if the first try
 * that gets through is told that its version is too old, one more wait comes before it lists (client-go, reflector.go: watch,
 * BackoffUntil). No capture tells which.
 *
 * @param chance from 0 to 1: how much of what chance may add to a wait it adds, for the first wait, the second, …; and which of all
 * watches it is
 * @param grown what is left of an earlier outage: waits that are not long ago go on growing
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
  while (at < back) waitOnce();
  if (waits > 0 && chance('watch') > GO_ON) waitOnce();
  return { at, grown: { failedAt, wait } };
}
