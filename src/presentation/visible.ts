import { codePointAt } from '../kubernetes/utf8.ts';
/**
 * Characters that a terminal interprets, hides or reorders instead of displaying: control characters (C0, DEL, C1),
 * bidirectional overrides and isolates, line and paragraph separators, characters without a width, half surrogate pairs
 * and noncharacters. Compiled on demand: they are rare, and V8 takes almost a millisecond for these classes.
 */
const unseen = () =>
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const unseenInLines = () =>
  /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
/** Plain ASCII with newlines and tabs: JSON made of these characters needs no escapes. */
const ASCII = /^[\n\t\x20-\x7e]*$/;
const NAMED = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Foreign text (names, messages, values from files and servers) as one line that shows all of its characters: ESC becomes ^[ as in kubectl,
 * other control characters likewise (^G, ^?), a line break \n, and other invisible characters \x9b or \u202e. Pass all foreign text through
 * here before putting it into a cell, a line or a prompt; our own text is unchanged.
 */
export function visible(text: string): string {
  return isSimple(text) ? text : text.replace(unseen(), shown);
}

/** Like `visible`, for text of several lines: line breaks and tabs are ours, and are kept. */
export function visibleLines(text: string): string {
  return isSimple(text)
    ? text
    : text.replace(unseen(), (character) =>
        character === '\n' || character === '\t' ? character : shown(character),
      );
}

/**
 * JSON (or YAML with only double-quoted strings) with these characters as JSON escapes: parsers read the same values, and terminals see no
 * control characters.
 */
export function visibleJson(text: string): string {
  return ASCII.test(text)
    ? text
    : text.replace(unseen(), (character) => (character === '\n' ? character : jsonEscape(character)));
}

/** Whether a text contains characters that `visible` escapes, apart from line breaks and tabs. */
export function hasUnseen(text: string): boolean {
  return !ASCII.test(text) && text.search(unseenInLines()) !== -1;
}

function jsonEscape(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at++)
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}

function shown(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = codePointAt(character);
  if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Latin-1 without control characters and the soft hyphen, and the other characters of our own texts. */
const SIMPLE = /^[\x20-\x7e\xa0-\xac\xae-\xff…→✓✗∞█▓░–]*$/;

/** Whether each character of a text is visible and takes one column, as in nearly all texts. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}
