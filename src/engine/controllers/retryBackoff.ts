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

const PRIORITY_BASE_DELAY = 1000;
const PRIORITY_MAX_DELAY = 10_000;
const UNSCHEDULABLE_STAY = 5 * 60_000;

/**
 * The same for the scheduler's queue under the gate PriorityBasedScheduling: after 1 s, doubling up to 10 s;
 * what is unschedulable for want of room waits 5 minutes each time, which Karmada checks every 30 s.
 */
export function nextPriorityRetry(firstFailure: number, now: number, unschedulable: boolean): number {
  let attempt = firstFailure;
  let delay = unschedulable ? UNSCHEDULABLE_STAY : PRIORITY_BASE_DELAY;
  while (attempt < now) {
    attempt += delay;
    delay = unschedulable ? delay : Math.min(delay * 2, PRIORITY_MAX_DELAY);
  }
  return attempt;
}
