import { setTimeout as sleep } from 'node:timers/promises';

/** Clock, pauses and randomness, replaceable in tests. */
export interface Timing {
  /** epoch milliseconds, monotonic */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** from 0 to just below 1 */
  random(): number;
}

export const realTiming: Timing = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  random: Math.random,
};
