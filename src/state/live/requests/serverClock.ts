import type { Timing } from '../mirrors/timing.ts';

/** The server's clock, from the Date headers of its answers. */
export interface ServerClock {
  now(): number;
  /** Records the Date of the answer to a request sent at `sentAt` (local clock). */
  heard(date: string | undefined, sentAt: number): void;
}

/**
 * A Date of 12:00:07 means that at some moment between sending and receiving, the server had 12:00:07 to 12:00:08. Each
 * answer narrows the range; after the first it is half a second either way. The clock is monotonic.
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
      // one of the clocks was set: restart
      if (least > most) [least, most] = [low, high];
    },
  };
}
