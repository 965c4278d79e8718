import { unicodePoint } from '../goFormat.ts';
import { rawByte, codePointAt } from '../utf8.ts';
import { matchOf } from '../matched.ts';

// The template language of Kubernetes' JSONPath (client-go util/jsonpath): text with {actions}. Its quirks are kept,
// because existing policies depend on them.
/** A template, or one of its actions: each node is applied to the values that the previous one selected. */
export interface ListNode {
  type: 'list';
  nodes: Node[];
}

export type Node =
  | ListNode
  | { type: 'text'; text: string }
  | { type: 'field'; name: string }
  | { type: 'wildcard' }
  | { type: 'recursive' }
  | { type: 'int'; value: bigint }
  | { type: 'float'; value: number }
  | { type: 'bool'; value: boolean }
  | { type: 'identifier'; name: string }
  | ({ type: 'array' } & Slice)
  | { type: 'union'; members: ListNode[] }
  | { type: 'filter'; left: ListNode; operator: string; right: ListNode };

/** The bounds of [start:end:step]; the defaults of absent ones depend on the array. */
export interface Slice {
  start?: bigint;
  end?: bigint;
  /** a plain [n]: the end is n+1, and 0 means the length */
  endDerived: boolean;
  step?: bigint;
}

/** A template that cannot be parsed; the message is client-go's. */
export class TemplateError extends Error {}

const INT64_MAX = 2n ** 63n - 1n;

/** Parses a template. Throws TemplateError with client-go's text. */
export function parseTemplate(text: string): ListNode {
  const nodes: Node[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at);
    const end = open < 0 ? text.length : open;
    if (end > at) nodes.push({ type: 'text', text: text.slice(at, end) });
    if (open < 0) break;
    const action = parseAction(text, open + 1);
    nodes.push(action.list);
    at = action.end;
  }
  return { type: 'list', nodes };
}

/** Parses an expression where an action is expected; any text after a "}" is ignored. */
function parseExpression(text: string): ListNode {
  return parseTemplate(`{${text}}`).nodes[0] as ListNode;
}

interface Parsed {
  nodes: Node[];
  end: number;
}

function parseAction(text: string, from: number): { list: ListNode; end: number } {
  const nodes: Node[] = [];
  let at = from;
  while (!text.startsWith('}', at)) {
    const parsed = parseToken(text, at, nodes.at(-1));
    nodes.push(...parsed.nodes);
    at = parsed.end;
  }
  return { list: { type: 'list', nodes }, end: at + 1 };
}

function parseToken(text: string, at: number, previous: Node | undefined): Parsed {
  if (text.startsWith('[?(', at)) return parseFilter(text, at + 3);
  if (text.startsWith('..', at)) return parseRecursive(text, at + 2, previous);
  const character = characterAt(text, at);
  switch (character) {
    case undefined:
    case '\r':
    case '\n':
      throw new TemplateError('unclosed action');
    case ' ':
    case '@': // the current object, which is the input anyway
    case '$': // means the current object too, not the root
      return { nodes: [], end: at + 1 };
    case '[':
      return parseBrackets(text, at + 1);
    case '"':
    case "'":
      return parseQuoted(text, at);
    case '.':
      return parseField(text, at + 1);
  }
  if (/^[+\-\p{Nd}]$/u.test(character)) return parseNumber(text, at);
  if (isAlphaNumeric(character)) return parseWord(text, at);
  throw new TemplateError(`unrecognized character in action: ${unicodePoint(character)}`);
}

function parseRecursive(text: string, at: number, previous: Node | undefined): Parsed {
  if (previous?.type === 'recursive') throw new TemplateError('invalid multiple recursive descent');
  const next = characterAt(text, at);
  const field = next !== undefined && isAlphaNumeric(next) ? parseField(text, at) : { nodes: [], end: at };
  return { nodes: [{ type: 'recursive' }, ...field.nodes], end: field.end };
}

// A backslash escapes a terminator; then every backslash is dropped, even doubled ones.
function parseField(text: string, from: number): Parsed {
  let end = from;
  while (end < text.length && !TERMINATORS.includes(text.charAt(end))) end += text[end] === '\\' ? 2 : 1;
  end = Math.min(end, text.length);
  const name = text.slice(from, end);
  return {
    nodes: [name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') }],
    end,
  };
}

function parseWord(text: string, from: number): Parsed {
  let end = from;
  while (end < text.length && !TERMINATORS.includes(text.charAt(end))) end++;
  const word = text.slice(from, end);
  if (word === 'true' || word === 'false') return { nodes: [{ type: 'bool', value: word === 'true' }], end };
  return { nodes: [{ type: 'identifier', name: word }], end };
}

function parseNumber(text: string, from: number): Parsed {
  const [number] = matchOf(/^[+-]?[.\p{Nd}]*/u, text.slice(from));
  const end = from + number.length;
  const integer = parseInt64(number);
  if (integer !== undefined) return { nodes: [{ type: 'int', value: integer }], end };
  const value = /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(number) ? Number(number) : NaN;
  if (Number.isFinite(value)) return { nodes: [{ type: 'float', value }], end };
  throw new TemplateError(`cannot parse number ${number}`);
}

function parseQuoted(text: string, from: number): Parsed {
  const end = closingQuote(text, from);
  if (end === undefined) throw new TemplateError('unterminated quoted string');
  const quoted = text.slice(from, end);
  const unquoted = unquote(quoted);
  if (unquoted === undefined) throw new TemplateError(`unquote string ${quoted} error invalid syntax`);
  return { nodes: [{ type: 'text', text: unquoted }], end };
}

// As in client-go, only the one character before a quote counts: "\\" does not end here.
function closingQuote(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++)
    if (text[at] === text[from] && text[at - 1] !== '\\') return at + 1;
  return undefined;
}

