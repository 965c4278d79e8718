/**
 * resource.Quantity of Kubernetes: how amounts of CPU, memory and pods are counted, rounded and compared. Go stores
 * most quantities as an int64 with a decimal scale, the others as a decimal of any length. They round and overflow
 * differently, which affects scheduling, so a quantity records its form.
 */
export interface Quantity {
  /** the amount is unscaled × 10^exponent */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly precision: 'int64' | 'arbitrary';
  readonly format: QuantityFormat;
  /** printed instead of the canonical form, if the quantity was parsed from a text that Go considers canonical */
  readonly text?: string;
}

/** The suffix family in which it was written; empty for a calculated quantity. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent' | '';

/** A text or number that is not a quantity; the message is Kubernetes'. */
export class InvalidQuantity extends Error {
  override name = 'InvalidQuantity';
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const INT64_DIGITS = 19;
/** Go multiplies by these powers of ten in one step, with wraparound; by others step by step, until it overflows. */
const WRAPPING_SHIFTS = new Set([1, 2, 3, 6, 9]);
/** Untrusted input may have a huge exponent; numbers with more digits than this are not computed. */
const MAX_DIGITS = 10_000;

const powersOfTen = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, for non-negative exponents. Throws InvalidQuantity if the number would exhaust memory. */
export function powerOfTen(exponent: number): bigint {
  if (exponent > MAX_DIGITS) throw new InvalidQuantity(`quantity has more than ${MAX_DIGITS} digits`);
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

/** Whether an int64 can hold the number. */
export function fitsInt64(number: bigint): boolean {
  return number >= MIN_INT64 && number <= MAX_INT64;
}

/** Wraps around as Go's int64 arithmetic does. */
export function toInt64(number: bigint): bigint {
  return BigInt.asIntN(64, number);
}

/** A whole number as a quantity (resource.NewQuantity). */
export function integerQuantity(value: bigint, format: QuantityFormat): Quantity {
  return { unscaled: value, exponent: 0, precision: 'int64', format };
}

/** A number of thousandths as a quantity (resource.NewMilliQuantity). */
export function milliQuantity(value: bigint, format: QuantityFormat): Quantity {
  return { unscaled: value, exponent: -3, precision: 'int64', format };
}

/** Quantity.Value: the amount in whole units, rounded up; see `scaledValue` for amounts that do not fit. */
export function quantityValue(quantity: Quantity): bigint {
  return scaledValue(quantity, 0);
}

/** Quantity.MilliValue: the amount in thousandths, rounded up; see `scaledValue` for amounts that do not fit. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return scaledValue(quantity, -3);
}

/**
 * The amount in units of 10^exponent as an int64. An int64 amount is rounded away from zero; if it does not fit, it
 * becomes 0 or wraps around, depending on the suffix ("10E" has the value 0, "10000000000G" a negative one). An amount
 * of arbitrary precision wraps around, and adds 1 if there is a remainder, even for a negative amount, whose quotient
 * was already rounded up.
 */
function scaledValue(quantity: Quantity, exponent: number): bigint {
  return quantity.precision === 'int64' ? int64Value(quantity, exponent) : decimalValue(quantity, exponent);
}

function int64Value({ unscaled, exponent: own }: Quantity, exponent: number): bigint {
  if (unscaled === 0n) return 0n;
  const shift = own - exponent;
  if (shift < 0) return divideAwayFromZero(unscaled, -shift);
  if (shift > INT64_DIGITS) return 0n;
  const value = unscaled * powerOfTen(shift);
  if (fitsInt64(value)) return value;
  return WRAPPING_SHIFTS.has(shift) && unscaled !== MIN_INT64 ? toInt64(value) : 0n;
}

/** unscaled / 10^digits, rounded away from zero. */
export function divideAwayFromZero(unscaled: bigint, digits: number): bigint {
  const sign = unscaled < 0n ? -1n : 1n;
  if (digits > INT64_DIGITS && digits > unscaled.toString().length) return unscaled === 0n ? 0n : sign;
  const divisor = powerOfTen(digits);
  const quotient = unscaled / divisor;
  return quotient * divisor === unscaled ? quotient : quotient + sign;
}

function decimalValue({ unscaled, exponent: own }: Quantity, exponent: number): bigint {
  const shift = own - exponent;
  if (shift >= 0) {
    // Go converts the power from a float64; beyond the range of int64 the result is the smallest int64
    const factor = shift < INT64_DIGITS ? powerOfTen(shift) : MIN_INT64;
    return toInt64(toInt64(unscaled) * factor);
  }
  const divisor = powerOfTen(-shift);
  if (unscaled < MAX_INT64 && -shift < INT64_DIGITS) {
    const narrowed = toInt64(unscaled);
    return narrowed / divisor + (narrowed % divisor === 0n ? 0n : 1n);
  }
  const remainder = unscaled % divisor;
  if (remainder === 0n) return toInt64(unscaled / divisor);
  return toInt64(toInt64(unscaled / divisor - (remainder < 0n ? 1n : 0n)) + 1n);
}

/** a + b (Quantity.Add): exact, of arbitrary precision if int64 cannot hold it, in b's format if a is 0. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, b.unscaled);
}

/** a − b (Quantity.Sub), with the rules of `addQuantities`. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, b.precision === 'int64' ? toInt64(-b.unscaled) : -b.unscaled);
}

function sum(a: Quantity, b: Quantity, addend: bigint): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (a.precision === 'int64' && b.precision === 'int64') {
    const { unscaled, exponent } = a;
    if (addend === 0n) return { unscaled, exponent, precision: 'int64', format };
    if (unscaled === 0n) return { unscaled: addend, exponent: b.exponent, precision: 'int64', format };
    const common = Math.min(exponent, b.exponent);
    const left = raised(unscaled, exponent - common);
    const right = raised(addend, b.exponent - common);
    if (left !== undefined && right !== undefined && fitsInt64(left + right)) {
      return { unscaled: left + right, exponent: common, precision: 'int64', format };
    }
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const unscaled =
    a.unscaled * powerOfTen(a.exponent - exponent) + addend * powerOfTen(b.exponent - exponent);
  return { unscaled, exponent, precision: 'arbitrary', format };
}

/** value × 10^digits, if an int64 can hold it. */
function raised(value: bigint, digits: number): bigint | undefined {
  if (digits === 0) return value;
  if (digits > INT64_DIGITS) return undefined;
  const result = value * powerOfTen(digits);
  return fitsInt64(result) ? result : undefined;
}

/** −1, 0 or 1 as a is less than, equal to or more than b (Quantity.Cmp). */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const sign = signOf(a.unscaled);
  if (sign !== signOf(b.unscaled)) return sign < signOf(b.unscaled) ? -1 : 1;
  if (sign === 0) return 0;
  const [longer, shorter] = a.exponent >= b.exponent ? [a, b] : [b, a];
  const gap = longer.exponent - shorter.exponent;
  // if the gap exceeds the other number's digits, only the exponents decide
  if (gap > INT64_DIGITS && gap > shorter.unscaled.toString().length) {
    return (longer === a ? sign : -sign) as -1 | 1;
  }
  const difference = longer.unscaled * powerOfTen(gap) - shorter.unscaled;
  return signOf(longer === a ? difference : -difference);
}

function signOf(number: bigint): -1 | 0 | 1 {
  if (number === 0n) return 0;
  return number < 0n ? -1 : 1;
}

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
  // the smallest int64 has no positive counterpart, so Go's int64 negation does not change it
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
  // beyond E there is no suffix, and Go prints only the mantissa
  if (format === 'DecimalSI' || format === 'BinarySI') return `${mantissa}${DECIMAL[power / 3 + 3] ?? ''}`;
  return power === 0 ? String(mantissa) : `${mantissa}e${power}`;
}
