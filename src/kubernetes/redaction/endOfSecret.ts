/*
 * Finds where a secret in a text ends. Every function reads each character a few times at most. Regular expressions
 * only search for the first character after a secret, because matching all of its characters can overflow V8's stack at
 * a few megabytes.
 */

/** A part of a text, by its offsets. */
interface Part {
  from: number;
  to: number;
}

const NOT_IN_PEM = /[^\w+/=:,\s\\-]/g;
const PEM_END = /-----END [^-\n"]{1,60}-----/iy;

/**
 * The end of the PEM whose first line ends at `from`: after its last line or, without that, at the first invalid
 * character.
 */
export function endOfPem(text: string, from: number): number {
  const last = offsetOf('-----', text, from);
  PEM_END.lastIndex = last;
  // JSON has a quote between two strings
  if (PEM_END.test(text) && !text.slice(from, last).includes('"')) return PEM_END.lastIndex;
  const cut = Math.min(last, offsetOf('--', text, from));
  return from + endOfRun(text.slice(from, cut), 0, NOT_IN_PEM);
}

/** The first match of `stop` (a global expression for one character) at or after `from`, else the text's end. */
export function endOfRun(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

function offsetOf(searched: string, text: string, from: number): number {
  const at = text.indexOf(searched, from);
  return at === -1 ? text.length : at;
}

/** The end of an unquoted value: a blank, a quote, or another character that it cannot contain. */
export const UNQUOTED = {
  /** a value between brackets and commas, as in JSON and YAML */
  value: /[\s"'\\,;&}\])]/g,
  /** a word of a command line or environment: a password may contain any other character */
  word: /[\s"'\\]/g,
  query: /[\s"'\\&#]/g,
};

/** The value that begins at `at`, without its quotes; undefined if there is none. */
export function valueAt(text: string, at: number, unquoted: RegExp): Part | undefined {
  switch (text[at]) {
    case '"':
      return { from: at + 1, to: endOfDoubleQuotes(text, at + 1) };
    case "'":
      return { from: at + 1, to: offsetOf("'", text, at + 1) };
    case '\\': {
      const quote = endOfBackslashes(text, at);
      if (!isQuote(text[quote])) return undefined;
      return { from: quote + 1, to: endOfEscapedQuotes(text, quote + 1) };
    }
    case '[':
    case '{':
      return { from: at, to: endOfBrackets(text, at) };
  }
  const to = endOfRun(text, at, unquoted);
  return to > at ? { from: at, to } : undefined;
}

const BLOCK = /(?:[|>][+\-\d]{0,2})?[ \t]{0,8}\r?\n/y;

/**
 * The YAML block below the line of a name whose colon is at `at`: the lines with more indentation. Undefined if that
 * line contains anything else, or has no block.
 */
export function blockBelow(text: string, at: number): Part | undefined {
  BLOCK.lastIndex = at;
  if (!BLOCK.test(text)) return undefined;
  const from = BLOCK.lastIndex;
  // in a list, the name after the dash is indented like the names below it
  const indent = indentation(text, text.lastIndexOf('\n', at - 1) + 1, ' -');
  let to = from;
  while (to < text.length) {
    const end = offsetOf('\n', text, to);
    const isBlank = text.slice(to, end).trim() === '';
    if (!isBlank && indentation(text, to, ' ') <= indent) break;
    to = Math.min(end + 1, text.length);
  }
  const first = /\S/.exec(text.slice(from, to));
  return first ? { from: from + first.index, to: text[to - 1] === '\n' ? to - 1 : to } : undefined;
}

function indentation(text: string, lineStart: number, blanks: string): number {
  let at = lineStart;
  while (at < text.length && blanks.includes(text[at]!)) at++;
  return at - lineStart;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

function endOfBackslashes(text: string, from: number): number {
  let at = from;
  while (text[at] === '\\') at++;
  return at;
}

function endOfDoubleQuotes(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** JSON within a string ends its own strings with an escaped quote: \" or, one level deeper, \\\". */
function endOfEscapedQuotes(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\n' || text[at] === '\r') return at;
    if (text[at] !== '\\') continue;
    const behind = endOfBackslashes(text, at);
    if (isQuote(text[behind])) return at;
    at = behind - 1;
  }
  return text.length;
}

/**
 * The offset after the bracket that closes the one at `from`, else the end of the text. Ignores brackets in strings.
 */
function endOfBrackets(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfDoubleQuotes(text, at + 1);
        break;
      case '\\':
        at++;
        break;
      case '[':
      case '{':
        depth++;
        break;
      case ']':
      case '}':
        if (--depth === 0) return at + 1;
    }
  }
  return text.length;
}
