import { appendAll } from '../../kubernetes/longLists.ts';
import { type Footnotes, createFootnotes, noFootnotes } from '../footnotes.ts';
import type { Narrowing, Table } from '../model.ts';
import { presentable } from '../presentable.ts';
import { displayWidth } from './displayWidth.ts';
import { type Line, concatenated, cutInMiddle, lineWidth, spansOf, trimmedEnd } from './spans.ts';
import { type ColumnWidth, type TableLayout, tableLayout } from './tableLayout.ts';
import { wrapLine } from './wrapped.ts';

export interface TableOptions {
  /** columns of the screen; undefined: no limit */
  width?: number | undefined;
  /** without the line of column names and the notes below the table */
  noHeaders?: boolean;
  /** all columns were requested: none is omitted, nothing is cut */
  wide?: boolean;
  /** a screen with few lines: details, notes and the least important columns are omitted */
  compact?: boolean;
  /** omitted columns are named here instead of below the table */
  hidden?: Set<string>;
}

type Grid = Extract<TableLayout, { form: 'grid' }>;

/** Indentation of the lines below a row. */
const BENEATH = 4;
const NOTHING: Narrowing[] = [];

/**
 * A table as lines, with its footnotes below; nothing if it has no rows. An empty cell is "-", so that `awk` sees the same columns in every
 * line.
 */
export function tableLines(
  { columns: named, rows, narrowing = NOTHING, continues }: Table,
  { width, noHeaders: unnamed = false, wide = false, compact = false, hidden }: TableOptions,
): Line[] {
  if (rows.length === 0) return [];
  const noHeaders = unnamed || continues !== undefined;
  // a column name may be foreign text: a cluster's resource
  const columns = named.map((column) => ({ ...column, name: presentable(column.name) }));
  const before = continues?.map((row) => row.map((cell) => spansOf(cell, noFootnotes))) ?? [];
  const footnotes = createFootnotes();
  const cells = rows.map((row) => row.map((cell) => spansOf(cell, footnotes)));
  const headers = columns.map(({ name }): Line => [name]);
  const measured = measure(columns, cells, unnamed ? before : [...before, headers]);
  const layout = tableLayout(measured, narrowing, { width, whole: wide, compact });
  if (layout.form === 'records')
    return [...recordLines(columns, cells, width!), ...notes(footnotes, [], width)];
  for (const name of unnamed ? [] : layout.leftOut) hidden?.add(name);
  if (compact && footnotes.all().length > 0) hidden?.add('what estimates depend on');
  const lines = [...(noHeaders ? [] : headerLines(headers, layout)), ...gridLines(cells, layout, width)];
  return noHeaders || compact ? lines : [...lines, ...notes(footnotes, hidden ? [] : layout.leftOut, width)];
}

/** Measures the columns; `more` are additional lines to measure. */
function measure(
  columns: Table['columns'],
  cells: readonly (readonly Line[])[],
  more: readonly (readonly Line[])[] = [],
): ColumnWidth[] {
  const widest = columns.map(() => 0);
  const filled = columns.map(() => false);
  for (const row of cells)
    for (const [at, cell] of row.entries()) {
      widest[at] = Math.max(widest[at] ?? 0, cell.length === 0 ? 1 : lineWidth(cell));
      if (cell.length > 0) filled[at] = true;
    }
  for (const row of more)
    for (const [at, cell] of row.entries()) widest[at] = Math.max(widest[at] ?? 0, lineWidth(cell));
  return columns.map((column, at) => ({ column, widest: widest[at]!, empty: !filled[at] }));
}

/** The header line, and the names of columns below the rows without a label. */
function headerLines(headers: readonly Line[], layout: Grid): Line[] {
  return rowLines(headers, { ...layout, cut: new Set() });
}

function gridLines(cells: readonly (readonly Line[])[], layout: Grid, width: number | undefined): Line[] {
  return cells.flatMap((row) => {
    const filled = row.map((cell): Line => (cell.length === 0 ? ['-'] : cell));
    return [...rowLines(filled, layout), ...beneath(row, layout, width)];
  });
}

