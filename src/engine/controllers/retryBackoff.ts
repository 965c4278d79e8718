import type { BackOff } from './controller.ts';

/** ratelimiterflag defaults of the controller-manager, the scheduler and the agent. */
export const STANDARD_BACK_OFF: BackOff = { first: 5, longest: 1000_000 };

/**
 * When a controller that has failed without pause since `firstFailure` tries again at or after `now`
 * (both epoch milliseconds). Karmada's controllers retry after 5 ms, doubling up to 1000 s, unless their queue has
 * another back-off.
 */
export function nextRetry(firstFailure: number, now: number, backOff = STANDARD_BACK_OFF): number {
  let attempt = firstFailure;
  let delay = backOff.first;
  while (attempt < now) {
    attempt += delay;
    delay = Math.min(delay * 2, backOff.longest);
  }
  return attempt;
}
