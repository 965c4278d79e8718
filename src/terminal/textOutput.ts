import type { Presentation, Words } from '../presentation/model.ts';
import { renderText, wordsText } from '../presentation/text/renderText.ts';
import { colourStyle, plainStyle, type Style } from '../presentation/text/style.ts';
import { hasColours } from './hasColours.ts';

/** How texts for people look on a stream. */
export interface TextOutput {
  style: Style;
  /** columns; undefined: lines of any length */
  width: number | undefined;
}

/** How much of a presentation is printed. */
export interface Printing {
  wide?: boolean;
  noHeaders?: boolean;
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'env'>;

/**
 * How texts look on the process' stdout: on a terminal in its width, and in pipes and files without a width limit, and without colours
 * unless they are forced.
 */
export function textOutput({ stdout, env }: Streams = process): TextOutput {
  return {
    style: hasColours({ stdout, env }) ? colourStyle : plainStyle,
    // 0 columns: the terminal does not tell its width
    width: (stdout.isTTY && stdout.columns) || undefined,
  };
}

/** A presentation as text for a stream, with a final newline. */
export function printed(presentation: Presentation, output: TextOutput, printing: Printing = {}): string {
  return `${renderText(presentation, { ...output, ...printing })}\n`;
}

/** Words as one line for a stream; a terminal wraps it. */
export function printedLine(words: Words, { style }: TextOutput): string {
  return `${wordsText(words, style)}\n`;
}
