import type { Presentation, Words } from '../model.ts';
import { blockLines } from './blockLines.ts';
import { wordsLine, type Line } from './spans.ts';
import type { Style } from './style.ts';
import type { TableOptions } from './tableLines.ts';

export interface TextOptions extends TableOptions {
  style: Style;
}

/** A presentation as text without a final newline. Nothing from outside can steer the terminal: only the style writes escape sequences. */
export function renderText({ blocks }: Presentation, options: TextOptions): string {
  return blocks
    .map((block) => blockLines(block, options))
    .filter((lines) => lines.length > 0)
    .map((lines) => linesText(lines, options.style))
    .join('\n\n');
}

function linesText(lines: readonly Line[], style: Style): string {
  return lines.map((line) => lineText(line, style)).join('\n');
}

/** A line as text, with the escape sequences of the style. */
export function lineText(line: Line, style: Style): string {
  let text = '';
  for (const span of line) text += typeof span === 'string' ? style.plain(span) : style[span.tone](span.text);
  return text;
}

/** Words as one line. */
export function wordsText(words: Words, style: Style): string {
  return lineText(wordsLine(words), style);
}
