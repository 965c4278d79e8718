import { concatenated, lineWidth, trimmedEnd, type Line } from './spans.ts';
import { wrapped } from './wrapped.ts';

/** Columns apart. */
const GAP = 3;
/** The last column wraps in its place if it has so much of the width, else beneath its line. */
const LEAST_LAST = 0.45;
const BENEATH = 2;

/** Lines of cells with aligned columns, of which the last wraps; `width` undefined: nothing wraps. */
export function alignedRows(rows: readonly (readonly Line[])[], width: number | undefined): Line[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, lineWidth(cell));
  return rows.flatMap((row) => rowLines(row, widths, width));
}

function rowLines(row: readonly Line[], widths: readonly number[], width: number | undefined): Line[] {
  const last = row.at(-1);
  if (!last) return [[]];
  const before = widths.slice(0, row.length - 1).reduce((sum, one) => sum + one + GAP, 0);
  const leading = row
    .slice(0, -1)
    .map((cell, at) => concatenated(cell, [' '.repeat(widths[at]! - lineWidth(cell) + GAP)]));
  if (width === undefined || before + lineWidth(last) <= width)
    return [trimmedEnd(concatenated(...leading, last))];
  if (width - before >= width * LEAST_LAST) {
    const [first = [], ...rest] = wrapped(last, width - before);
    return [
      trimmedEnd(concatenated(...leading, first)),
      ...rest.map((line) => concatenated([' '.repeat(before)], line)),
    ];
  }
  const head = wrapped(
    row.slice(0, -1).flatMap((cell) => (cell.length === 0 ? [] : [...cell, ' '.repeat(GAP)])),
    width,
  ).map(trimmedEnd);
  const beneath = Math.min(BENEATH, width - 1);
  return [
    ...head.filter((line) => line.length > 0),
    ...wrapped(last, width - beneath).map((line) => concatenated([' '.repeat(beneath)], line)),
  ];
}
