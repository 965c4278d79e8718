import type { VirtualTime } from '../../virtualTime/virtualTime.ts';

/** Looks that somebody who acts beside the controllers plans: an occasion waits once, at its earliest instant. */
export interface Looks {
  /** @param at epoch milliseconds */
  add(occasion: string, at: number): void;
}

/** Looks of a drain in virtual time; none is planned yet. */
export function createLooks(time: VirtualTime, look: (occasion: string) => void): Looks {
  const waiting = new Map<string, number>();
  return {
    add(occasion, at) {
      const planned = waiting.get(occasion);
      if (planned !== undefined && planned <= at) return;
      waiting.set(occasion, at);
      time.plan(at, () => {
        if (waiting.get(occasion) !== at) return;
        waiting.delete(occasion);
        look(occasion);
      });
    },
  };
}
