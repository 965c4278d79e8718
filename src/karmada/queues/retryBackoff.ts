import type { BackOff } from '../controllers/controller.ts';

/** ratelimiterflag defaults of the controller-manager, the scheduler and the agent. */
export const STANDARD_BACK_OFF: BackOff = { first: 5, longest: 1000_000 };

/**
 * The next retry at or after `now` of a controller that has failed since `firstFailure` (both epoch milliseconds).
 * Karmada's controllers retry after 5 ms, doubling up to 1000 s, unless their queue has another back-off.
 */
export function nextRetry(firstFailure: number, now: number, backOff = STANDARD_BACK_OFF): number {
  return firstFailure >= now ? firstFailure : pendingRetry(firstFailure, now, backOff).at;
}

/** The pending retry, at `now`, of a failure since `firstFailure`: its time, its delay, and the delay after it. */
export function pendingRetry(
  firstFailure: number,
  now: number,
  { first, longest, flush }: BackOff = STANDARD_BACK_OFF,
): { at: number; delay: number; next: number } {
  const doubled = (delay: number) => Math.min(delay * 2, longest);
  const flushed = (due: number) => (flush === undefined ? due : Math.ceil(due / flush) * flush);
  let delay = first;
  let at = flushed(firstFailure + delay);
  for (; at < now && delay < longest; at = flushed(at + delay)) delay = doubled(delay);
  // From then on the delay is constant, and `at` is a multiple of `flush`: computed directly, since years have too many
  // retries for a loop.
  if (at < now) at += Math.ceil((now - at) / flushed(longest)) * flushed(longest);
  return { at, delay, next: doubled(delay) };
}
