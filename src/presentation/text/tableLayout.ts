import type { Column, Narrowing } from '../model.ts';

/** The widths of the cells in a column, its name included. */
export interface Measured {
  column: Column;
  widest: number;
  /** all of its cells are empty */
  empty: boolean;
}

/** How a table is laid out: as a grid of columns, or name by name if no grid fits. */
export type TableLayout =
  | {
      form: 'grid';
      gap: number;
      /** by position, in their order; columns without a width are not in the grid */
      widths: ReadonlyMap<number, number>;
      /** positions of columns whose cells move below the row, with their labels */
      folded: ReadonlyMap<number, string>;
      /** columns whose cells are cut in the middle instead of wrapped */
      cut: ReadonlySet<number>;
      /** names of columns that are left out although they are not empty */
      leftOut: readonly string[];
    }
  | { form: 'records' };

/** Blanks between columns: as in kubectl, and fewer if room is short. */
const GAPS = [3, 2];

/**
 * The widest layout that fits: with everything whole; else with texts wrapped; else with the view's own steps, one after the other. If
 * everything was asked for (`whole`), nothing is dropped or cut.
 *
 * @param width columns of the screen; undefined: no limit, as in a pipe
 */
export function tableLayout(
  measured: readonly Measured[],
  narrowing: readonly Narrowing[],
  { width, whole }: { width: number | undefined; whole: boolean },
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
      GAPS[0]!,
      measured.map(({ widest }) => widest),
      new Set(),
    );
  const fits = () => fitting(grid, measured, width);
  const steps = narrowing.filter((step) => !whole || 'fold' in step || 'wrap' in step);
  let layout = fits();
  // an empty column can be left out without loss
  if (!layout && !whole) {
    const droppable = new Set(steps.flatMap((step) => ('drop' in step ? step.drop : [])));
    for (const [at, { column, empty }] of measured.entries())
      if (empty && droppable.has(column.name)) grid.shown.delete(at);
    layout = fits();
  }
  for (const step of steps) {
    if (layout) break;
    narrow(grid, measured, step);
    layout = fits();
  }
  return layout ?? { form: 'records' };
}

interface Grid {
  shown: Set<number>;
  folded: Map<number, string>;
  /** the least widths to which the cells of a column may be cut or wrapped */
  cut: Map<number, number>;
  wraps: Map<number, number>;
  leftOut: string[];
}

function narrow(grid: Grid, measured: readonly Measured[], step: Narrowing): void {
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

function laidOut(grid: Grid, gap: number, widths: readonly number[], cut: Set<number>): TableLayout {
  return {
    form: 'grid',
    gap,
    widths: new Map([...grid.shown].map((at) => [at, widths[at]!])),
    folded: grid.folded,
    cut,
    leftOut: grid.leftOut,
  };
}

/** The grid with columns as wide as the room allows; undefined if there is too little. */
function fitting(grid: Grid, measured: readonly Measured[], width: number): TableLayout | undefined {
  for (const mayWrap of [false, true])
    for (const gap of GAPS) {
      const room = width - gap * (grid.shown.size - 1);
      const widths = sharedOut(grid, measured, room, mayWrap);
      if (!widths) continue;
      const cut = new Set([...grid.cut.keys()].filter((at) => widths[at]! < measured[at]!.widest));
      return laidOut(grid, gap, widths, cut);
    }
  return undefined;
}

/** The width of each column. Columns that can shrink share what the others leave; narrow ones get what they want first. */
function sharedOut(
  { shown, cut, wraps }: Grid,
  measured: readonly Measured[],
  room: number,
  mayWrap: boolean,
): number[] | undefined {
  const leastOf = (at: number) => {
    const { widest, column } = measured[at]!;
    const wrapped = mayWrap ? (wraps.get(at) ?? column.wraps ?? widest) : widest;
    return Math.min(widest, cut.get(at) ?? widest, wrapped);
  };
  const widths = measured.map((_, at) => leastOf(at));
  let rest = room - [...shown].reduce((sum, at) => sum + widths[at]!, 0);
  if (rest < 0) return undefined;
  const wanting = [...shown]
    .filter((at) => widths[at]! < measured[at]!.widest)
    .sort((a, b) => measured[a]!.widest - widths[a]! - (measured[b]!.widest - widths[b]!));
  for (const [index, at] of wanting.entries()) {
    const share = Math.min(measured[at]!.widest - widths[at]!, Math.floor(rest / (wanting.length - index)));
    widths[at] = widths[at]! + share;
    rest -= share;
  }
  return widths;
}
