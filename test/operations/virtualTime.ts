import type { VirtualTime as Driver } from '../../src/simulator/virtualTime/virtualTime.ts';

/** The time of Karmada's controllers, which passes only if something waits for it; asynchronous code and looks take turns. */
export interface VirtualTime extends Pick<Driver, 'now' | 'plan' | 'run' | 'step'> {
  /**
   * Lets time pass until the promise is settled. Fails after a virtual day, or if nothing is planned and real I/O of files and pipes does
   * not settle it either.
   */
  until<T>(promise: Promise<T>): Promise<T>;
}

const LONGEST = 24 * 3600_000;
/** Turns of a millisecond for files and pipes, once no virtual time is left; counted in turns, because a starved process gets few. */
const PATIENCE = 20_000;

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
      let idle = 0;
      for (;;) {
        // pending microtasks run first
        await new Promise((resolve) => setImmediate(resolve));
        if (settled) return promise;
        if (step()) {
          idle = 0;
          if (now() > limit) throw new Error('a day has passed, and the promise is not settled');
          continue;
        }
        if (++idle > PATIENCE) throw new Error('nothing happens any more, and the promise is not settled');
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
}
