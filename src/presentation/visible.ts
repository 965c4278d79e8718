import { isSimple } from './isSimple.ts';

/**
 * What a terminal would obey, hide or reorder instead of showing it: control characters (C0, DEL, C1), bidirectional overrides and
 * isolates, line and paragraph separators, characters without a width, halves of surrogate pairs and noncharacters.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const UNSEEN_IN_LINES =
  /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
/** What JSON, whose strings hold no control characters below 0x20, may stand in. */
const ASCII = /^[\n\t\x20-\x7e]*$/;
const NAMED = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Text of others (names, messages, values from files and servers) as one line that shows all of its characters: ESC is ^[ as kubectl has
 * it, other control characters too (^G, ^?), a line break is \n, and what else cannot be seen is \x9b or \u202e. Whoever puts text of
 * others into a cell, a line or a prompt passes it through here first; ours is given back as it is.
 */
export function visible(text: string): string {
  return isSimple(text) ? text : text.replace(UNSEEN, shown);
}

/** As `visible`, but for text of several lines whose line breaks, and tabs, are ours: they stay. */
export function visibleLines(text: string): string {
  return isSimple(text)
    ? text
    : text.replace(UNSEEN, (character) =>
        character === '\n' || character === '\t' ? character : shown(character),
      );
}

/**
 * JSON (or YAML whose strings all stand in double quotes) with the same characters as escapes of JSON: whoever parses it gets what was
 * there, and a terminal that it is printed on obeys nothing.
 */
export function visibleJson(text: string): string {
  return ASCII.test(text)
    ? text
    : text.replace(UNSEEN, (character) => (character === '\n' ? character : jsonEscape(character)));
}

/** Whether a text has characters that `visible` would show as escapes, line breaks and tabs aside. */
export function hasUnseen(text: string): boolean {
  return !ASCII.test(text) && text.search(UNSEEN_IN_LINES) !== -1;
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
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}
