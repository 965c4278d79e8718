import { describe, expect, test } from '@jest/globals';
import type { Failure } from '../../../src/karmada/controllers/controller.ts';
import { nextRetry } from '../../../src/karmada/queues/retryBackoff.ts';
import { failedAgain, type KnownFailure } from '../../../src/simulator/virtualTime/failures.ts';

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
