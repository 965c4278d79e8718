import type { Presentation, Words } from '../presentation/model.ts';
import type { Limit } from '../presentation/text/shortened.ts';
import { renderText, wordsText } from '../presentation/text/renderText.ts';
import { colourStyle, inAscii, plainStyle, type Style } from '../presentation/text/style.ts';
import { hasColours, showsUnicode } from './capabilities.ts';

/** The format of texts for people on a stream. */
export interface TextOutput {
  style: Style;
  /** columns; undefined: lines of any length */
  width: number | undefined;
  /** rows of the terminal; undefined: a pipe, a file, or unknown */
  height?: number | undefined;
}

/** The limits of a printed presentation. */
interface Printing {
  wide?: boolean;
  noHeaders?: boolean;
  limit?: Limit | undefined;
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'env'>;

/**
 * The format of texts on the process' stdout: on a terminal its width and its locale's characters; in pipes and files no width limit,
 * always UTF-8, because other programs read them, and no colours unless forced.
 */
export function textOutput({ stdout, env }: Streams = process): TextOutput {
  const style = hasColours({ stdout, env }) ? colourStyle : plainStyle;
  if (!stdout.isTTY) return { style, width: undefined };
  return {
    style: showsUnicode(env) ? style : inAscii(style),
    // 0 columns: the terminal does not report its width
    width: stdout.columns || undefined,
    height: stdout.rows || undefined,
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
