// Comparisons in filters, by the rules of Go's text/template: nothing is converted.
import { compareUtf8, utf8Bytes } from '../utf8.ts';
import { Uint8 } from './values.ts';

export type Comparison = { holds: boolean } | { error: string };

const incompatible = { error: 'incompatible types for comparison' };
const invalid = { error: 'invalid type for comparison' };

/** Whether `left operator right` holds, or why they cannot be compared. */
export function compare(left: unknown, operator: string, right: unknown): Comparison {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return not(equal(left, right));
    case '<':
      return less(left, right);
    case '>=':
      return not(less(left, right));
    case '<=':
      return lessOrEqual(left, right);
    case '>':
      return not(lessOrEqual(left, right));
  }
  return { error: `unrecognized filter operator ${operator}` };
}

function not(comparison: Comparison): Comparison {
  return 'holds' in comparison ? { holds: !comparison.holds } : comparison;
}

function lessOrEqual(left: unknown, right: unknown): Comparison {
  const result = less(left, right);
  return 'holds' in result && !result.holds ? equal(left, right) : result;
}

function equal(left: unknown, right: unknown): Comparison {
  const pair = comparable(left, right);
  if ('error' in pair) return pair;
  return { holds: pair.left === pair.right };
}

function less(left: unknown, right: unknown): Comparison {
  const pair = comparable(left, right);
  if ('error' in pair) return pair;
  if (typeof pair.left === 'boolean') return invalid;
  if (typeof pair.left === 'string') return { holds: compareUtf8(pair.left, pair.right as string) < 0 };
  return { holds: pair.left < (pair.right as number | bigint) };
}

type Basic = string | number | bigint | boolean;

// Signed and unsigned integers compare with each other, integers and floats do not.
function comparable(left: unknown, right: unknown): { left: Basic; right: Basic } | { error: string } {
  const [a, b] = [basic(left), basic(right)];
  if (a === undefined || b === undefined) return invalid;
  return typeof a === typeof b ? { left: a, right: b } : incompatible;
}

function basic(value: unknown): Basic | undefined {
  if (value instanceof Uint8) return BigInt(value.byte);
  if (typeof value === 'string') return byteText(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return undefined;
}

// Strings with raw bytes are equal to those with the character that the bytes make.
function byteText(text: string): string {
  return /\p{Surrogate}/u.test(text) ? String.fromCharCode(...utf8Bytes(text)) : text;
}
