import { ORDERS, type Order } from './choice.ts';
import type { Model } from './model.ts';
import { isPrinted } from './elements.ts';

const NARROW = '(max-width: 819px)';
const MIDDLE = '(max-width: 1199px)';
/** Pixels of the columns on a wide page and on one in between, and of the names of clusters before the bars. */
const COLUMNS: Readonly<Record<Order, readonly [wide: number, between: number]>> = {
  outcome: [160, 160],
  name: [184, 168],
  fewer: [116, 116],
  first: [124, 112],
};
/** Columns of names are wider for longer ones, up to so many pixels; longer ones wrap. */
const WIDEST = { name: [320, 240], first: [220, 180] } as const;
const NARROW_LABELS = 112;
/** Pixels beside the text of a cell, and of the names of clusters. */
const PADDING = { name: 24, first: 18 };
/** The fonts of names, as the style has them. */
const NAME_FONT = 'bold 15px';
const CLUSTER_FONT = '12px';
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
  /** in how many lines the name of a workload stands */
  linesOfName(name: string): number;
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
  const names = widthsOf(
    rows.map(({ workload }) => workload.name),
    NAME_FONT,
  );
  const labels = widthsOf(
    rows.flatMap(({ lanes }) => lanes.map(({ label }) => label)),
    CLUSTER_FONT,
  );
  const longest = { name: widest(names) + PADDING.name, first: widest(labels) + PADDING.first };
  const widthOf = (order: Order): number => {
    const at = middling.matches || isPrinted() ? 1 : 0;
    const least = COLUMNS[order][at];
    if (order !== 'name' && order !== 'first') return least;
    return Math.ceil(Math.max(least, Math.min(longest[order], WIDEST[order][at])));
  };
  const narrowName = () => Math.max(80, document.documentElement.clientWidth * 0.42 - PADDING.name);
  const labelWidth = () =>
    isNarrow() ? NARROW_LABELS : shown.reduce((sum, order) => sum + widthOf(order), 0);
  return {
    shown,
    isNarrow,
    labelWidth,
    linesOfName(name) {
      const room = isNarrow() ? narrowName() : widthOf('name') - PADDING.name;
      return Math.max(1, Math.ceil((names.get(name) ?? 0) / room));
    },
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

/** Pixels of each of some texts. */
function widthsOf(texts: readonly string[], font: string): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return widths;
  context.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  for (const text of texts) if (!widths.has(text)) widths.set(text, context.measureText(text).width);
  return widths;
}

function widest(widths: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const width of widths.values()) most = Math.max(most, width);
  return most;
}
