import { LONGEST_TIMER } from '../kubernetes/time.ts';

/** Resolves after this many milliseconds, or at once if the signal aborts. Tests use virtual time. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = async (milliseconds, signal) => {
  let left = milliseconds;
  for (; left > LONGEST_TIMER && !signal?.aborted; left -= LONGEST_TIMER) await timer(LONGEST_TIMER, signal);
  await timer(left, signal);
};

const timer: Pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timeout = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });

/** Resolves once the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
