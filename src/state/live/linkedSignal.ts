import { setMaxListeners } from 'node:events';

/** An AbortSignal that follows others, until it is let go. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts this one alone. */
  abort(reason?: unknown): void;
  /** Ends the link: nothing of it stays with the signals that it followed. */
  release(): void;
}

/**
 * A signal that aborts as soon as one of others does, with its reason. What is made again and again while another signal
 * lives on is made by this, and released: of `AbortSignal.any` the other keeps something for ever (Node 20: 70 bytes a call).
 */
export function linkedSignal(...followed: (AbortSignal | undefined)[]): LinkedSignal {
  const own = new AbortController();
  const signals = followed.filter((one) => one !== undefined);
  const ends = signals.map((signal) => {
    sharedByMany(signal);
    const end = (): void => own.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return () => signal.removeEventListener('abort', end);
  });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => ends.forEach((end) => end()),
  };
}

/** So many at once would be a leak. */
const MOST_AT_ONCE = 1_000;

/** Many requests and links may end with one signal. Node takes eleven of them for a leak, and says so on stderr. */
export function sharedByMany(signal: AbortSignal): void {
  setMaxListeners(MOST_AT_ONCE, signal);
}
