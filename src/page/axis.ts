import { ticksOf } from '../views/timeline/ticks.ts';
import { durationText } from './model.ts';
import { colour } from './looks.ts';
import type { Scale } from './scale.ts';

/** Round times on the scale to mark, about `apart` pixels from each other. */
export function marksOn(scale: Scale, width: number, apart = 90): { x: number; time: number }[] {
  const shown = scale.to() - scale.from();
  const steps = ticksOf(shown, Math.max(1, Math.floor(width / apart)));
  const step = (steps[1] ?? shown) || 1;
  const marks = [];
  for (let time = Math.ceil(scale.from() / step) * step; time <= scale.to(); time += step)
    marks.push({ x: scale.place(time, width), time });
  return marks;
}

/** Thin lines at the marks, over the height of a canvas. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  scale: Scale,
  width: number,
  height: number,
): void {
  context.fillStyle = colour('grid');
  for (const { x } of marksOn(scale, width)) context.fillRect(Math.round(x), 0, 1, height);
}

/** The marks with their times. */
export function drawTimes(
  context: CanvasRenderingContext2D,
  scale: Scale,
  width: number,
  height: number,
): void {
  context.fillStyle = colour('muted');
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  for (const { x, time } of marksOn(scale, width)) {
    const text = `T+${durationText(time)}`;
    const { width: wide } = context.measureText(text);
    if (x + 4 + wide > width) continue;
    context.fillText(text, x + 4, height / 2);
    context.fillRect(Math.round(x), height / 4, 1, height / 2);
  }
}
