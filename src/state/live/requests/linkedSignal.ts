import { setMaxListeners } from 'node:events';

/** An AbortSignal that follows others until it is released. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Unlinks it, and removes its listeners from the signals that it followed. */
  release(): void;
}

/**
 * A signal that aborts as soon as one of the others does, with its reason. Use it instead of `AbortSignal.any` for
 * short-lived signals that follow a long-lived one, and release it: with `any`, the long-lived one keeps 70 bytes per
 * call forever (Node 20).
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

/** More than this many at once are a leak. */
const MAX_AT_ONCE = 1_000;

/** Lets one signal end many requests and links. From eleven listeners on, Node suspects a leak, and warns on stderr. */
export function sharedByMany(signal: AbortSignal): void {
  setMaxListeners(MAX_AT_ONCE, signal);
}
