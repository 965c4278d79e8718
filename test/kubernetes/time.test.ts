import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatDuration,
  instant,
  parseDuration,
  readDuration,
  rfc3339,
  rfc3339Milliseconds,
} from '../../src/kubernetes/time.ts';

describe('a timestamp', () => {
  test('keeps every second of the calendar when printed and parsed', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (second) => {
        expect(instant(rfc3339(second * 1000))).toBe(second * 1000);
      }),
    );
  });

  test('prints like a JavaScript Date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (at) => {
        expect(rfc3339Milliseconds(at)).toBe(new Date(at).toISOString());
        expect(rfc3339(at)).toBe(`${new Date(at).toISOString().slice(0, -5)}Z`);
      }),
    );
  });

  test('may have fractions of a second and an offset, and is cut to milliseconds', () => {
    const noon = Date.UTC(2026, 2, 14, 12);
    expect(instant('2026-03-14T12:00:00.123456Z')).toBe(noon + 123);
    expect(instant('2026-03-14T14:00:00+02:00')).toBe(noon);
    expect(instant('2026-03-14T04:30:00.5-07:30')).toBe(noon + 500);
    expect(instant('2024-02-29T00:00:00Z')).toBe(Date.UTC(2024, 1, 29));
  });

  test.each([
    '',
    '2026-03-14',
    '2026-03-14 12:00:00Z',
    '2026-03-14T12:00:00',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-03-14T24:00:00Z',
    '2026-03-14T12:60:00Z',
    '2026-03-1aT12:00:00Z',
    '2026/03/14T12:00:00Z',
  ])('%j is an invalid timestamp', (text) => {
    expect(instant(text)).toBeNaN();
  });

  test('is in whole seconds as metav1.Time, and in milliseconds in our own output', () => {
    const at = Date.UTC(2026, 2, 14, 9, 26, 53, 999);
    expect(rfc3339(at)).toBe('2026-03-14T09:26:53Z');
    expect(rfc3339Milliseconds(at)).toBe('2026-03-14T09:26:53.999Z');
    expect(rfc3339(-1)).toBe('1969-12-31T23:59:59Z');
  });
});

describe('a duration', () => {
  test.each([
    ['0', 0],
    ['0s', 0],
    ['3m', 180_000],
    ['1h2m3.5s', 3_723_500],
    ['-1.5h', -5_400_000],
    ['+.5s', 500],
    ['1.s', 1000],
    ['250ms', 250],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['2m1m', 180_000],
  ])('%j is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  test.each(['', '-', '3', '3 m', '.s', 'm', '1d', '1h-2m', '1e3s', '1M', '300000h300000h9000000h'])(
    '%j is an invalid duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test.each([
    [0, '0s'],
    [0.000_001, '1ns'],
    [0.0015, '1.5µs'],
    [1.5, '1.5ms'],
    [250, '250ms'],
    [1000, '1s'],
    [600_000, '10m'],
    [3_605_000, '1h5s'],
    [60_250, '1m0.25s'],
    [3_723_500, '1h2m3.5s'],
    [86_400_000, '24h'],
    [-1500, '-1.5s'],
    [999.999_999_9, '1s'],
  ])('of %d ms prints as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  test('in days is valid only in our own format, not in Go', () => {
    expect(readDuration('1d2h')).toBe(93_600_000);
    expect(parseDuration('1d')).toBeUndefined();
  });

  test('keeps its value when printed and parsed', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBeCloseTo(milliseconds, 3);
      }),
    );
  });
});
