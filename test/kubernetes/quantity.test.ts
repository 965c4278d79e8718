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

describe('the value of a quantity', () => {
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
  ])('for %p is %p, and %p in thousandths', (written, whole, thousandths) => {
    expect([value(written), milliValue(written)]).toEqual([whole, thousandths]);
  });

  test('rounds a fraction up to the next integer', () => {
    expect(value('7250m')).toBe(8n);
    expect(value('.5')).toBe(1n);
    expect(milliValue('1n')).toBe(1n);
    expect(milliValue('1e-30')).toBe(1n);
  });

  test('rounds a negative int64 away from zero, and a longer negative decimal up, as Go does', () => {
    expect(value('-1500m')).toBe(-2n);
    expect(value('-1.5000000000')).toBe(0n);
  });

  test('overflows int64 as Go does', () => {
    expect(value('10E')).toBe(0n);
    expect(value('10000000000G')).toBe(-8_446_744_073_709_551_616n);
    expect(value('16Ei')).toBe(9_223_372_036_854_775_807n);
    expect(milliValue('10P')).toBe(0n);
  });

  test('is zero for null', () => {
    expect(value(null)).toBe(0n);
    expect(parseQuantity(null).format).toBe('');
  });
});

describe('an invalid quantity', () => {
  test.each(['', ' ', 'abc', '1.2.3', '1 k', '0x10', '1_000'])('%p has an invalid format', (written) => {
    expect(() => parseQuantity(written)).toThrow(InvalidQuantity);
    expect(() => parseQuantity(written)).toThrow('quantities must match the regular expression');
  });

  test.each(['1Kk', '1mi', '1e', '1EE', '5-3', '--1'])('%p has an unknown suffix', (written) => {
    expect(() => parseQuantity(written)).toThrow("unable to parse quantity's suffix");
  });

  test('the suffix Ki without digits equals 0, and Ei without digits is refused', () => {
    expect(value('Ki')).toBe(0n);
    expect(value('.')).toBe(0n);
    expect(() => parseQuantity('Ei')).toThrow('unable to parse numeric part of quantity');
  });

  // hours, if it were parsed again from each of its digits
  test('a long text with one invalid character is refused', () => {
    expect(() => parseQuantity(`${'0'.repeat(20_000_000)}x`)).toThrow(InvalidQuantity);
  });

  test('a sum with an exponent too large for memory is refused', () => {
    const huge = parseQuantity('1e999999999');
    expect(compareQuantities(huge, parseQuantity('1'))).toBe(1);
    expect(() => addQuantities(huge, parseQuantity('1'))).toThrow(InvalidQuantity);
    expect(value('1e-999999999')).toBe(1n);
  });
});

describe('arithmetic with quantities', () => {
  const sum = (a: string, b: string) => addQuantities(parseQuantity(a), parseQuantity(b));
  const difference = (a: string, b: string) => subtractQuantities(parseQuantity(a), parseQuantity(b));

  test('is exact across suffixes', () => {
    expect(formatQuantity(difference('7250m', '1'))).toBe('6250m');
    expect(formatQuantity(difference('16Gi', '1500M'))).toBe('15679869184');
    expect(formatQuantity(sum('1n', '1E'))).toBe('1000000000000000000000000001n');
  });

  test('keeps the format of the first operand, unless that is zero', () => {
    expect(difference('1Gi', '1G').format).toBe('BinarySI');
    expect(sum('0', '1Gi').format).toBe('BinarySI');
  });

  test('is exact beyond int64', () => {
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
  ])('comparing %p with %p returns %p', (a, b, expected) => {
    expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(expected);
    expect(compareQuantities(parseQuantity(b), parseQuantity(a))).toBe(expected === 0 ? 0 : -expected);
  });
});

describe('the canonical form of a quantity', () => {
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
  ])('for %p is %p', (written, printed) => {
    expect(formatQuantity(parseQuantity(written))).toBe(printed);
  });

  test('equals the written text that Go considers canonical', () => {
    expect(formatQuantity(parseQuantity('+1'))).toBe('+1');
    expect(formatQuantity(parseQuantity('1.500'))).toBe('1.500');
  });

  test('is the printed form of computed quantities', () => {
    expect(formatQuantity(milliQuantity(2500n, 'DecimalSI'))).toBe('2500m');
    expect(formatQuantity(integerQuantity(3n * 1024n ** 2n, 'BinarySI'))).toBe('3Mi');
  });
});
