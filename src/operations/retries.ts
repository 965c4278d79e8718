import { linkedSignal } from '../state/live/requests/linkedSignal.ts';
import { pause as realPause, type Pause } from './pause.ts';

/**
 * The tries of a write before its object counts as contended: the steps of client-go's retry.DefaultRetry. Karmada's
 * controllers write bindings and Clusters all the time, so the pauses are those of retry.DefaultBackoff, for objects
 * under active management: 10, 50, 250 and 1,250 ms, plus up to 10%.
 */
export const MAX_TRIES = 5;
const FIRST_PAUSE = 10;
const FACTOR = 5;
const JITTER = 0.1;

/** Milliseconds before the next try of a write, after this many failures (from 1). */
export function pauseBeforeTry(failures: number, random: () => number = Math.random): number {
  return Math.round(FIRST_PAUSE * FACTOR ** (failures - 1) * (1 + JITTER * random()));
}

/** The message for an object that other clients wrote first each time. */
export const CONFLICTS = `conflict: other clients wrote it first at each of ${MAX_TRIES} tries; try again later`;

/**
 * The pauses between the tries of one write. Call the result after a failed try: it resolves when the next one is due,
 * to false after the last try or the signal's abort.
 */
export function retries({
  signal,
  pause = realPause,
}: {
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}): () => Promise<boolean> {
  let failures = 0;
  return async () => {
    if (++failures >= MAX_TRIES || signal?.aborted) return false;
    await pause(pauseBeforeTry(failures), signal);
    return !signal?.aborted;
  };
}

/** Milliseconds for which requests to an unresponsive server are retried. */
const PATIENCE = 60_000;
const FIRST_UNANSWERED = 250;
const LONGEST_UNANSWERED = 10_000;

/**
 * The pauses while a server is silent, overloaded or failing: doubling, never shorter than its Retry-After. Call the
 * result after a failed try: it resolves when the next one is due, to false when patience is over or the signal aborts.
 */
export function createRetryPauses({
  signal,
  patience = PATIENCE,
  pause = realPause,
}: {
  signal?: AbortSignal | undefined;
  patience?: number | undefined;
  pause?: Pause | undefined;
}): (failure: { retryAfter?: number | undefined }) => Promise<boolean> {
  let waited = 0;
  let next = FIRST_UNANSWERED;
  return async ({ retryAfter = 0 }) => {
    if (signal?.aborted || waited >= patience) return false;
    const length = Math.max(next, retryAfter * 1000);
    next = Math.min(next * 2, LONGEST_UNANSWERED);
    waited += length;
    await pause(length, signal);
    return !signal?.aborted;
  };
}

/** Milliseconds that a request in progress may still take after a stop; all waits then end within two seconds. */
const GRACE = 1500;

/** Aborts requests in progress shortly after a stop, so that most writes are still settled. */
interface Grace {
  signal: AbortSignal;
  release(): void;
}

/** @param others signals that end requests at once */
export function graceAfter(
  stop: AbortSignal | undefined,
  pause: Pause,
  ...others: (AbortSignal | undefined)[]
): Grace {
  const over = new AbortController();
  const requests = linkedSignal(...others);
  const begin = (): void =>
    void pause(GRACE, over.signal).then(() => {
      if (!over.signal.aborted) requests.abort(stop?.reason);
    });
  if (stop?.aborted) begin();
  else stop?.addEventListener('abort', begin, { once: true });
  return {
    signal: requests.signal,
    release() {
      over.abort();
      stop?.removeEventListener('abort', begin);
      requests.release();
    },
  };
}
