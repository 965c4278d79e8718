import { width } from './style.ts';

/** Columns apart, as kubectl has them. */
const GAP = '   ';

export interface TableOptions {
  /** leave the line of column names out */
  noHeaders?: boolean;
  /** spaces before every line */
  indent?: number;
}

/**
 * Lines of left-aligned columns, without a trailing newline; an empty cell becomes "-" so that `awk` sees
 * the same columns in every line.
 */
export function table(headers: string[], rows: string[][], options: TableOptions = {}): string {
  const cells = rows.map((row) => row.map((cell) => (cell === '' ? '-' : cell)));
  return columns(options.noHeaders ? cells : [headers, ...cells], options.indent);
}

/** Aligns the columns of lines that need no names and no placeholders. */
export function columns(lines: string[][], indent = 0): string {
  const widths: number[] = [];
  for (const line of lines)
    for (const [i, cell] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
  const margin = ' '.repeat(indent);
  return lines
    .map((line) => {
      const padded = line.map((cell, i) => cell + ' '.repeat(widths[i]! - width(cell)));
      return (margin + padded.join(GAP)).trimEnd();
    })
    .join('\n');
}
