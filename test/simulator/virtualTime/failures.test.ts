import { describe, expect, test } from '@jest/globals';
import type { Failure } from '../../../src/karmada/controllers/controller.ts';
import { nextRetry, STANDARD_BACK_OFF } from '../../../src/karmada/queues/retryBackoff.ts';
import type { ParkedKey } from '../../../src/karmada/queues/savedQueues.ts';
import {
  createRetries,
  failedAgain,
  type KnownFailure,
} from '../../../src/simulator/virtualTime/failures.ts';

const failure: Failure = { reason: 'SchedulerError', message: 'no room', unless: [] };

/** The instant of the next retry after failing looks at those instants. */
function retryAfter(looks: number[], forgetsTimers: boolean): number {
  let known: KnownFailure | undefined;
  for (const now of looks) {
    const { since, first } = failedAgain(known, failure, now, forgetsTimers);
    known = { since, first, message: failure.message };
  }
  const { since, first } = known!;
  return nextRetry(since, looks.at(-1)! + 1, { first: first!, longest: 1000_000 });
}

// client-go: 5 ms, doubled with each failure
describe('a failed key', () => {
  test('is retried by its timer, with a doubled delay', () => {
    expect(retryAfter([0], false)).toBe(5);
    expect(retryAfter([0, 5], false)).toBe(15);
    expect(retryAfter([0, 5, 15], false)).toBe(35);
  });

  test('keeps its timer if an event makes it fail earlier, and that failure doubles the next delay', () => {
    expect(retryAfter([0, 5, 15, 20], false)).toBe(35);
    expect(retryAfter([0, 5, 15, 20, 35], false)).toBe(35 + 80);
  });

  test('loses its timer to an event if the queue holds each key once', () => {
    expect(retryAfter([0, 5, 15, 20], true)).toBe(20 + 40);
  });
});

// ratelimiterflag.DefaultControllerRateLimiter: 100 tokens, then 10 a second, for all keys of a queue
describe('many keys that fail together', () => {
  const failing = (since: number) => ({ ...STANDARD_BACK_OFF, since });

  /** The first retries of this many keys that fail at 0, milliseconds. */
  function firstRetries(keys: number, retries = createRetries()): number[] {
    return Array.from({ length: keys }, (_, i) => {
      const { since, first } = retries.failed('execution-controller', failing(0), 0);
      const parked: ParkedKey = {
        controller: 'execution-controller',
        key: `${i}`,
        interests: [],
        since,
        beat: { backOff: { ...STANDARD_BACK_OFF, first } },
      };
      retries.skip('execution-controller', parked);
      return since + first;
    });
  }

  test('are retried like single keys while the bucket has tokens, then ten per second', () => {
    const times = firstRetries(200);
    expect(times[99]).toBe(5);
    expect(times[100]).toBe(100);
    expect(times[199]).toBe(10_000);
  });

  test('delay the retry of another key by their skipped retries', () => {
    const delayAfter = (keys: number) => {
      const retries = createRetries();
      firstRetries(keys, retries);
      const { since, first } = retries.failed('execution-controller', failing(5000), 5000);
      return since + first - 5000;
    };
    expect(delayAfter(3)).toBe(5);
    expect(delayAfter(40)).toBeGreaterThan(1000);
  });

  test('of another process do not delay a retry', () => {
    const retries = createRetries();
    firstRetries(200, retries);
    const { since, first } = retries.failed('execution-controller member4', failing(0), 0);
    expect(since + first).toBe(5);
    retries.restart('execution-controller');
    expect(firstRetries(1, retries)).toEqual([5]);
  });
});
