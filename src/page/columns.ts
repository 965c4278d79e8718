import { ORDERS, type Order } from './choice.ts';
import type { Model } from './model.ts';
import { isPrinted } from './elements.ts';

const NARROW = '(max-width: 819px)';
const MIDDLE = '(max-width: 1199px)';
/** Pixels of the columns on a wide page and on one in between, and of the names of clusters before the bars. */
const COLUMNS: Readonly<Record<Order, readonly [wide: number, between: number]>> = {
  outcome: [160, 160],
  name: [184, 168],
  fewer: [112, 80],
  first: [124, 112],
};
const NARROW_LABELS = 112;
/** The columns on a narrow page, where bars stand below. */
const NARROW_COLUMNS: Readonly<Record<Order, string>> = {
  outcome: 'minmax(118px, 0.9fr)',
  name: 'minmax(0, 1.3fr)',
  fewer: 'minmax(66px, 0.6fr)',
  first: '',
};

/** The columns of the table of workloads. The names of clusters and the bars stand beside them, on a narrow page below. */
export interface Columns {
  /** those that have something to show */
  shown: readonly Order[];
  isNarrow(): boolean;
  /** pixels before the bars */
  labelWidth(): number;
  /** Gives the style the widths. */
  applyTo(place: HTMLElement): void;
}

export function createColumns({ data, rows }: Model): Columns {
  const narrowly = window.matchMedia(NARROW);
  const middling = window.matchMedia(MIDDLE);
  const shown = (Object.keys(ORDERS) as Order[]).filter(
    (order) =>
      (order !== 'outcome' || data.outcomes.length > 0) &&
      (order !== 'fewer' || rows.some(({ workload }) => workload.fewer !== '')),
  );
  const isNarrow = () => narrowly.matches && !isPrinted();
  const widthOf = (order: Order) => COLUMNS[order][middling.matches || isPrinted() ? 1 : 0];
  const labelWidth = () =>
    isNarrow() ? NARROW_LABELS : shown.reduce((sum, order) => sum + widthOf(order), 0);
  return {
    shown,
    isNarrow,
    labelWidth,
    applyTo({ style }) {
      const widths = shown
        .filter((order) => order !== 'first')
        .map((order) => (isNarrow() ? NARROW_COLUMNS[order] : `${widthOf(order)}px`));
      style.setProperty('--columns', `${widths.join(' ')}${isNarrow() ? '' : ' 1fr'}`);
      style.setProperty('--labels', `${labelWidth()}px`);
      style.setProperty('--lane', `${isNarrow() ? NARROW_LABELS : widthOf('first')}px`);
    },
  };
}
