import type { Column, Narrowing } from '../model.ts';
import { shareWidth, type ShrinkableWidth } from './shareWidth.ts';

/** The widths of the cells in a column, including its name. */
export interface ColumnWidth {
  column: Column;
  widest: number;
  empty: boolean;
}

/** The layout of a table: a grid of columns, or name by name if no grid fits. */
export type TableLayout =
  | {
      form: 'grid';
      gap: number;
      /** by position, in order; columns without a width are not in the grid */
      widths: ReadonlyMap<number, number>;
      /** positions of columns whose cells move below the row, with their labels */
      folded: ReadonlyMap<number, string>;
      /** columns whose cells are cut in the middle instead of wrapped */
      cut: ReadonlySet<number>;
      /** columns whose cells are cut at their end: texts on a small screen */
      cutAtEnd: ReadonlySet<number>;
      /** names of columns that are omitted although they are not empty */
      leftOut: readonly string[];
    }
  | { form: 'records' };

/** Spaces between columns: as in kubectl, fewer if space is short. */
const GAPS = [3, 2] as const;

/**
 * The widest layout that fits: all cells whole; otherwise texts wrapped; otherwise the view's own steps, one after
 * another. With `whole`, nothing is dropped or cut; with `compact`, rows are one line, so nothing is wrapped or folded.
 * @param width columns of the screen; undefined: no limit, as in a pipe
 */
export function tableLayout(
  measured: readonly ColumnWidth[],
  narrowing: readonly Narrowing[],
  { width, whole, compact }: { width: number | undefined; whole: boolean; compact: boolean },
): TableLayout {
  const grid: Grid = {
    shown: new Set(measured.keys()),
    folded: new Map(),
    cut: new Map(),
    wraps: new Map(),
    ends: new Set(),
    leftOut: [],
  };
  if (width === undefined)
    return laidOut(
      grid,
      GAPS[0],
      measured.map(({ widest }, at) => ({ at, widest, width: widest })),
    );
  const fits = () => fitting(grid, measured, width, !compact);
  // an empty column is omitted without loss
  for (const [at, { empty }] of measured.entries()) if (empty && grid.shown.size > 1) grid.shown.delete(at);
  let layout = fits();
  // a small screen first drops the least important columns, then cuts texts, then drops cells that would move below
  // their row
  if (!layout && compact) {
    for (const step of narrowing.filter((one) => 'drop' in one)) {
      narrow(grid, measured, step);
      layout = fits();
      if (layout) break;
    }
    if (!layout) cutTexts(grid, measured, narrowing);
    layout ??= fits();
  }
  const steps = compact
    ? [
        ...narrowing.filter((step) => 'cut' in step),
        ...narrowing.flatMap((step) => ('fold' in step ? [withoutFold(step)] : [])),
      ]
    : narrowing.filter((step) => !whole || 'fold' in step || 'wrap' in step);
  for (const step of steps) {
    if (layout) break;
    narrow(grid, measured, step);
    layout = fits();
  }
  if (!layout && !whole) {
    // still better than one line per cell
    for (const at of grid.shown) {
      grid.cut.set(at, LEAST_CUT);
      grid.wraps.delete(at);
    }
    layout = fits();
  }
  return layout ?? { form: 'records' };
}

/** The least width of a text that is cut at its end, and of any column on a screen that is too narrow. */
const LEAST_TEXT = 16;
const LEAST_CUT = 8;

/** On a small screen, texts are cut that would otherwise wrap or move below their row. */
function cutTexts(grid: Grid, measured: readonly ColumnWidth[], narrowing: readonly Narrowing[]): void {
  const folded = new Set(narrowing.flatMap((step) => ('fold' in step ? Object.keys(step.fold) : [])));
  for (const [at, { column }] of measured.entries())
    if (column.wraps !== undefined || folded.has(column.name)) {
      grid.cut.set(at, LEAST_TEXT);
      grid.ends.add(at);
    }
}

/** Cells that would move below their row are omitted. */
function withoutFold({ fold }: Extract<Narrowing, { fold: unknown }>): Narrowing {
  return { drop: Object.keys(fold) };
}

interface Grid {
  shown: Set<number>;
  folded: Map<number, string>;
  /** the least widths to which a column's cells may be cut or wrapped */
  cut: Map<number, number>;
  wraps: Map<number, number>;
  /** columns that are cut at the end, not in the middle */
  ends: Set<number>;
  leftOut: string[];
}

function narrow(grid: Grid, measured: readonly ColumnWidth[], step: Narrowing): void {
  for (const [at, { column, empty }] of measured.entries()) {
    const { name } = column;
    if (!grid.shown.has(at)) continue;
    if ('fold' in step && Object.hasOwn(step.fold, name)) {
      grid.shown.delete(at);
      grid.folded.set(at, step.fold[name]!);
    } else if ('drop' in step && step.drop.includes(name)) {
      grid.shown.delete(at);
      if (!empty) grid.leftOut.push(name);
    } else if ('cut' in step && step.cut === name) grid.cut.set(at, step.to);
    else if ('wrap' in step && step.wrap === name) grid.wraps.set(at, step.to);
  }
}

/** A column of the grid, by its position, with its width. */
interface Sized extends ShrinkableWidth {
  at: number;
}

function laidOut(grid: Grid, gap: number, sized: readonly Sized[]): TableLayout {
  const cut = sized.filter(({ at, width, widest }) => grid.cut.has(at) && width < widest);
  return {
    form: 'grid',
    gap,
    widths: new Map(sized.map(({ at, width }) => [at, width])),
    folded: grid.folded,
    cut: new Set(cut.map(({ at }) => at)),
    cutAtEnd: grid.ends,
    leftOut: grid.leftOut,
  };
}

/** The grid with columns as wide as possible; undefined if there is not enough space. */
function fitting(
  grid: Grid,
  measured: readonly ColumnWidth[],
  width: number,
  wrapping: boolean,
): TableLayout | undefined {
  for (const mayWrap of wrapping ? [false, true] : [false])
    for (const gap of GAPS) {
      const sized = narrowest(grid, measured, mayWrap);
      const rest = sized.reduce((left, one) => left - one.width, width - gap * (grid.shown.size - 1));
      if (rest < 0) continue;
      shareWidth(sized, rest);
      return laidOut(grid, gap, sized);
    }
  return undefined;
}

/** The visible columns, each at its minimum width. */
function narrowest({ shown, cut, wraps }: Grid, measured: readonly ColumnWidth[], mayWrap: boolean): Sized[] {
  return measured.flatMap(({ widest, column }, at) => {
    if (!shown.has(at)) return [];
    const wrapped = mayWrap ? (wraps.get(at) ?? column.wraps ?? widest) : widest;
    return [{ at, widest, width: Math.min(widest, cut.get(at) ?? widest, wrapped) }];
  });
}
