import { width } from './style.ts';
import { columns } from './table.ts';

/** A table that is printed as its rows come: columns stay where they are until a longer cell widens them. */
export interface GrowingTable {
  /** The next lines, the column names first where they have not been given out yet; without a trailing newline. */
  rows(cells: string[][]): string;
}

export function growingTable(
  headers: string[],
  { noHeaders = false }: { noHeaders?: boolean } = {},
): GrowingTable {
  const widths: number[] = [];
  let named = noHeaders;
  return {
    rows(cells) {
      const lines = cells.map((row) => row.map((cell) => (cell === '' ? '-' : cell)));
      if (!named) lines.unshift(headers);
      named = true;
      for (const line of lines)
        for (const [i, cell] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
      const aligned = lines.map((line) =>
        line.map((cell, i) => cell + ' '.repeat(i === line.length - 1 ? 0 : widths[i]! - width(cell))),
      );
      return columns(aligned);
    },
  };
}
