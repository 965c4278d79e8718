import type { Presentation, Words } from '../presentation/model.ts';
import { renderText, wordsText } from '../presentation/text/renderText.ts';
import { colourStyle, plainStyle, type Style } from '../presentation/text/style.ts';

/** How texts for people look on a stream. */
export interface TextOutput {
  style: Style;
  /** columns; undefined: whoever reads it takes lines of any length */
  width: number | undefined;
}

/** What is printed beside the presentation itself. */
export interface Printing {
  wide?: boolean;
  noHeaders?: boolean;
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'env'>;

/**
 * How the process' stdout takes texts: a terminal in its width and with colours, unless NO_COLOR (https://no-color.org) or TERM=dumb say
 * otherwise; pipes and files whole and without.
 */
export function textOutput({ stdout, env }: Streams = process): TextOutput {
  if (!stdout.isTTY) return { style: plainStyle, width: undefined };
  const coloured = !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  // a terminal that does not tell its width has 0 columns
  return { style: coloured ? colourStyle : plainStyle, width: stdout.columns || undefined };
}

/** A presentation as such a stream takes it, with a newline at its end. */
export function printed(presentation: Presentation, output: TextOutput, printing: Printing = {}): string {
  return `${renderText(presentation, { ...output, ...printing })}\n`;
}

/** Words as one line of it; a terminal wraps it. */
export function printedLine(words: Words, { style }: TextOutput): string {
  return `${wordsText(words, style)}\n`;
}
