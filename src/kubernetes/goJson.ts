// JSON as Go's encoding/json reads and writes it. Its error texts reach users through Karmada.
import { compareUtf8, utf8Bytes, characterAt } from './utf8.ts';
import { goQuote } from './goFormat.ts';

/**
 * `json.Unmarshal` into `any`: the value, with every number a float64, or Go's error text. Members of objects are own
 * properties, including "__proto__".
 */
export function unmarshal(text: string): { value: unknown } | { error: string } {
  const syntax = syntaxError(text);
  if (syntax !== undefined) return { error: syntax };
  const number = firstNumberOutOfRange(text);
  if (number !== undefined)
    return { error: `json: cannot unmarshal number ${number} into Go value of type float64` };
  return { value: wellFormed(JSON.parse(text)) };
}

/**
 * The value with each lone surrogate ("\ud800" is valid JSON) as Go reads it: U+FFFD. Returns the same value if there
 * are none.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) {
    const items = value.map(wellFormed);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (value === null || typeof value !== 'object') return value;
  let changed = false;
  const members = Object.entries(value).map(([name, member]) => {
    const pair: [string, unknown] = [wellFormedText(name), wellFormed(member)];
    changed ||= pair[0] !== name || pair[1] !== member;
    return pair;
  });
  return changed ? Object.fromEntries(members) : value;
}

const wellFormedText = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

const htmlEscapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** A map that Go has set to nil, as `json.Unmarshal` does for null: it has no members and is written as null. */
export const nilMap: object = Object.freeze({});

/** `json.Marshal` of JSON data: compact, members sorted by name, HTML-safe. */
export function marshal(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => htmlEscapes[character]!);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(marshal).join(',')}]`;
  if (value === nilMap) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  return `{${membersOf(value)
    .map(([name, member]) => `${marshal(name)}:${marshal(member)}`)
    .join(',')}}`;
}

/** `json.MarshalIndent` with no prefix and four spaces. */
export function marshalIndented(value: unknown, margin = ''): string {
  const deeper = `${margin}    `;
  const block = (open: string, lines: string[], close: string) =>
    lines.length === 0 ? open + close : `${open}\n${deeper}${lines.join(`,\n${deeper}`)}\n${margin}${close}`;
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item) => marshalIndented(item, deeper)),
      ']',
    );
  if (value === null || typeof value !== 'object') return marshal(value);
  return block(
    '{',
    membersOf(value).map(([name, member]) => `${marshal(name)}: ${marshalIndented(member, deeper)}`),
    '}',
  );
}

/** The members of an object in the order that Go writes them. */
function membersOf(object: object): [string, unknown][] {
  return Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareUtf8(a, b));
}

const MAX_DEPTH = 10_000;
const END_OF_INPUT = 'unexpected end of JSON input';

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'more' | 'end';

/**
 * The error of Go's scanner for the text, undefined if it is valid JSON. Go reads bytes: it names the first byte of a
 * non-ASCII character. At the end of the text, it first tries a space.
 */
function syntaxError(text: string): string | undefined {
  const containers: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const refuse = (where: number, context: string) =>
    `invalid character ${quotedByte(text.slice(where, where + 2) || ' ')} ${context}`;
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++;
    if (at >= text.length) return expected === 'end' ? undefined : END_OF_INPUT;
    const character = text[at]!;
    if (expected === 'end') return refuse(at, 'after top-level value');
    const afterValue: Expected = containers.length > 0 ? 'more' : 'end';
    if (expected === 'more') {
      const object = containers.at(-1) === '{';
      if (character === ',') expected = object ? 'name' : 'value';
      else if (character === (object ? '}' : ']')) {
        containers.pop();
        expected = containers.length > 0 ? 'more' : 'end';
      } else return refuse(at, object ? 'after object key:value pair' : 'after array element');
      at++;
    } else if (expected === ':') {
      if (character !== ':') return refuse(at, 'after object key');
      expected = 'value';
      at++;
    } else if (
      (expected === 'name or }' && character === '}') ||
      (expected === 'value or ]' && character === ']')
    ) {
      containers.pop();
      expected = containers.length > 0 ? 'more' : 'end';
      at++;
    } else if (expected === 'name' || expected === 'name or }') {
      if (character !== '"') return refuse(at, 'looking for beginning of object key string');
      const end = scanString(text, at);
      if ('context' in end) return end.context === END_OF_INPUT ? END_OF_INPUT : refuse(end.at, end.context);
      at = end.at;
      expected = ':';
    } else if (character === '{' || character === '[') {
      containers.push(character);
      if (containers.length > MAX_DEPTH) return refuse(at, 'exceeded max depth');
      expected = character === '{' ? 'name or }' : 'value or ]';
      at++;
    } else {
      const end = scanScalar(text, at);
      if ('context' in end) return end.context === END_OF_INPUT ? END_OF_INPUT : refuse(end.at, end.context);
      at = end.at;
      expected = afterValue;
    }
  }
}

/** Where a token ends, or where it is invalid and Go's name for that place. */
type Scanned = { at: number } | { at: number; context: string };

const literals: Record<string, string> = { t: 'true', f: 'false', n: 'null' };

function scanScalar(text: string, from: number): Scanned {
  const first = text[from]!;
  if (first === '"') return scanString(text, from);
  if (first === '-' || isDigit(first)) return scanNumber(text, from);
  const literal = literals[first];
  if (literal === undefined) return { at: from, context: 'looking for beginning of value' };
  for (let index = 1; index < literal.length; index++)
    if (text[from + index] !== literal[index])
      return { at: from + index, context: `in literal ${literal} (expecting '${literal[index]}')` };
  return { at: from + literal.length };
}

function scanString(text: string, from: number): Scanned {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') return { at: at + 1 };
    if (character < ' ') return { at, context: 'in string literal' };
    if (character !== '\\') continue;
    at++;
    if (text[at] === 'u') {
      for (const end = at + 4; at < end;)
        if (!/^[0-9a-fA-F]$/.test(text[++at] ?? ''))
          return { at, context: 'in \\u hexadecimal character escape' };
    } else if (!'bfnrt\\/"'.includes(text[at] ?? ' ')) return { at, context: 'in string escape code' };
  }
  return { at: text.length, context: END_OF_INPUT };
}

function scanNumber(text: string, from: number): Scanned {
  let at = from;
  const digits = () => {
    while (isDigit(text[at])) at++;
  };
  if (text[at] === '-') at++;
  if (!isDigit(text[at])) return { at, context: 'in numeric literal' };
  if (text[at] === '0') at++;
  else digits();
  if (text[at] === '.') {
    at++;
    if (!isDigit(text[at])) return { at, context: 'after decimal point in numeric literal' };
    digits();
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++;
    if (text[at] === '+' || text[at] === '-') at++;
    if (!isDigit(text[at])) return { at, context: 'in exponent of numeric literal' };
    digits();
  }
  return { at };
}

const isDigit = (character: string | undefined) =>
  character !== undefined && character >= '0' && character <= '9';

function quotedByte(text: string): string {
  const character = characterAt(text, 0);
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${goQuote(String.fromCharCode(utf8Bytes(character)[0]!)).slice(1, -1)}'`;
}

function firstNumberOutOfRange(text: string): string | undefined {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g))
    if (token[0] !== '"' && !Number.isFinite(Number(token))) return token;
  return undefined;
}
