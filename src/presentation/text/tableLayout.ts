import type { Column, Narrowing } from '../model.ts';

/** How wide the cells of a column are, its name included. */
export interface Measured {
  column: Column;
  widest: number;
  /** nothing is in any of its cells */
  empty: boolean;
}

/** How a table is laid out: as a grid of columns, or name by name if no grid fits. */
export type TableLayout =
  | {
      form: 'grid';
      gap: number;
      /** by position, in their order; what has no width is not in the grid */
      widths: ReadonlyMap<number, number>;
      /** positions of columns whose cells go beneath the row, with their labels */
      folded: ReadonlyMap<number, string>;
      /** columns whose cells are cut in the middle instead of wrapped */
      cut: ReadonlySet<number>;
      /** names of columns that are left out though there is something in them */
      leftOut: readonly string[];
    }
  | { form: 'records' };

/** Columns apart, as kubectl has them, and where room is short. */
const GAPS = [3, 2];

/**
 * The widest layout that fits: everything whole; else texts wrapped; else step by step what the view has stated. What was asked for
 * in full (`whole`) is neither dropped nor cut.
 *
 * @param width columns of the screen; undefined: all that it takes, as in a pipe
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
  // to leave out a column without anything in it loses nothing
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
  /** down to how many columns the cells of a column may be cut, and wrapped */
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

/** The grid with its columns as wide as there is room, undefined if there is too little. */
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

/** What each column gets: those that can give way share what the others leave, small ones first what they want. */
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
