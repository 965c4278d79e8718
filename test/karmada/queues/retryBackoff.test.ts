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

  test.each([
    { first: 5, longest: 1_000_000 },
    { first: 1000, longest: 10_000, flush: 3000 },
    { first: 300_000, longest: 300_000, flush: 30_000 },
  ])('of %o keep their intervals after any time, even after millennia', (backOff) => {
    const next = (now: number) => nextRetry(FAILED, now, backOff);
    const apart = Math.ceil(backOff.longest / (backOff.flush ?? 1)) * (backOff.flush ?? 1);
    const late = [4e6, 5e6 + 1, 2.5e14].map((later) => next(FAILED + later));
    for (const at of late) expect([next(at), next(at + 1) - at]).toEqual([at, apart]);
    expect((late[2]! - late[0]!) % apart).toBe(0);
  });

  test('of the priority queue wait 5 minutes for capacity', () => {
    expect(attempts((now) => nextRetry(FAILED, now, { first: 300_000, longest: 300_000 }), 2)).toEqual([
      300_000, 300_000,
    ]);
  });
});
