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
      /** names of columns that are omitted although they are not empty */
      leftOut: readonly string[];
    }
  | { form: 'records' };

/** Spaces between columns: as in kubectl, fewer if space is short. */
const GAPS = [3, 2] as const;

/**
 * The widest layout that fits: all cells whole; otherwise texts wrapped; otherwise the view's own steps, one after
 * another. With `whole`, nothing is dropped or cut; with `compact`, the least
 * important columns are dropped first, and no cell moves below its row.
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
    leftOut: [],
  };
  if (width === undefined)
    return laidOut(
      grid,
      GAPS[0],
      measured.map(({ widest }, at) => ({ at, widest, width: widest })),
    );
  const fits = (mayWrap = true) => fitting(grid, measured, width, mayWrap);
  // an empty column is omitted without loss
  for (const [at, { empty }] of measured.entries()) if (empty && grid.shown.size > 1) grid.shown.delete(at);
  let layout = fits(!compact);
  // on a small screen, rows are more important than the least important columns, whole names and cells below a row
  const shrinking = compact
    ? [...narrowing.filter((step) => 'drop' in step), ...narrowing.filter((step) => 'cut' in step)]
    : [];
  for (const step of shrinking) {
    if (layout) break;
    narrow(grid, measured, step);
    layout = fits(false);
  }
  layout ??= fits();
  const steps = compact
    ? [
        ...narrowing.filter((step) => 'wrap' in step),
        ...narrowing.flatMap((step) => ('fold' in step ? [{ drop: Object.keys(step.fold) }] : [])),
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

/** The least width of any column on a screen that is too narrow. */
const LEAST_CUT = 8;

interface Grid {
  shown: Set<number>;
  folded: Map<number, string>;
  /** the least widths to which a column's cells may be cut or wrapped */
  cut: Map<number, number>;
  wraps: Map<number, number>;
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
    leftOut: grid.leftOut,
  };
}

/** The grid with columns as wide as possible; undefined if there is not enough space. */
function fitting(
  grid: Grid,
  measured: readonly ColumnWidth[],
  width: number,
  mayWrap: boolean,
): TableLayout | undefined {
  for (const wraps of mayWrap ? [false, true] : [false])
    for (const gap of GAPS) {
      const sized = narrowest(grid, measured, wraps);
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