function parseBrackets(text: string, from: number): Parsed {
  let close = from;
  while (close < text.length && text[close] !== ']' && text[close] !== '\n') close++;
  if (text[close] !== ']') throw new TemplateError('unterminated array');
  const end = close + 1;
  const content = text.slice(from, close);
  const members = content.split(',');
  if (members.length > 1) {
    const lists = members.map((member) => parseExpression(`[${member.replace(/^ +| +$/g, '')}]`));
    return { nodes: [{ type: 'union', members: lists }], end };
  }
  const name = /^'([^']*)'$/.exec(content)?.[1];
  // The name is read as a path: ['a.b'] selects b of a.
  if (name !== undefined) return { nodes: parseExpression(`.${name}`).nodes, end };
  return { nodes: [{ type: 'array', ...parseSlice(content === '*' ? ':' : content) }], end };
}

function parseSlice(content: string): Slice {
  const parts = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(content);
  if (!parts) throw new TemplateError(`invalid array index ${content}`);
  const bound = (digits: string) => {
    const value = parseInt64(digits);
    if (value === undefined) throw new TemplateError(`array index ${digits} is not a number`);
    return value;
  };
  const start = parts[1] ? bound(parts[1]) : undefined;
  const [endDigits, stepDigits] = [parts[2]?.slice(1), parts[3]?.slice(1)];
  return {
    start,
    end:
      endDigits === undefined
        ? BigInt.asIntN(64, (start ?? 0n) + 1n)
        : endDigits
          ? bound(endDigits)
          : undefined,
    endDerived: endDigits === undefined,
    step: stepDigits ? bound(stepDigits) : undefined,
  };
}

function parseFilter(text: string, from: number): Parsed {
  const close = closingParenthesis(text, from);
  if (close === undefined) throw new TemplateError('unterminated filter');
  if (text[close + 1] !== ']') throw new TemplateError('unclosed array expect ]');
  const condition = text.slice(from, close);
  const end = close + 2;
  const comparison = /^([^!<>=]+)([!<>=]+)([^\n]+?)$/.exec(condition);
  if (!comparison) {
    const right: ListNode = { type: 'list', nodes: [] };
    return { nodes: [{ type: 'filter', left: parseExpression(condition), operator: 'exists', right }], end };
  }
  const [, left, operator, right] = comparison as unknown as [string, string, string, string];
  return {
    nodes: [{ type: 'filter', left: parseExpression(left), operator, right: parseExpression(right) }],
    end,
  };
}

// A parenthesis inside the first quoted string of a filter is text; client-go does not look for other strings.
function closingParenthesis(text: string, from: number): number | undefined {
  let quote: string | undefined;
  let closed = false;
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    const character = text[at]!;
    if (character === '"' || character === "'") {
      if (quote === undefined) quote = character;
      else if (character === quote && text[at - 1] !== '\\') closed = true;
    } else if (character === ')' && (quote !== undefined) === closed) return at;
  }
  return undefined;
}

function parseInt64(digits: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(digits)) return undefined;
  const value = BigInt(digits.replace(/^\+/, ''));
  return value > INT64_MAX || value < -INT64_MAX - 1n ? undefined : value;
}

const characterAt = (text: string, at: number) =>
  at < text.length ? String.fromCodePoint(codePointAt(text, at)) : undefined;

const isAlphaNumeric = (character: string) => /^[_\p{L}\p{Nd}]$/u.test(character);

const TERMINATORS = ' \t\r\n.,[]$@{}';

const simple: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const codeDigits: Record<string, number> = { x: 2, u: 4, U: 8 };

/**
 * The text between the quotes of a Go string literal in single or double quotes, undefined if Go calls it invalid
 * syntax. \x and octal escapes give raw bytes; see utf8.ts.
 */
function unquote(quoted: string): string | undefined {
  const quote = quoted[0]!;
  if (quoted.length < 2 || !quoted.endsWith(quote)) return undefined;
  const content = quoted.slice(1, -1);
  let out = '';
  for (let at = 0; at < content.length;) {
    if (content[at] === quote) return undefined;
    if (content[at] !== '\\') {
      out += content[at++];
      continue;
    }
    const escape = unescape(content, at + 1, quote);
    if (!escape) return undefined;
    out += escape.text;
    at = escape.end;
  }
  return out;
}

function unescape(text: string, at: number, quote: string): { text: string; end: number } | undefined {
  const character = text[at];
  if (character === undefined) return undefined;
  if (simple[character] !== undefined) return { text: simple[character], end: at + 1 };
  if (character === quote) return { text: quote, end: at + 1 };
  const octal = /^[0-7]{3}/.exec(text.slice(at, at + 3))?.[0];
  if (octal !== undefined) {
    const byte = parseInt(octal, 8);
    return byte > 255 ? undefined : { text: rawByte(byte), end: at + 3 };
  }
  const digits = codeDigits[character];
  if (digits === undefined) return undefined;
  const end = at + 1 + digits;
  const hex = text.slice(at + 1, end);
  if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
  const code = parseInt(hex, 16);
  if (character === 'x') return { text: rawByte(code), end };
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? undefined
    : { text: String.fromCodePoint(code), end };
}
