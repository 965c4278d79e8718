import { rawByte } from '../utf8.ts';

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
 * syntax. \x and octal escapes give bytes; see utf8.ts.
 */
export function unquote(quoted: string): string | undefined {
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
