import { describe, expect, test } from '@jest/globals';
import { age, duration, lasting, relativeTime } from '../../../src/views/words/duration.ts';

describe('a duration has at most two units', () => {
  test.each([
    [0, '0s'],
    [999, '0s'],
    [45_000, '45s'],
    [192_000, '3m12s'],
    [600_000, '10m'],
    [7_500_000, '2h5m'],
    [7_205_000, '2h'],
    [4 * 86_400_000 + 3_600_000, '4d1h'],
    [-45_000, '-45s'],
  ])('%d ms is written %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});

test('the age of a future time is shown as "in the future"', () => {
  expect([age(0, 41_000), lasting(0, 41_000)]).toEqual(['41s', 'for 41s']);
  // two clocks
  expect(age(500, 0)).toBe('0s');
  expect([age(5000, 0), lasting(5000, 0)]).toEqual(['in the future', 'since a time in the future']);
});

test('a time is shown relative to now', () => {
  expect(relativeTime(139_000, 0)).toBe('in 2m19s');
  expect(relativeTime(0, 41_000)).toBe('41s ago');
  expect(relativeTime(500, 0)).toBe('now');
});
