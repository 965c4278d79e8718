import type { VirtualTime } from '../../../simulator/virtualTime/virtualTime.ts';

/** Planned looks of somebody who acts beside the controllers: each occasion waits once, at its earliest instant. */
export interface Looks {
  /** @param at epoch milliseconds */
  add(occasion: string, at: number): void;
}

/** The looks of a drain in virtual time; none is planned at first. */
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
