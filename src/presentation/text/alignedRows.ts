import { concatenated, lineWidth, trimmedEnd, type Line } from './spans.ts';
import { wrapped } from './wrapped.ts';

/** Columns apart. */
const GAP = 3;
/** The last column wraps in its place if it has so many columns and so much of the width, else all of it stands beneath its lines. */
const LEAST_LAST = { columns: 28, share: 0.4 };
const BENEATH = 2;

/** Lines of cells with aligned columns, of which the last wraps; `width` undefined: nothing wraps. */
export function alignedRows(rows: readonly (readonly Line[])[], width: number | undefined): Line[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, lineWidth(cell));
  const leading = (row: readonly Line[]) =>
    row.slice(0, -1).map((cell, at) => concatenated(cell, [' '.repeat(widths[at]! - lineWidth(cell) + GAP)]));
  const columnsBefore = (row: readonly Line[]) =>
    widths.slice(0, Math.max(0, row.length - 1)).reduce((sum, one) => sum + one + GAP, 0);
  const isInPlace = rows.every(
    (row) =>
      width === undefined ||
      columnsBefore(row) + lineWidth(row.at(-1) ?? []) <= width ||
      width - columnsBefore(row) >= Math.max(LEAST_LAST.columns, width * LEAST_LAST.share),
  );
  return rows.flatMap((row) =>
    isInPlace
      ? inPlace(leading(row), row.at(-1) ?? [], columnsBefore(row), width)
      : beneath(leading(row), row.at(-1) ?? [], width!),
  );
}

function inPlace(leading: Line[], last: Line, before: number, width: number | undefined): Line[] {
  const [first = [], ...rest] = width === undefined ? [last] : wrapped(last, width - before);
  return [
    trimmedEnd(concatenated(...leading, first)),
    ...rest.map((line) => concatenated([' '.repeat(before)], line)),
  ];
}

/** A line of which nothing leads, as one that goes on with the line before, has its last cell alone. */
function beneath(leading: Line[], last: Line, width: number): Line[] {
  const head = trimmedEnd(concatenated(...leading));
  const indent = Math.min(BENEATH, width - 1);
  return [
    ...(head.length === 0 ? [] : lineWidth(head) <= width ? [head] : wrapped(head, width)),
    ...wrapped(last, width - indent).map((line) => concatenated([' '.repeat(indent)], line)),
  ];
}
