import type { Columns } from './columns.ts';
import type { Lane, Row } from './model.ts';

/** Pixels of a lane, and of its bar. */
export const LANE = 18;
export const BAR = 11;
/** Pixels above and below the lanes of a row, and of the lines with its name. */
const PADDING = 7;
const HEAD = 44;
/** The most lanes of a workload that are drawn; its details have all. */
const LANES = 6;

/** The lanes of a row that are drawn. */
export function drawnLanes({ lanes }: Row): Lane[] {
  return lanes.slice(0, LANES);
}

/** Where each row stands: pixels below the first. */
export interface RowHeights {
  /** Lays out these rows. */
  set(rows: readonly Row[]): void;
  /** The top of a row; of the one after the last: where it would begin. */
  top(row: number): number;
  /** The row at a height. */
  at(y: number): number;
  /** pixels from the top of a row to its first lane */
  lanesTop(): number;
}

export function createRowHeights(columns: Columns): RowHeights {
  let count = 0;
  let tops = new Float64Array(1);
  const heightOf = (row: Row) => {
    const lanes = drawnLanes(row).length * LANE + 2 * PADDING;
    return columns.isNarrow() ? HEAD + lanes : Math.max(lanes, HEAD + 4);
  };
  const top = (row: number) => tops[Math.min(row, count)] ?? 0;
  return {
    set(rows) {
      count = rows.length;
      tops = new Float64Array(count + 1);
      rows.forEach((row, i) => (tops[i + 1] = tops[i]! + heightOf(row)));
    },
    top,
    at(y) {
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (tops[middle]! <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    lanesTop: () => PADDING + (columns.isNarrow() ? HEAD : 0),
  };
}
