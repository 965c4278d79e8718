import type { Timing } from '../mirrors/timing.ts';

/** The server's clock, from the Date headers of its answers. */
export interface ServerClock {
  now(): number;
  /** Records the Date of an answer to a request that was sent at `sentAt` by the local clock. */
  heard(date: string | undefined, sentAt: number): void;
}

/**
 * A Date of 12:00:07 says that at some moment between sending and receiving it was between 12:00:07 and 12:00:08 there.
 * Each answer narrows the range down; after the first it is half a second to either side. The clock never goes back.
 */
export function serverClock(timing: Pick<Timing, 'now'>): ServerClock {
  let least = -Infinity;
  let most = Infinity;
  let newest = -Infinity;
  return {
    now() {
      const offset = least === -Infinity ? 0 : (least + most) / 2;
      return (newest = Math.max(newest, timing.now() + offset));
    },
    heard(date, sentAt) {
      const second = date === undefined ? NaN : Date.parse(date);
      if (Number.isNaN(second)) return;
      const [low, high] = [second - timing.now(), second + 1000 - sentAt];
      least = Math.max(least, low);
      most = Math.min(most, high);
      // somebody has set one of the clocks: restart
      if (least > most) [least, most] = [low, high];
    },
  };
}
