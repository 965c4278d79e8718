import { eastAsianWidth } from 'get-east-asian-width';

/** Nearly all that is printed: Latin-1 but for the soft hyphen, and what our own texts are made of. */
const SINGLE = /^[\x20-\x7e\xa0-\xac\xae-\xff…→✓✗∞█▓░–]*$/;
/** Marks that stand over another character, and Hangul vowels and finals, which are drawn within one. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** Columns that a text takes on a terminal. The text is one that `visible` has given: nothing in it steers the terminal. */
export function displayWidth(text: string): number {
  if (SINGLE.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

/** Columns that one character (a code point) takes: 0, 1 or 2. */
export function characterWidth(character: string): number {
  return WITHOUT_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0)!);
}
