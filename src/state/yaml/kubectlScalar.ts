/**
 * How kubectl reads a plain YAML scalar: sigs.k8s.io/yaml reads YAML 1.1 like go-yaml v2, and converts it to JSON. So
 * `yes`, `on` and `y` are true, 0777 is octal, 1_000 is a number, and a date stays text.
 */

const WORDS = new Map<string, null | boolean | number>([['', null]]);
for (const word of ['~', 'null', 'Null', 'NULL']) WORDS.set(word, null);
for (const word of ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'])
  WORDS.set(word, true);
for (const word of ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'])
  WORDS.set(word, false);
for (const word of ['.nan', '.NaN', '.NAN']) WORDS.set(word, NaN);
for (const word of ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']) WORDS.set(word, Infinity);
for (const word of ['-.inf', '-.Inf', '-.INF']) WORDS.set(word, -Infinity);

const LONGEST_WORD = 5;
const DECIMAL = /^-?(?:0|[1-9]\d{0,14})$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const STRAY_UNDERSCORE = /(?<!\d)_|_(?!\d)/;
const MAX_NEGATIVE = -(2n ** 63n);
const LARGEST_SIGNED = 2n ** 63n - 1n;
const LARGEST_UNSIGNED = 2n ** 64n - 1n;

/** The value of a plain scalar: null, boolean, number (NaN and the infinities too), or the text itself. */
export function kubectlScalar(text: string): string | number | boolean | null {
  const first = text.length === 0 ? 0 : text.charCodeAt(0);
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  // a number begins with + - . or a digit
  if (first === 0x2f || first < 0x2b || first > 0x39 || first === 0x2c) return text;
  if (DECIMAL.test(text)) return Number(text) + 0;
  // after a leading point Go's own rule applies: an underscore must be between two digits
  if (first === 0x2e && STRAY_UNDERSCORE.test(text)) return text;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = INTEGER.exec(plain);
  if (integer) {
    const value = integerValue(integer);
    if (value !== undefined) return value;
  }
  return FLOAT.test(plain) ? finite(plain, text) : text;
}

/** The most binary digits of an integer, without leading zeros. */
const MAX_DIGITS = 64;

/** Undefined if it exceeds Go's integer types. */
function integerValue([, sign, hex, binary, octal, oldOctal, decimal]: RegExpExecArray): number | undefined {
  const plain = significant(hex ?? binary ?? octal ?? oldOctal ?? decimal!);
  if (plain.length > MAX_DIGITS) return undefined;
  const digits =
    hex !== undefined ? `0x${plain}` : binary !== undefined ? `0b${plain}` : decimal ? plain : `0o${plain}`;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  const fits =
    value >= MAX_NEGATIVE && (value <= LARGEST_SIGNED || (sign === '' && value <= LARGEST_UNSIGNED));
  return fits ? Number(value) : undefined;
}

function significant(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === 0x30) start++;
  return digits.slice(start);
}

/** Go treats a number that is too large for a float as text. */
function finite(number: string, text: string): number | string {
  const value = Number(number);
  return Number.isFinite(value) ? value : text;
}
