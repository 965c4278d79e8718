/** client-go's reflectors wait so long (milliseconds) after the first failure, and twice as long after each that follows, … */
const FIRST = 800;
/** … up to this; to each wait up to as much again is added by chance. */
const LONGEST = 30_000;

/** Milliseconds from an attempt to the next one at the most. */
export const LONGEST_SILENCE = 2 * LONGEST;

/**
 * When an informer that has lost its API server at `lost` lists and watches again, if that answers again from `back` on (both epoch
 * milliseconds): with its next attempt, up to a minute later. Until then its cache is as it was.
 *
 * @param chance from 0 to 1: how much of what chance may add to each wait it adds
 */
export function listsAgain(lost: number, back: number, chance: number): number {
  let attempt = lost;
  for (let wait = FIRST; attempt < back; wait = Math.min(2 * wait, LONGEST))
    attempt += Math.round(wait * (1 + chance));
  return attempt;
}
