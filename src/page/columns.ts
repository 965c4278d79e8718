import { ROW_ORDERS, type Order } from './choice.ts';
import { afterText, kindText, outcomeText, type Model, type Row } from './model.ts';
import { isPrinted } from './elements.ts';

const NARROW = '(max-width: 819px)';
const MIDDLE = '(max-width: 1199px)';
/** Column widths in pixels on a wide and a medium page, and the width of the cluster names before the bars. */
const COLUMNS: Readonly<Record<Order, readonly [wide: number, between: number]>> = {
  outcome: [160, 160],
  name: [184, 168],
  fewer: [116, 116],
  first: [124, 112],
};
/** Name columns widen for long names, up to this many pixels; longer names wrap. */
const WIDEST = { name: [320, 240], first: [220, 180] } as const;
const NARROW_LABELS = 112;
/** Horizontal padding in pixels of a cell and of the cluster names; on a narrow page cells have less. */
const PADDING = { name: 24, first: 18 };
const NARROW_PADDING = 12;
/** The fonts of names, matching the style. */
const NAME_FONT = 'bold 15px';
const CLUSTER_FONT = '12px';
/** Fonts of a row's other texts, and the line heights in pixels of those and of the name. */
const OUTCOME_FONT = NAME_FONT;
const SMALL_FONT = '12.5px';
const FEWER_FONT = '14px';
const LINES = { name: 20, outcome: 20, small: 17, fewer: 19 };
/** Vertical padding of a row, in pixels. */
const ABOVE_AND_BELOW = 14;
/** The columns on a narrow page, with the bars below; the names take the rest. Pixels outside the table. */
const NARROW_OUTCOME = 0.31;
const NARROW_FEWER = 0.3;
const BESIDE_TABLE = 30;

/** The columns of the table of workloads. Cluster names and bars are beside them, on a narrow page below. */
export interface Columns {
  /** columns with content */
  shown: readonly Order[];
  isNarrow(): boolean;
  /** pixels before the bars */
  labelWidth(): number;
  /** height of a row's texts in pixels, padding included */
  textHeight(row: Row, left: number): number;
  /** changes whenever heights change */
  layout(): string;
  /** Sets the widths in the style. */
  applyTo(place: HTMLElement): void;
}

export function createColumns({ data, rows }: Model): Columns {
  const narrowly = window.matchMedia(NARROW);
  const middling = window.matchMedia(MIDDLE);
  const shown = (Object.keys(ROW_ORDERS) as Order[]).filter(
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
  const narrowWidth = (order: Order): number => {
    const total = document.documentElement.clientWidth - BESIDE_TABLE;
    const outcome = shown.includes('outcome') ? Math.round(total * NARROW_OUTCOME) : 0;
    const fewer = shown.includes('fewer') ? Math.round(total * NARROW_FEWER) : 0;
    if (order === 'outcome') return outcome;
    return order === 'fewer' ? fewer : total - outcome - fewer;
  };
  const lines = createLines();
  const labelWidth = () =>
    isNarrow() ? NARROW_LABELS : shown.reduce((sum, order) => sum + widthOf(order), 0);
  return {
    shown,
    isNarrow,
    labelWidth,
    textHeight(row, left) {
      const { name, fewer } = row.workload;
      const room = (order: Order) =>
        isNarrow() ? narrowWidth(order) - NARROW_PADDING : widthOf(order) - PADDING.name;
      const ofName = Math.max(1, Math.ceil((names.get(name) ?? 0) / room('name')));
      const ofOutcome =
        lines(outcomeText(row.outcome), OUTCOME_FONT, room('outcome')) * LINES.outcome +
        lines(afterText(row), SMALL_FONT, room('outcome')) * LINES.small;
      const belowName = lines(kindText(row), SMALL_FONT, room('name')) + (left > 0 ? 1 : 0);
      return (
        ABOVE_AND_BELOW +
        Math.max(
          ofName * LINES.name + belowName * LINES.small,
          ofOutcome,
          lines(fewer, FEWER_FONT, room('fewer')) * LINES.fewer,
        )
      );
    },
    layout: () => `${labelWidth()} ${isNarrow() ? document.documentElement.clientWidth : ''}`,
    applyTo({ style }) {
      const widths = shown
        .filter((order) => order !== 'first')
        .map((order) => `${isNarrow() ? narrowWidth(order) : widthOf(order)}px`);
      style.setProperty('--columns', `${widths.join(' ')}${isNarrow() ? '' : ' 1fr'}`);
      style.setProperty('--labels', `${labelWidth()}px`);
      style.setProperty('--lane', `${isNarrow() ? NARROW_LABELS : widthOf('first')}px`);
    },
  };
}

/** The number of lines of texts when wrapped between words. */
function createLines(): (text: string, font: string, room: number) => number {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  const known = new Map<string, number>();
  return (text, font, room) => {
    const key = `${room} ${font} ${text}`;
    const found = known.get(key);
    if (found !== undefined || !context) return found ?? 1;
    context.font = `${font} ${family}`;
    let count = text === '' ? 0 : 1;
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (context.measureText(longer).width <= room) {
        line = longer;
        continue;
      }
      if (line !== '') count++;
      // a long word breaks anywhere
      count += Math.max(0, Math.ceil(context.measureText(word).width / room) - 1);
      line = word;
    }
    known.set(key, count);
    return count;
  };
}

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
