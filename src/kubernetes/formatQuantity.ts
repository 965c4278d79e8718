import type { Quantity } from './quantity.ts';
import { compareQuantities, divideAwayFromZero, integerQuantity, powerOfTen } from './quantity.ts';

const MIN_INT64 = -(2n ** 63n);
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const minusKibi = integerQuantity(-1024n, 'BinarySI');
const kibi = integerQuantity(1024n, 'BinarySI');

/**
 * The quantity as Kubernetes prints it (Quantity.String): the text it was parsed from if that is canonical, else with
 * the largest suffix of its format that needs no fraction.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  const binary = quantity.format === 'BinarySI' && !isBelowKibi(quantity) ? wholeUnits(quantity) : undefined;
  if (binary !== undefined) return inBinarySuffixes(binary, quantity.precision);
  return inDecimalSuffixes(quantity);
}

function isBelowKibi(quantity: Quantity): boolean {
  return compareQuantities(quantity, minusKibi) > 0 && compareQuantities(quantity, kibi) < 0;
}

/** The amount as a whole number, or undefined if it has a fraction. */
function wholeUnits({ unscaled, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return unscaled * powerOfTen(exponent);
  const rounded = divideAwayFromZero(unscaled, -exponent);
  return rounded * powerOfTen(-exponent) === unscaled ? rounded : undefined;
}

function inBinarySuffixes(amount: bigint, precision: Quantity['precision']): string {
  let mantissa = amount;
  let power = 0;
  // the smallest int64 has no positive counterpart, so Go's int64 arithmetic does not change it
  if (precision === 'int64' && amount === MIN_INT64) return String(amount);
  while (mantissa !== 0n && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${BINARY[power] ?? ''}`;
}

function inDecimalSuffixes({ unscaled, exponent, format }: Quantity): string {
  let mantissa = unscaled;
  let power = exponent;
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    mantissa *= 10n;
    power--;
  }
  // beyond E there is no suffix, and Go prints the mantissa alone
  if (format === 'DecimalSI' || format === 'BinarySI') return `${mantissa}${DECIMAL[power / 3 + 3] ?? ''}`;
  return power === 0 ? String(mantissa) : `${mantissa}e${power}`;
}
