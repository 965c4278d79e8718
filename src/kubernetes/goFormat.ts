import { codePointAt } from './utf8.ts';
// How Go's fmt and strconv print values. Error texts and preserved labels contain their output.

// V8 takes almost a millisecond to compile these classes; as functions, they are compiled only when needed.
const printable = () => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** Everything that `%q` may escape. It matches single pieces: untrusted texts may have millions of characters. */
const unprintable = () => /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');

const escapes: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** `%q` of a string: double quotes, every unprintable character escaped. */
export function goQuote(text: string): string {
  return `"${text.replace(unprintable(), escaped)}"`;
}

function escaped(character: string): string {
  const code = codePointAt(character);
  const escape = escapes[character];
  if (escape !== undefined) return escape;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** `%#U` of the first character: U+002C ',' (the character itself only if printable). */
export function unicodePoint(text: string): string {
  const code = codePointAt(text);
  const character = String.fromCodePoint(code);
  const name = `U+${hex(code, 4).toUpperCase()}`;
  return printable().test(character) ? `${name} '${character}'` : name;
}

/** `%v` of a float64: the shortest digits, with an exponent below 1e-4 and from 1e+06 on. */
export function formatFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return value.toString();
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
