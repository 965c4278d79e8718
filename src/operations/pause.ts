/** Resolves after so many milliseconds, or at once if the signal aborts. Tests use virtual time. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = async (milliseconds, signal) => {
  let left = milliseconds;
  for (; left > LONGEST && !signal?.aborted; left -= LONGEST) await timer(LONGEST, signal);
  await timer(left, signal);
};

/** Milliseconds, about 24 days: Node ends a longer timer at once. */
const LONGEST = 2 ** 31 - 1;

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
