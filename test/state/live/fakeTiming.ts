import type { Timing } from '../../../src/state/live/mirrors/timing.ts';

export interface FakeTiming extends Timing {
  /** every pause that was asked for, in milliseconds */
  pauses: number[];
  /** Lets this much time pass; sleepers wake at their moment. */
  advance(milliseconds: number): Promise<void>;
}

/** Virtual time: sleeping ends at once (`jumps`), or when the test lets time pass. Random numbers are `random`. */
export function fakeTiming({ jumps = false, random = 1, start = 1_000_000 } = {}): FakeTiming {
  let now = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const timing: FakeTiming = {
    pauses: [],
    now: () => now,
    random: () => random,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      timing.pauses.push(milliseconds);
      if (jumps) {
        now += milliseconds;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const aborted = () => {
          sleepers = sleepers.filter((one) => one !== sleeper);
          reject(signal?.reason as Error);
        };
        const sleeper = {
          at: now + milliseconds,
          wake() {
            signal?.removeEventListener('abort', aborted);
            resolve();
          },
        };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', aborted, { once: true });
      });
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        now = next.at;
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        next.wake();
        await settle();
      }
      now = until;
      await settle();
    },
  };
  return timing;
}
