import { expect, test } from '@jest/globals';
import { choice, duration, durationOrSeconds, number, stdinOnce, wholeNumber } from '../../src/cli/values.ts';

test('a duration without a unit is in seconds', () => {
  expect(['90', '90s', '1m30s', '0'].map((text) => durationOrSeconds('--timeout', text))).toEqual([
    90_000, 90_000, 90_000, 0,
  ]);
});

test.each(['-5s', '-1m30s', '-1', '', '5 minutes', '1e3s', 'NaN'])('"%s" is not a duration', (text) => {
  const message = `--timeout: "${text}" is not a duration such as 90s or 5m`;
  expect(() => durationOrSeconds('--timeout', text)).toThrow(message);
  expect(() => duration('--timeout', text)).toThrow(message);
});

test('a duration is rejected if it exceeds a Go duration', () => {
  const most = '9223372036';
  expect(durationOrSeconds('--timeout', most)).toBe(9_223_372_036_000);
  expect(() => durationOrSeconds('--timeout', '9223372037')).toThrow(
    `--timeout "9223372037" is more seconds than a duration holds; give at most ${most}`,
  );
});

test('a choice is accepted in any case, and a wrong one gets a suggestion', () => {
  const methods = ['evict', 'taint'] as const;
  expect(choice('--method', 'Taint', methods)).toBe('taint');
  expect(() => choice('--method', 'tant', methods)).toThrow(
    '--method "tant" is not known, did you mean taint?',
  );
  expect(() => choice('--method', 'x', methods)).toThrow(
    '--method "x" is not known; choose from evict, taint',
  );
});

test('a number is rejected if it is infinite or outside its range', () => {
  const share = (text: string) => number('--share', text, 'a share from 0 to 1', (n) => n >= 0 && n <= 1);
  expect(share('0.55')).toBe(0.55);
  for (const text of ['', ' ', 'x', '1.1', '-1', 'Infinity', 'NaN'])
    expect(() => share(text)).toThrow(`--share "${text}" is not a share from 0 to 1`);
  expect(wholeNumber('--max', '3', 1)).toBe(3);
  for (const text of ['0', '1.5', '-3'])
    expect(() => wholeNumber('--max', text, 1)).toThrow('not a whole number, 1 or more');
});

test('a missing value is undefined', () => {
  expect([choice('--a', undefined, ['b']), durationOrSeconds('--a', undefined)]).toEqual([
    undefined,
    undefined,
  ]);
});

test('one flag may read stdin', () => {
  expect(() =>
    stdinOnce({ '--apply': ['a.yaml', '-'], '--scenario': 'b.yaml', '--state': undefined }),
  ).not.toThrow();
});

test.each([
  [
    { '--apply': ['-'], '--state': ['-'] },
    '--apply - and --state -: stdin can be read only once; name a file for one of them',
  ],
  [
    { '--scenario': '-', '--scenario-to': '-' },
    '--scenario - and --scenario-to -: stdin can be read only once; name a file for one of them',
  ],
  [{ '-f': ['-', '-'] }, '-f -: stdin can be read only once; name it once'],
])('%j is rejected, because stdin can be read only once', (flags, message) => {
  expect(() => stdinOnce(flags)).toThrow(message);
});
