import { describe, expect, test } from '@jest/globals';
import { formatFloat, goQuote, unicodePoint } from '../../src/kubernetes/goFormat.ts';

describe('the Go format %v for a float64', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [-5, '-5'],
    [2.5, '2.5'],
    [100000, '100000'],
    [999999, '999999'],
    [1000000, '1e+06'],
    [1234567, '1.234567e+06'],
    [123456789, '1.23456789e+08'],
    [-2097152.5, '-2.0971525e+06'],
    [1e21, '1e+21'],
    [1e100, '1e+100'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e-7, '1e-07'],
    [2 ** 53, '9.007199254740992e+15'],
    [5e-324, '5e-324'],
  ])('%p prints as %s', (value, text) => {
    expect(formatFloat(value)).toBe(text);
  });
});

describe('the Go format %q for a string', () => {
  test.each([
    ['plain', '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["it's", '"it\'s"'],
    ['\n\r\t\v\f\b\x07', '"\\n\\r\\t\\v\\f\\b\\a"'],
    ['\0\x1f\x7f', '"\\x00\\x1f\\x7f"'],
    ['é✓😀', '"é✓😀"'],
    ['\u00a0\u200b\u2028', '"\\u00a0\\u200b\\u2028"'],
    ['\u{e0001}', '"\\U000e0001"'],
  ])('quotes %j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  test('escapes an invalid byte and half a surrogate pair', () => {
    expect(goQuote('a\udcff\ud800z')).toBe('"a\\xff\\ud800z"');
  });

  test('takes less than a second for 20 MB of text', () => {
    const text = 'x'.repeat(20_000_000);
    const began = process.cpuUsage();
    expect(goQuote(text)).toHaveLength(text.length + 2);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

describe('the Go format %#U for a character', () => {
  test.each([
    [',', "U+002C ','"],
    ['é', "U+00E9 'é'"],
    ['😀', "U+1F600 '😀'"],
    ['\t', 'U+0009'],
    ['\u00a0', 'U+00A0'],
  ])('prints %j', (character, text) => {
    expect(unicodePoint(character)).toBe(text);
  });
});
