import { concatenated, lineWidth, trimmedEnd, type Line } from './spans.ts';
import { wrapped } from './wrapped.ts';

/** Blanks between columns. */
const GAP = 3;
/** The least width with which the last column wraps in its place; with less, it moves below its line. */
const LEAST_LAST = { columns: 28, share: 0.4 };
const BENEATH = 2;

/** Rows with aligned columns, the last of which wraps; if `width` is undefined, nothing wraps. */
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

/** A row with its last cell below the others; if the others are empty, only the last cell. */
function beneath(leading: Line[], last: Line, width: number): Line[] {
  const head = trimmedEnd(concatenated(...leading));
  const indent = Math.min(BENEATH, width - 1);
  return [
    ...(head.length === 0 ? [] : lineWidth(head) <= width ? [head] : wrapped(head, width)),
    ...wrapped(last, width - indent).map((line) => concatenated([' '.repeat(indent)], line)),
  ];
}
