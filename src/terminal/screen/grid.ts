import { concatenated, cutAtEnd, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { shareWidth } from '../../presentation/text/shareWidth.ts';
import type { Words } from '../../presentation/model.ts';
import { asFaint } from '../../presentation/words.ts';
import type { ScreenColumn } from '../../views/screen/screenList.ts';

const GAP = 2;

interface GridRequest {
  columns: readonly ScreenColumn<unknown, unknown>[];
  /** all items of the list: a sample of them sets the widths, so that these stay while the user scrolls */
  items: readonly unknown[];
  /** the visible range: from, to */
  from: number;
  to: number;
  context: unknown;
  /** widths are kept while items and basis are the same: growing ages hardly change them */
  basis: object;
  /** columns of the screen */
  width: number;
  /** the sorted column and its direction */
  sort: { column: number; backwards: boolean } | undefined;
  marks: { up: string; down: string };
}

interface Grid {
  names: Line;
  rows: Line[];
}

/** How many items are measured for widths. */
const SAMPLE = 100;

const sampled = new WeakMap<readonly unknown[], { basis: object; widths: readonly number[] }>();

function sampledWidths(
  items: readonly unknown[],
  basis: object,
  cellsOf: (item: unknown) => Line[],
): readonly number[] {
  const known = sampled.get(items);
  if (known?.basis === basis) return known.widths;
  const widths = widestOf(sampleOf(items, cellsOf), []);
  sampled.set(items, { basis, widths });
  return widths;
}

function sampleOf(items: readonly unknown[], cellsOf: (item: unknown) => Line[]): Line[][] {
  const step = Math.max(1, Math.floor(items.length / SAMPLE));
  const sample: Line[][] = [];
  for (let at = 0; at < items.length; at += step) sample.push(cellsOf(items[at]));
  return sample;
}

/** The width of the widest cell of each column, at least the given width. */
function widestOf(rows: readonly (readonly Line[])[], widest: number[]): number[] {
  for (const cells of rows)
    for (const [at, cell] of cells.entries()) widest[at] = Math.max(widest[at] ?? 0, lineWidth(cell));
  return widest;
}

/**
 * The visible items in columns, one line each, no wider than the screen: first columns become brief, then texts are
 * cut, then columns are omitted. Empty columns are always omitted.
 */
export function gridOf(request: GridRequest): Grid {
  const whole = measured(request, request.columns);
  const shorter = request.columns.map(({ short, legend, ...column }, at) =>
    short && whole.widths[at]! < whole.widest[at]!
      ? { ...column, words: short }
      : { ...column, ...(legend && { legend }) },
  );
  const isShorter = shorter.some(({ words }, at) => words !== request.columns[at]!.words);
  const { names, visible, widths } = isShorter ? measured(request, shorter) : whole;
  const line = (cells: readonly Line[]) => laidOut(cells, widths, request.columns, request.width);
  return { names: line(names), rows: visible.map(line) };
}

function measured(request: GridRequest, columns: readonly ScreenColumn<unknown, unknown>[]) {
  const { items, from, to, context, basis, width } = request;
  const cellsOf = (item: unknown) => columns.map(({ words }) => wordsLine(words(item, context)));
  const visible = items.slice(from, to).map(cellsOf);
  const names = columns.map((column, at) => wordsLine(nameWords(column, at, request)));
  const sample =
    columns === request.columns
      ? sampledWidths(items, basis, cellsOf)
      : widestOf(sampleOf(items, cellsOf), []);
  const content = widestOf(visible, [...sample]);
  const widest = widestOf([names], [...content]);
  const empty = new Set(items.length === 0 ? [] : columns.filter((_, at) => content[at] === 0));
  return { names, visible, widest, widths: fitted(columns, widest, names.map(lineWidth), width, empty) };
}

function nameWords(
  { name, legend }: ScreenColumn<unknown, unknown>,
  at: number,
  { items, sort, marks, context }: GridRequest,
): Words {
  const sorted = sort?.column !== at ? name : `${name}${sort.backwards ? marks.down : marks.up}`;
  const means = legend?.(items, context);
  return means === undefined ? sorted : [sorted, asFaint(` ${means}`)];
}

/** The width of each column; 0: it is omitted, as empty ones are. */
function fitted(
  columns: readonly ScreenColumn<unknown, unknown>[],
  widest: readonly number[],
  names: readonly number[],
  width: number,
  empty: ReadonlySet<ScreenColumn<unknown, unknown>>,
): number[] {
  const sized = columns.map(({ least, leaves }, at) => {
    const most = widest[at]!;
    return { width: Math.min(most, Math.max(least ?? most, names[at]!)), widest: most, leaves };
  });
  const shown = new Set(sized.filter((_, at) => !empty.has(columns[at]!)));
  const needed = () => [...shown].reduce((sum, column) => sum + column.width + GAP, -GAP);
  while (needed() > width) {
    const first = [...shown]
      .flatMap((column) => (column.leaves === undefined ? [] : [{ column, leaves: column.leaves }]))
      .sort((a, b) => b.leaves - a.leaves)
      .at(0);
    if (first === undefined) break;
    shown.delete(first.column);
  }
  shareWidth([...shown], width - needed());
  return sized.map((column) => (shown.has(column) ? column.width : 0));
}

function laidOut(
  cells: readonly Line[],
  widths: readonly number[],
  columns: readonly ScreenColumn<unknown, unknown>[],
  width: number,
): Line {
  const parts: Line[] = [];
  for (const [at, cell] of cells.entries()) {
    const room = widths[at]!;
    if (room === 0) continue;
    if (parts.length > 0) parts.push([' '.repeat(GAP)]);
    const cut = cutAtEnd(cell, room);
    const blanks = [' '.repeat(room - lineWidth(cut))];
    parts.push(...(columns[at]!.right ? [blanks, cut] : [cut, blanks]));
  }
  return cutAtEnd(concatenated(...parts), width);
}
