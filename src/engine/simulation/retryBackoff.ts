const BASE_DELAY = 5;
const MAX_DELAY = 1000_000;

/**
 * When a controller that has failed without pause since `firstFailure` tries again at or after `now`
 * (both epoch milliseconds). Karmada's controllers retry after 5 ms, doubling up to 1000 s
 * (ratelimiterflag defaults of the controller-manager and the agent).
 */
export function nextRetry(firstFailure: number, now: number): number {
  let attempt = firstFailure;
  let delay = BASE_DELAY;
  while (attempt < now) {
    attempt += delay;
    delay = Math.min(delay * 2, MAX_DELAY);
  }
  return attempt;
}
