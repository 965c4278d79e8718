import type { Words } from '../../presentation/model.ts';
import { concatenated, cutAtEnd, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';

/** A line of a screen. */
export interface ScreenLine {
  line: Line;
  /** it is the one that keys act on */
  chosen?: boolean;
}

/** Columns and rows of a terminal. */
export interface ScreenSize {
  columns: number;
  rows: number;
}

/** Words at both ends of a line; the left ones are cut if they do not fit, the right ones beyond so many columns. */
export function spread(left: Words, right: Words, columns: number, mostRight = columns): Line {
  const end = cutAtEnd(wordsLine(right), mostRight);
  const start = cutAtEnd(wordsLine(left), Math.max(0, columns - lineWidth(end) - 2));
  const blanks = columns - lineWidth(start) - lineWidth(end);
  return concatenated(start, [' '.repeat(Math.max(0, blanks))], end);
}

/** A line in which nothing matters much. */
export function faintly(line: Line): Line {
  return line.map((span) => ({ tone: 'faint' as const, text: typeof span === 'string' ? span : span.text }));
}

/** Pads a line: the chosen one is marked over the whole width. */
export function padded(line: Line, columns: number): Line {
  return concatenated(line, [' '.repeat(Math.max(0, columns - lineWidth(line)))]);
}
