import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { BackOff, Controller, Failure } from '../../karmada/controllers/controller.ts';
import { pendingRetry, STANDARD_BACK_OFF } from '../../karmada/queues/retryBackoff.ts';

/** A key that has failed since its last success. */
export interface KnownFailure {
  /** epoch milliseconds from which its next retries are counted */
  since: number;
  message: string;
  /** milliseconds until the first retry; absent: the first delay of its back-off */
  first?: number;
}

/**
 * Whether a controller's queue holds a key only once: an event that comes before a timer replaces it.
 * Controller-runtime's priority queue does this (gate ControllerPriorityQueue, on by default since Karmada v1.17); in
 * earlier queues, and in a controller's own queue, the timer still fires.
 */
export function forgetsTimers({ ownQueue }: Controller, { featureGates }: Configuration): boolean {
  return featureGates.ControllerPriorityQueue && !ownQueue;
}

/**
 * When the retries of a key that fails now begin, and with which back-off. Each failing reconcile doubles the delay,
 * even one caused by an event; a pending timer still fires (client-go's AddRateLimited), unless the queue forgets it.
 */
export function failedAgain(
  known: KnownFailure | undefined,
  { since, backOff = STANDARD_BACK_OFF }: Failure,
  now: number,
  forgetsTimers: boolean,
): BackOff & { since: number } {
  if (!known) return { ...backOff, since: since ?? now };
  const { at, next: first } = pendingRetry(known.since, now, {
    ...backOff,
    first: known.first ?? backOff.first,
  });
  return { ...backOff, since: forgetsTimers || at === now ? now : at - first, first };
}
