import type { Quantity, QuantityFormat } from './quantity.ts';
import { divideAwayFromZero, fitsInt64, InvalidQuantity, powerOfTen } from './quantity.ts';

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMBER_WRONG = 'unable to parse numeric part of quantity';
const SUFFIX_WRONG = "unable to parse quantity's suffix";

/** sign, digits before and after the point, suffix; without leading zeros */
const PARTS = /^([+-]?)0*((?:[1-9][0-9]*)?)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/;

const MAX_INT64 = 2n ** 63n - 1n;
const INT64_DIGITS = 18;
/** the finest step of a quantity; finer amounts are rounded up to it */
const NANO = -9;

interface Suffix {
  base: 2 | 10;
  exponent: number;
  format: QuantityFormat;
}

const suffixes = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((text, index): [string, Suffix] => [
    text,
    { base: 10, exponent: index * 3 - 9, format: 'DecimalSI' },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((text, index): [string, Suffix] => [
    text,
    { base: 2, exponent: index * 10 + 10, format: 'BinarySI' },
  ]),
]);

const zero: Quantity = { unscaled: 0n, exponent: 0, precision: 'int64', format: 'DecimalSI', text: '0' };
const unset: Quantity = { unscaled: 0n, exponent: 0, precision: 'int64', format: '' };

/**
 * Parses a quantity of the API: a text ("250m", "1.5Gi", "1e3"), a number, or null for none. Mirrors
 * resource.ParseQuantity behind Quantity.UnmarshalJSON, and is as lenient. Throws InvalidQuantity with Kubernetes'
 * wording for anything else.
 */
export function parseQuantity(written: string | number | null): Quantity {
  if (written === null) return unset;
  return parse(String(written).trim());
}

export type QuantityReader = typeof parseQuantity;

/** The number of texts that a reader caches before it empties the cache. */
const REMEMBERED = 10_000;

/** A caching reader: thousands of lists contain mostly the same few quantities. */
export function createQuantityReader(): QuantityReader {
  const remembered = new Map<string, Quantity>();
  return (written) => {
    if (written === null) return unset;
    const text = String(written);
    const known = remembered.get(text);
    if (known) return known;
    const parsed = parse(text.trim());
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(text, parsed);
    return parsed;
  };
}

function parse(text: string): Quantity {
  if (text === '') throw new InvalidQuantity(FORMAT_WRONG);
  if (text === '0') return zero;
  const parts = PARTS.exec(text);
  if (!parts) throw new InvalidQuantity(FORMAT_WRONG);
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = parts;
  const suffix = suffixes.get(suffixText) ?? decimalExponent(suffixText);
  if (!suffix) throw new InvalidQuantity(SUFFIX_WRONG);
  const digits = (whole === '' ? '0' : whole) + fraction;
  const unsigned = int64Amount(digits, fraction.length, suffix);
  if (unsigned) {
    return {
      unscaled: sign === '-' ? -unsigned.unscaled : unsigned.unscaled,
      exponent: unsigned.exponent,
      precision: 'int64',
      format: suffix.format,
      ...(unsigned.canonical && { text }),
    };
  }
  const numberText = suffixText === '' ? text : text.slice(0, -suffixText.length);
  if (!/[0-9]/.test(numberText)) throw new InvalidQuantity(NUMBER_WRONG);
  return decimalAmount(sign, digits, fraction.length, suffix);
}

/** Parses "e3", "E-6": Go parses the exponent as an int64 and keeps its lowest 32 bits. */
function decimalExponent(suffix: string): Suffix | undefined {
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return undefined;
  const written = BigInt(suffix[1] === '+' ? suffix.slice(2) : suffix.slice(1));
  if (!fitsInt64(written)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, written)), format: 'DecimalExponent' };
}

/**
 * The amount as an int64 with a scale, undefined if Go falls back to a long decimal: too many digits for the suffix, a
 * binary suffix with a fraction, or a step finer than nano.
 */
function int64Amount(digits: string, fractionDigits: number, { base, exponent, format }: Suffix) {
  const spare =
    base === 10
      ? INT64_DIGITS - digits.length
      : fractionDigits > 0
        ? -1
        : 15 - digits.length - Math.trunc((exponent * 3) / 10) - 1;
  if (spare < 0) return undefined;
  const scale = base === 10 ? (exponent - fractionDigits) | 0 : 0;
  if (scale < NANO) return undefined;
  const written = BigInt(digits);
  const unscaled = base === 10 ? written : written << BigInt(exponent);
  if (!fitsInt64(unscaled)) return undefined;
  const canonical =
    format === 'BinarySI'
      ? (written & 7n) !== 0n
      : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { unscaled, exponent: scale, canonical };
}

function decimalAmount(
  sign: string,
  digits: string,
  fractionDigits: number,
  { base, exponent, format }: Suffix,
): Quantity {
  let unscaled = BigInt(digits);
  let scale = -fractionDigits;
  if (base === 10) scale = (scale + exponent) | 0;
  else unscaled <<= BigInt(exponent);

  if (unscaled !== 0n) {
    unscaled =
      scale < NANO ? divideAwayFromZero(unscaled, NANO - scale) : unscaled * powerOfTen(scale - NANO);
    scale = NANO;
  }
  const one = powerOfTen(Math.max(-scale, 0));
  if (format === 'BinarySI' && unscaled > MAX_INT64 * one) {
    unscaled = MAX_INT64;
    scale = 0;
  }
  // Go prints binary amounts below 1 with decimal suffixes, and decides that here
  const small = format === 'BinarySI' && unscaled > 0n && scale < 0 && unscaled < one;
  return {
    unscaled: sign === '-' ? -unscaled : unscaled,
    exponent: scale,
    precision: 'arbitrary',
    format: small ? 'DecimalSI' : format,
  };
}
