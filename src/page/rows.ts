import { type Scale, drawGrid } from './axis.ts';
import type { Order } from './choice.ts';
import type { Columns } from './columns.ts';
import { element } from './elements.ts';
import { type Pen, colour } from './looks.ts';
import {
  afterText,
  instantText,
  kindText,
  type Lane,
  type Model,
  outcomeText,
  type Row,
  type Span,
  spanText,
} from './model.ts';

/** Heights of a lane and of its bar, in pixels. */
export const LANE = 18;
const BAR = 11;
/** Vertical padding around a row's lanes, in pixels. */
const PADDING = 7;
/** The most lanes drawn per workload; its details show all. */
const LANES = 6;

/** The lanes of a row that are drawn. */
export function drawnLanes({ lanes }: Row): Lane[] {
  return lanes.slice(0, LANES);
}

interface RowHeights {
  set(rows: readonly Row[]): void;
  /** The top of a row; one past the last row gives the total height. */
  top(row: number): number;
  /** The row at a vertical position. */
  at(y: number): number;
  /** pixels from the top of a row to its first lane */
  lanesTop(row: Row): number;
}

export function createRowHeights(columns: Columns): RowHeights {
  let count = 0;
  let tops = new Float64Array(1);
  const textHeight = (row: Row) => columns.textHeight(row, row.lanes.length - drawnLanes(row).length);
  const heightOf = (row: Row) => {
    const lanes = drawnLanes(row).length * LANE + 2 * PADDING;
    return columns.isNarrow() ? textHeight(row) - PADDING + lanes : Math.max(lanes, textHeight(row));
  };
  const top = (row: number) => tops[Math.min(row, count)] ?? 0;
  return {
    set(rows) {
      count = rows.length;
      tops = new Float64Array(count + 1);
      let end = 0;
      rows.forEach((row, i) => (tops[i + 1] = end += heightOf(row)));
    },
    top,
    at(y) {
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (top(middle) <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    lanesTop: (row) => (columns.isNarrow() ? textHeight(row) : PADDING),
  };
}

/**
 * A row of the table, for sight and for screen readers, which read its bars as text.
 * @param i its index in the table
 * @param lanesTop pixels from its top to its first lane
 */
export function rowElement(
  { data }: Model,
  columns: readonly Order[],
  row: Row,
  i: number,
  lanesTop: number,
): HTMLElement {
  const { workload, outcome, lanes } = row;
  const { name, fewer } = workload;
  const { tone = 'plain' } = outcome ?? {};
  const cell = (kindOf: string, ...children: (Node | string)[]) =>
    element('div', { role: 'gridcell', class: `cell ${kindOf}` }, ...children);
  const shown = drawnLanes(row);
  const labels = shown.map((lane, at) => {
    const label = element('span', { class: 'lane', 'aria-hidden': 'true' }, lane.label);
    label.style.top = `${lanesTop + at * LANE}px`;
    return label;
  });
  const laneText = ({ whole, label, spans }: Lane) =>
    `${whole ? 'The workload' : label}: ${spans.map((span) => spanText(data, span)).join(', then ')}`;
  const left = lanes.length - shown.length;
  const cells: Record<Order, () => HTMLElement> = {
    outcome: () =>
      cell(
        'outcome',
        element('span', { class: `tone-${tone}` }, outcomeText(outcome)),
        element('small', {}, afterText(row)),
      ),
    name: () =>
      cell(
        'name',
        element('b', {}, name),
        element('small', {}, kindText(row)),
        ...(left > 0 ? [element('small', {}, `${left} more lanes: see why`)] : []),
      ),
    fewer: () => cell('fewer', fewer),
    first: () => cell('first', ...labels, element('span', { class: 'read' }, shown.map(laneText).join('. '))),
  };
  return element(
    'div',
    { role: 'row', class: 'row', id: `row-${i}`, 'aria-rowindex': String(i + 2) },
    ...columns.map((order) => cells[order]()),
  );
}

/** A row to draw: the tops of it and of its first lane, in pixels of the sheet. */
interface PlacedRow {
  row: Row;
  top: number;
  lanesTop: number;
}

/** Draws the bars of rows, over the time marks, on a sheet of this many pixels. */
export function drawBars(
  context: CanvasRenderingContext2D,
  { data }: Model,
  scale: Scale,
  pen: Pen,
  rows: readonly PlacedRow[],
  { width, height }: { width: number; height: number },
): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  drawGrid(context, data, scale, width, height);
  for (const { row, top, lanesTop } of rows) {
    context.fillStyle = colour('grid');
    context.fillRect(0, Math.round(top), width, 1);
    drawnLanes(row).forEach((lane, at) => drawLane(lane, lanesTop + at * LANE));
  }
  context.restore();

  /** A span of a single instant has no width: it gets a mark with its words, no bar. */
  function drawInstant(spans: readonly Span[], y: number): void {
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = 'middle';
    let x = 6;
    for (const span of spans) {
      pen.bar(context, span.phase.name, { x, y: y + (LANE - BAR) / 2, width: BAR, height: BAR });
      const words = instantText(span);
      context.fillStyle = colour('ink');
      context.fillText(words, x + BAR + 6, y + LANE / 2);
      x += BAR + 6 + context.measureText(words).width + 16;
    }
  }

  /** A span narrower than a pixel fills one; only one of several in a pixel is drawn. */
  function drawLane({ spans }: Lane, y: number): void {
    if (data.length === 0) return drawInstant(spans, y);
    let drawnTo = -1;
    for (const span of spans) {
      const from = scale.place(span.from, width);
      const to = span.to < 0 ? width : scale.place(span.to, width);
      if (to < 0 || from > width) continue;
      const x = Math.max(from, -2);
      const end = Math.min(Math.max(to, x + 1), width + 2);
      if (end <= drawnTo) continue;
      drawnTo = Math.max(Math.floor(end), drawnTo);
      pen.bar(context, span.phase.name, {
        x,
        y: y + (LANE - BAR) / 2,
        width: end - x,
        height: BAR,
      });
    }
  }
}
