import { describe, expect, test } from '@jest/globals';
import { nextRetry } from '../../../src/karmada/queues/retryBackoff.ts';

const FAILED = 1_000_000;
const attempts = (next: (now: number) => number, count: number) => {
  const delays: number[] = [];
  for (let at = FAILED, i = 0; i < count; i++) {
    const then = next(at + 1);
    delays.push(then - at);
    at = then;
  }
  return delays;
};

describe('retries after a failure', () => {
  test('start after 5 ms and double each time', () => {
    expect(attempts((now) => nextRetry(FAILED, now), 4)).toEqual([5, 10, 20, 40]);
  });

  test('have a delay of at most 1000 s', () => {
    expect(attempts((now) => nextRetry(FAILED, now), 20).at(-1)).toBe(1_000_000);
  });

  test('of the priority queue start after 1 s and double up to 10 s', () => {
    const delays = attempts((now) => nextRetry(FAILED, now, { first: 1000, longest: 10_000 }), 6);
    expect(delays).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test('of a queue with flushes wait for the next flush', () => {
    const backOff = { first: 1000, longest: 10_000, flush: 1000 };
    const first = (failed: number) => nextRetry(failed, failed + 1, backOff);
    expect([first(FAILED + 1), first(FAILED + 400), first(FAILED + 1000)]).toEqual([
      FAILED + 2000,
      FAILED + 2000,
      FAILED + 2000,
    ]);
    expect(nextRetry(FAILED + 400, FAILED + 2001, backOff)).toBe(FAILED + 4000);
  });

  test('of the priority queue wait 5 minutes for capacity', () => {
    expect(attempts((now) => nextRetry(FAILED, now, { first: 300_000, longest: 300_000 }), 2)).toEqual([
      300_000, 300_000,
    ]);
  });
});
