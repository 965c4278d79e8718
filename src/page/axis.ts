import type { ReportData } from '../views/report/reportData.ts';
import { ticksOf } from '../views/timeline/ticks.ts';
import { colour } from './looks.ts';
import { timeText } from './model.ts';

/** The visible range of time, in milliseconds since the start. */
export interface Scale {
  readonly length: number;
  from(): number;
  to(): number;
  /** the position of a time, over this width in pixels */
  place(time: number, width: number): number;
  show(from: number, to: number): void;
  /** Shows `factor` times as much time; `around` keeps its position. */
  zoom(factor: number, around?: number): void;
  /** Moves by a fraction of the visible range. */
  pan(share: number): void;
  onChange(listener: () => void): void;
}

/** The shortest visible range. */
const LEAST = 100;

/** A scale that shows the whole time: `length` in milliseconds. */
export function createScale(length: number): Scale {
  const whole = Math.max(length, 1);
  let [from, to] = [0, whole];
  const listeners: (() => void)[] = [];
  function show(a: number, b: number): void {
    const shown = Math.min(Math.max(b - a, Math.min(LEAST, whole)), whole);
    from = Math.min(Math.max(a, 0), whole - shown);
    to = from + shown;
    for (const listener of listeners) listener();
  }
  return {
    length: whole,
    from: () => from,
    to: () => to,
    place: (time, width) => ((time - from) / (to - from)) * width,
    show,
    zoom(factor, around = (from + to) / 2) {
      show(around - (around - from) * factor, around + (to - around) * factor);
    },
    pan: (share) => show(from + share * (to - from), to + share * (to - from)),
    onChange: (listener) => void listeners.push(listener),
  };
}

/** Round times to mark on the scale, not too close together. */
function marksOn(
  { byClock, start, length }: ReportData,
  scale: Scale,
  width: number,
): { x: number; time: number; fine: boolean }[] {
  const apart = byClock && length > 86_400_000 ? 130 : 90;
  const shown = scale.to() - scale.from();
  const steps = ticksOf(shown, Math.max(1, Math.floor(width / apart)));
  const step = (steps[1] ?? shown) || 1;
  const marks = [];
  // on a clock, round times of day
  const begin = byClock ? start : 0;
  for (let time = Math.ceil((scale.from() + begin) / step) * step - begin; time <= scale.to(); time += step)
    marks.push({ x: scale.place(time, width), time, fine: step < 1000 });
  return marks;
}

/** Thin lines at the marks, over the height of a canvas. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  data: ReportData,
  scale: Scale,
  width: number,
  height: number,
): void {
  context.fillStyle = colour('grid');
  for (const { x } of marksOn(data, scale, width)) context.fillRect(Math.round(x), 0, 1, height);
}

/** The marks with their times. */
export function drawTimes(
  context: CanvasRenderingContext2D,
  data: ReportData,
  scale: Scale,
  width: number,
  height: number,
): void {
  context.fillStyle = colour('muted');
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  for (const { x, time, fine } of marksOn(data, scale, width)) {
    const text = timeText(data, time, fine);
    const { width: wide } = context.measureText(text);
    if (x + 4 + wide > width) continue;
    context.fillText(text, x + 4, height / 2);
    context.fillRect(Math.round(x), height / 4, 1, height / 2);
  }
}
