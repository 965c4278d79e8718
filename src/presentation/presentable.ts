import { redacted } from '../kubernetes/redaction/redacted.ts';
import { visible, visibleLines } from './visible.ts';

/**
 * Foreign text as every renderer shows it: without secrets, invisible characters and terminal control characters. Our
 * own text stays as it is.
 */
export function presentable(text: string): string {
  return visible(redacted(text));
}

/** Like `presentable`, for text of several lines: line breaks and tabs are ours, and are kept. */
export function presentableLines(text: string): string {
  return visibleLines(redacted(text));
}

/**
 * The most characters of a message: several screens. A longer one repeats a foreign value, and both of its ends
 * identify it.
 */
const MAX = 4000;

/** A line of a message; if it is too long to read, cut in the middle, with its length. */
export function shortLine(line: string): string {
  if (line.length <= MAX) return line;
  const head = wholeCharacters(line.slice(0, MAX / 2));
  const tail = wholeCharacters(line.slice(-MAX / 2));
  return `${head} … (${line.length} characters, the middle is left out) … ${tail}`;
}

/** Without half surrogate pairs at its ends. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
