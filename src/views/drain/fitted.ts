import { width } from '../style.ts';

/**
 * A line cut to so many columns, its last one then "…". Escape sequences take no column and are all kept, so
 * that a colour which was begun is ended.
 */
export function fitted(line: string, columns: number): string {
  if (width(line) <= columns) return line;
  let text = '';
  let used = 0;
  let escaped = false;
  for (const character of line) {
    if (escaped || character === '\u001b') {
      text += character;
      escaped = character !== 'm';
    } else if (used < columns) {
      text += ++used === columns ? '…' : character;
    }
  }
  return text;
}