/** A row, in as many lines as its tallest cell needs. */
function rowLines(row: readonly Line[], { widths, gap, cut }: Grid): Line[] {
  const columns = [...widths].map(([at, width]) => {
    const cell = row[at]!;
    if (lineWidth(cell) <= width) return { width, lines: [cell] };
    return { width, lines: cut.has(at) ? [cutInMiddle(cell, width)] : wrapLine(cell, width) };
  });
  const height = Math.max(1, ...columns.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    trimmedEnd(
      concatenated(
        ...columns.map(({ width, lines }, at) => {
          const line = lines[index] ?? [];
          const blanks = width - lineWidth(line) + gap;
          return at === columns.length - 1 ? line : concatenated(line, [' '.repeat(blanks)]);
        }),
      ),
    ),
  );
}

/** The cells below a row; labelled cells share a line. */
function beneath(row: readonly Line[], { folded }: Grid, width: number | undefined): Line[] {
  if (folded.size === 0 || width === undefined) return [];
  const indent = Math.min(BENEATH, Math.floor(width / 10));
  const room = width - indent;
  const lines: Line[] = [];
  let open: Line | undefined;
  // in column order; cells without a label come last
  const inOrder = [...folded].sort(
    ([a, one], [b, other]) => Number(one === '') - Number(other === '') || a - b,
  );
  for (const [at, label] of inOrder) {
    const cell = row[at]!;
    if (cell.length === 0) continue;
    const labelled: Line = label === '' ? cell : [{ tone: 'faint', text: label }, ' ', ...cell];
    const beside = open && label !== '' ? concatenated(open, ['   '], labelled) : undefined;
    if (beside && lineWidth(beside) <= room) {
      lines[lines.length - 1] = open = beside;
      continue;
    }
    const texts = wrapLine(labelled, room);
    appendAll(lines, texts);
    open = label !== '' && texts.length === 1 ? texts[0] : undefined;
  }
  return lines.map((line) => concatenated([' '.repeat(indent)], line));
}

/** Each row as a list of names and values. */
function recordLines(columns: Table['columns'], cells: readonly (readonly Line[])[], width: number): Line[] {
  return cells.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...alignedRows(
      row.flatMap((cell, at) =>
        cell.length === 0 ? [] : [[[{ tone: 'faint' as const, text: columns[at]!.name }], cell]],
      ),
      width,
    ),
  ]);
}

function notes(footnotes: Footnotes, leftOut: readonly string[], width: number | undefined): Line[] {
  const texts = footnotes.all().flatMap(([mark, text]) => {
    const indent = displayWidth(mark) + 1;
    const spans = spansOf(text, footnotes);
    const lines = width === undefined ? [spans] : wrapLine(spans, width - indent);
    return lines.map((line, at) => concatenated([at === 0 ? `${mark} ` : ' '.repeat(indent)], line));
  });
  if (leftOut.length > 0)
    appendAll(texts, faintly(`Hidden: ${leftOut.join(', ')} (-o wide shows all)`, width));
  return texts.map((line) =>
    line.map((span) => ({ tone: 'faint' as const, text: typeof span === 'string' ? span : span.text })),
  );
}

function faintly(text: string, width: number | undefined): Line[] {
  const spans = spansOf(text, noFootnotes);
  return width === undefined ? [spans] : wrapLine(spans, width);
}

/** Spaces between columns. */
const GAP = 3;
/** The least width at which the last column wraps in place; below that, it moves below its line. */
const LEAST_LAST = { columns: 28, share: 0.4 };
/** Indentation of a last cell below its line. */
const LAST_INDENT = 2;

/** Aligned rows whose last column wraps; if `width` is undefined, nothing wraps. */
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
      : lastBeneath(leading(row), row.at(-1) ?? [], width!),
  );
}

function inPlace(leading: Line[], last: Line, before: number, width: number | undefined): Line[] {
  const [first = [], ...rest] = width === undefined ? [last] : wrapLine(last, width - before);
  return [
    trimmedEnd(concatenated(...leading, first)),
    ...rest.map((line) => concatenated([' '.repeat(before)], line)),
  ];
}

/** A row with its last cell below the others; if the others are empty, only the last cell. */
function lastBeneath(leading: Line[], last: Line, width: number): Line[] {
  const head = trimmedEnd(concatenated(...leading));
  const indent = Math.min(LAST_INDENT, width - 1);
  return [
    ...(head.length === 0 ? [] : lineWidth(head) <= width ? [head] : wrapLine(head, width)),
    ...wrapLine(last, width - indent).map((line) => concatenated([' '.repeat(indent)], line)),
  ];
}
