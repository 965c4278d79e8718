import { describe, expect, test } from '@jest/globals';
import { serverClock } from '../../../../src/state/live/requests/serverClock.ts';

const NOON = Date.parse('2026-09-01T12:00:00Z');

/** A clock synchronized by a server's responses; ours begins at 0, and runs as fast. */
function clock() {
  let local = 0;
  const server = serverClock({ now: () => local });
  return {
    now: () => server.now() - NOON,
    /** A response with this instant there (seconds after noon), this many milliseconds later here. */
    answers(seconds: number, milliseconds = 0) {
      local += milliseconds;
      const date = new Date(NOON + seconds * 1000);
      server.heard(Number.isNaN(seconds) ? 'soon' : date.toUTCString(), local);
    },
    passes: (milliseconds: number) => void (local += milliseconds),
  };
}

describe('the clock of an API server', () => {
  test('is accurate to half a second after one response, and advances with our clock', () => {
    const one = clock();
    one.answers(7);
    expect(one.now()).toBe(7500);
    one.passes(2000);
    expect(one.now()).toBe(9500);
  });

  test('stops after it is set back until the old time is reached', () => {
    const one = clock();
    one.answers(100);
    const before = one.now();
    one.answers(40, 1000);
    expect(one.now()).toBe(before);
    one.passes(30_000);
    expect(one.now()).toBe(before);
    one.passes(31_000);
    expect(one.now()).toBe(101_500);
  });

  test('advances after it is set forward', () => {
    const one = clock();
    one.answers(100);
    one.answers(1000, 1000);
    expect(one.now()).toBe(1_000_500);
  });

  test('remains unchanged by a response without a date', () => {
    const one = clock();
    one.answers(7);
    one.answers(NaN);
    expect(one.now()).toBe(7500);
  });
});
