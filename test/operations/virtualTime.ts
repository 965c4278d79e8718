import type { VirtualTime as Driver } from '../../src/engine/virtualTime/virtualTime.ts';

/** The time of Karmada's controllers, which passes only if somebody waits for it; asynchronous code and looks take turns. */
export interface VirtualTime extends Pick<Driver, 'now' | 'plan' | 'run' | 'step'> {
  /** Lets time pass until the promise is settled. Fails where nothing is planned any more, or after a virtual day. */
  until<T>(promise: Promise<T>): Promise<T>;
}

const LONGEST = 24 * 3600_000;

export function waitableTime({
  now,
  plan,
  run,
  step,
}: Pick<Driver, 'now' | 'plan' | 'run' | 'step'>): VirtualTime {
  return {
    now,
    plan,
    run,
    step,
    async until<T>(promise: Promise<T>): Promise<T> {
      const limit = now() + LONGEST;
      let settled = false;
      const done = () => void (settled = true);
      promise.then(done, done);
      for (;;) {
        // all that asynchronous code does without waiting for time comes first
        await new Promise((resolve) => setImmediate(resolve));
        if (settled) return promise;
        if (!step()) throw new Error('nothing happens any more, and the promise is not settled');
        if (now() > limit) throw new Error('a day has passed, and the promise is not settled');
      }
    },
  };
}
