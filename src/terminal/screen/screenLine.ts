import type { Words, Block } from '../../presentation/model.ts';
import { lineText, blockLines } from '../../presentation/text/renderText.ts';
import { textOf, wordsLine, type Line } from '../../presentation/text/spans.ts';
import type { Style } from '../../presentation/text/style.ts';

/** A line of a screen, as it is drawn. */
export interface ScreenLine {
  line: Line;
  /** it is the line that keys act on */
  chosen?: boolean | undefined;
}

/** A row of a screen before layout. */
export interface RowParts extends ScreenLine {
  /** the text at the right edge: the left text is cut first */
  end?: Line | undefined;
  /** the most columns of the right text */
  mostEnd?: number | undefined;
}

/** A row, usually one line. */
export type ScreenRow = Line | RowParts;

export function partsOf(row: ScreenRow): RowParts {
  return 'line' in row ? row : { line: row };
}

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** Words at both ends of a row; the left ones are cut if they do not fit, the right ones at the given number of columns. */
export function rowWithEnds(left: Words, right: Words, mostEnd?: number): RowParts {
  return { line: wordsLine(left), end: wordsLine(right), mostEnd };
}

/** A line of secondary text. */
export function secondaryLine(line: Line): Line {
  return line.map((span) => ({ tone: 'faint' as const, text: textOf(span) }));
}

const INVERSE = { on: '\u001b[7m', off: '\u001b[27m' };

/** The lines of a screen as terminal text; the selected line is inverted, if there are colours. */
export function screenTexts(lines: readonly ScreenLine[], style: Style, coloured: boolean): string[] {
  return lines.map(({ line, chosen }) => {
    const drawn = lineText(line, style);
    return chosen && coloured ? `${INVERSE.on}${drawn}${INVERSE.off}` : drawn;
  });
}

/** Blocks separated by empty lines. */
export function linesOf(blocks: readonly Block[], columns: number): Line[] {
  return blocks
    .map((block) => blockLines(block, { width: columns }))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}
