import { eastAsianWidth } from 'get-east-asian-width';
import { isSimple } from '../visible.ts';
import { codePointAt } from '../../kubernetes/utf8.ts';

/** Combining marks, and Hangul vowels and finals, which are drawn inside the preceding character. */
const withoutWidth = () => /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** Columns that a text takes on a terminal. `visible` has been applied to it, so it contains no control sequences. */
export function displayWidth(text: string): number {
  if (isSimple(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

/** Columns that one character (a code point) takes: 0, 1 or 2. */
export function characterWidth(character: string): number {
  return withoutWidth().test(character) ? 0 : eastAsianWidth(codePointAt(character));
}
