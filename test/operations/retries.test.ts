import { describe, expect, test } from '@jest/globals';
import { graceAfter, pauseBeforeTry, retries, MAX_TRIES } from '../../src/operations/retries.ts';
import type { Pause } from '../../src/operations/pause.ts';

/** Pauses that end at once, and are recorded. */
function noted(): { pauses: number[]; pause: Pause } {
  const pauses: number[] = [];
  return {
    pauses,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  };
}

describe('retries of a write', () => {
  test('are five tries with pauses that grow fivefold, plus up to 10 %', () => {
    expect(MAX_TRIES).toBe(5);
    expect([1, 2, 3, 4].map((failures) => pauseBeforeTry(failures, () => 0))).toEqual([10, 50, 250, 1250]);
    expect(pauseBeforeTry(1, () => 1)).toBe(11);
  });

  test('end after the fifth try', async () => {
    const { pauses, pause } = noted();
    const again = retries({ pause });
    const answers = [];
    for (let tries = 0; tries < 5; tries++) answers.push(await again());
    expect(answers).toEqual([true, true, true, true, false]);
    expect(pauses).toHaveLength(4);
  });

  test('end on interruption, also during a pause', async () => {
    const stop = new AbortController();
    const pause: Pause = () => {
      stop.abort();
      return Promise.resolve();
    };
    const again = retries({ pause, signal: stop.signal });
    expect(await again()).toBe(false);
    expect(await again()).toBe(false);
  });
});

describe('a running request after an interruption', () => {
  test('is aborted within two seconds, with the reason of the interruption', async () => {
    const { pauses, pause } = noted();
    const stop = new AbortController();
    const grace = graceAfter(stop.signal, pause);
    expect(grace.signal.aborted).toBe(false);
    stop.abort('stopped');
    await Promise.resolve();
    expect(pauses).toEqual([expect.any(Number)]);
    expect(pauses[0]).toBeLessThan(2000);
    expect(grace.signal.reason).toBe('stopped');
  });

  test('is not aborted after its response', async () => {
    const stop = new AbortController();
    let end = (): void => undefined;
    const grace = graceAfter(stop.signal, () => new Promise((resolve) => (end = resolve)));
    stop.abort();
    grace.release();
    end();
    await Promise.resolve();
    expect(grace.signal.aborted).toBe(false);
  });

  test('is aborted immediately if leadership is lost', () => {
    const lost = new AbortController();
    const grace = graceAfter(undefined, noted().pause, lost.signal);
    lost.abort('lost');
    expect(grace.signal.reason).toBe('lost');
  });
});
