import { drawGrid } from './axis.ts';
import { colour, type Pen } from './looks.ts';
import type { Lane, Model, Row } from './model.ts';
import { BAR, drawnLanes, LANE } from './rowHeights.ts';
import type { Scale } from './scale.ts';

/** A row to draw: where it and its first lane begin, in pixels of the sheet. */
export interface PlacedRow {
  row: Row;
  top: number;
  lanesTop: number;
}

/** Draws the bars of rows, with the marks of the time behind them, on a sheet of so many pixels. */
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

  /** A span narrower than a pixel fills one; of several in one pixel only one is drawn. */
  function drawLane({ spans }: Lane, y: number): void {
    let drawnTo = -1;
    for (const at of spans) {
      const from = scale.place(data.spans.from[at]!, width);
      const to = data.spans.to[at]! < 0 ? width : scale.place(data.spans.to[at]!, width);
      if (to < 0 || from > width) continue;
      const x = Math.max(from, -2);
      const end = Math.min(Math.max(to, x + 1), width + 2);
      if (end <= drawnTo) continue;
      drawnTo = Math.max(Math.floor(end), drawnTo);
      pen.bar(context, data.phases[data.spans.phase[at]!]!.name, {
        x,
        y: y + (LANE - BAR) / 2,
        width: end - x,
        height: BAR,
      });
    }
  }
}
