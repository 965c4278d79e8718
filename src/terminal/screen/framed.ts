import { cutAtEnd, type Line } from '../../presentation/text/spans.ts';
import type { ScreenLine, ScreenSize } from './screenLine.ts';

/** The narrowest and lowest screen on which more than a sentence is shown. */
const LEAST = { columns: 20, rows: 8 };

/** What stands above and below the part of a screen that changes most. */
export interface Framed {
  above: readonly Line[];
  body: readonly ScreenLine[];
  below: readonly Line[];
}

/** A screen: exactly as many lines as it has rows, none of them too wide. `parts` is not asked if the terminal is too small. */
export function framed({ columns, rows }: ScreenSize, parts: () => Framed): ScreenLine[] {
  if (columns < LEAST.columns || rows < LEAST.rows)
    return fitted(
      Array.from({ length: rows }, (_, row) => ({
        line: row === 0 ? [`Too small: min ${LEAST.columns}×${LEAST.rows}`] : [],
      })),
      { columns, rows },
    );
  const { above, body, below } = parts();
  const room = rows - below.length;
  const lines = [...above.map((line) => ({ line })), ...body].slice(0, room);
  while (lines.length < room) lines.push({ line: [] });
  return fitted([...lines, ...below.map((line) => ({ line }))], { columns, rows });
}

function fitted(lines: readonly ScreenLine[], { columns, rows }: ScreenSize): ScreenLine[] {
  return lines.slice(0, rows).map((one) => ({ ...one, line: cutAtEnd(one.line, columns) }));
}
