import { describe, expect, test } from '@jest/globals';
import {
  InvalidQuantity,
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  milliQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '../../src/kubernetes/quantity.ts';
import { parseQuantity } from '../../src/kubernetes/parseQuantity.ts';

const value = (written: string | number | null) => quantityValue(parseQuantity(written));
const milliValue = (written: string | number | null) => quantityMilliValue(parseQuantity(written));

describe('what a quantity is worth', () => {
  test.each<[string | number, bigint, bigint]>([
    ['8e9', 8_000_000_000n, 8_000_000_000_000n],
    ['1k', 1000n, 1_000_000n],
    ['1e3', 1000n, 1_000_000n],
    ['+1', 1n, 1000n],
    ['1.5Gi', 1_610_612_736n, 1_610_612_736_000n],
    ['1e-3', 1n, 1n],
    [7, 7n, 7000n],
    [1.5, 2n, 1500n],
    [1e21, 0n, 0n],
  ])('%p is %p, in thousandths %p', (written, whole, thousandths) => {
    expect([value(written), milliValue(written)]).toEqual([whole, thousandths]);
  });

  test('a part of a unit counts as a whole one', () => {
    expect(value('7250m')).toBe(8n);
    expect(value('.5')).toBe(1n);
    expect(milliValue('1n')).toBe(1n);
    expect(milliValue('1e-30')).toBe(1n);
  });

  test('below zero an int64 rounds away from zero; a longer decimal is one too high, as it is in Go', () => {
    expect(value('-1500m')).toBe(-2n);
    expect(value('-1.5000000000')).toBe(0n);
  });

  test('what int64 cannot hold is lost in the way Go loses it', () => {
    expect(value('10E')).toBe(0n);
    expect(value('10000000000G')).toBe(-8_446_744_073_709_551_616n);
    expect(value('16Ei')).toBe(9_223_372_036_854_775_807n);
    expect(milliValue('10P')).toBe(0n);
  });

  test('no quantity at all is worth nothing', () => {
    expect(value(null)).toBe(0n);
    expect(parseQuantity(null).format).toBe('');
  });
});

describe('an invalid quantity', () => {
  test.each(['', ' ', 'abc', '1.2.3', '1 k', '0x10', '1_000'])('%p has the wrong form', (written) => {
    expect(() => parseQuantity(written)).toThrow(InvalidQuantity);
    expect(() => parseQuantity(written)).toThrow('quantities must match the regular expression');
  });

  test.each(['1Kk', '1mi', '1e', '1EE', '5-3', '--1'])('%p has an unknown suffix', (written) => {
    expect(() => parseQuantity(written)).toThrow("unable to parse quantity's suffix");
  });

  test('a suffix alone means 0 unless it takes the long way', () => {
    expect(value('Ki')).toBe(0n);
    expect(value('.')).toBe(0n);
    expect(() => parseQuantity('Ei')).toThrow('unable to parse numeric part of quantity');
  });

  // hours, if it were parsed again from each of its digits
  test('a long text that almost matches is refused', () => {
    expect(() => parseQuantity(`${'0'.repeat(20_000_000)}x`)).toThrow(InvalidQuantity);
  });

  test('exponents that would fill the memory are refused when they have to be worked out', () => {
    const huge = parseQuantity('1e999999999');
    expect(compareQuantities(huge, parseQuantity('1'))).toBe(1);
    expect(() => addQuantities(huge, parseQuantity('1'))).toThrow(InvalidQuantity);
    expect(value('1e-999999999')).toBe(1n);
  });
});

describe('arithmetic', () => {
  const sum = (a: string, b: string) => addQuantities(parseQuantity(a), parseQuantity(b));
  const difference = (a: string, b: string) => subtractQuantities(parseQuantity(a), parseQuantity(b));

  test('is exact across suffixes', () => {
    expect(formatQuantity(difference('7250m', '1'))).toBe('6250m');
    expect(formatQuantity(difference('16Gi', '1500M'))).toBe('15679869184');
    expect(formatQuantity(sum('1n', '1E'))).toBe('1000000000000000000000000001n');
  });

  test('keeps the first format, unless the first is zero', () => {
    expect(difference('1Gi', '1G').format).toBe('BinarySI');
    expect(sum('0', '1Gi').format).toBe('BinarySI');
  });

  test('continues beyond int64', () => {
    expect(sum('9223372036854775807', '1').precision).toBe('arbitrary');
    expect(formatQuantity(sum('9223372036854775807', '1'))).toBe('9223372036854775808');
  });

  test.each<[string, string, number]>([
    ['1', '1000m', 0],
    ['1Ki', '1k', 1],
    ['-1', '1n', -1],
    ['1e40', '1e41', -1],
    ['0', '-0.0000', 0],
    ['1.0000000001', '1', 1],
  ])('%p compared with %p is %p', (a, b, expected) => {
    expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(expected);
    expect(compareQuantities(parseQuantity(b), parseQuantity(a))).toBe(expected === 0 ? 0 : -expected);
  });
});

describe('how a quantity is printed', () => {
  test.each([
    ['0.5', '500m'],
    ['1500m', '1500m'],
    ['2000m', '2'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['8e9', '8e9'],
    ['80e2', '8e3'],
    ['1000000', '1M'],
    ['0.0', '0'],
    ['1000E', '1'],
  ])('%p as %p', (written, printed) => {
    expect(formatQuantity(parseQuantity(written))).toBe(printed);
  });

  test('text that Go takes for canonical stays as written', () => {
    expect(formatQuantity(parseQuantity('+1'))).toBe('+1');
    expect(formatQuantity(parseQuantity('1.500'))).toBe('1.500');
  });

  test('computed amounts too', () => {
    expect(formatQuantity(milliQuantity(2500n, 'DecimalSI'))).toBe('2500m');
    expect(formatQuantity(integerQuantity(3n * 1024n ** 2n, 'BinarySI'))).toBe('3Mi');
  });
});
