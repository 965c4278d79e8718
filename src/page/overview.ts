import { clearCanvas, oncePerFrame } from './elements.ts';
import { colour } from './looks.ts';
import { timeText, type Model } from './model.ts';
import type { Scale } from './axis.ts';

/** The missing ready replicas of all workloads together, over time. */
function missingCourse({ rows }: Model): { time: number; missing: number }[] {
  const changes = new Map<number, number>();
  const add = (time: number, by: number) => changes.set(time, (changes.get(time) ?? 0) + by);
  for (const { phase, from, to, replicas } of rows.flatMap(({ lanes }) =>
    lanes.flatMap(({ spans }) => spans),
  )) {
    if (phase.name !== 'gap') continue;
    add(from, replicas);
    if (to >= 0) add(to, -replicas);
  }
  let missing = 0;
  const steps = [...changes].sort(([a], [b]) => a - b);
  return [{ time: 0, missing: 0 }, ...steps.map(([time, by]) => ({ time, missing: (missing += by) }))];
}

/**
 * The whole time, with the missing ready replicas of all workloads, and the visible part: dragging selects a range, a
 * double click shows everything. The caption describes it in words.
 */
export function showOverview(
  canvas: HTMLCanvasElement,
  caption: HTMLElement,
  model: Model,
  scale: Scale,
): () => void {
  const course = missingCourse(model);
  const worst = course.reduce((found, one) => (one.missing > found.missing ? one : found));
  const most = worst.missing;
  canvas.setAttribute('role', 'img');
  const words = !model.data.readyKnown
    ? 'Replicas missing at the end; earlier ones are unknown'
    : most === 0
      ? 'No ready replica is missing at any time'
      : `Ready replicas missing: at most ${most.toLocaleString('en')}, at ${timeText(model.data, worst.time)}`;
  canvas.setAttribute('aria-label', words);
  caption.textContent = words;
  let brush: { from: number; to: number } | undefined;
  const timeAt = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * scale.length;
  };
  const draw = oncePerFrame(() => {
    const sheet = clearCanvas(canvas);
    if (!sheet) return;
    const { context, width, height } = sheet;
    const x = (time: number) => (time / scale.length) * width;
    context.fillStyle = colour('gap');
    for (const [i, { time, missing }] of course.entries()) {
      if (missing === 0) continue;
      const high = Math.max(1, (missing / most) * (height - 4));
      const end = course[i + 1]?.time ?? scale.length;
      context.fillRect(x(time), height - high, Math.max(1, x(end) - x(time)), high);
    }
    const [from, to] = brush
      ? [Math.min(brush.from, brush.to), Math.max(brush.from, brush.to)]
      : [scale.from(), scale.to()];
    context.fillStyle = colour('shade');
    context.fillRect(0, 0, x(from), height);
    context.fillRect(x(to), 0, width - x(to), height);
    context.strokeStyle = colour('accent');
    context.strokeRect(x(from) + 0.5, 0.5, Math.max(1, x(to) - x(from) - 1), height - 1);
  });
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    brush = { from: timeAt(event), to: timeAt(event) };
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!brush) return;
    brush.to = timeAt(event);
    draw();
  });
  canvas.addEventListener('pointerup', () => {
    if (!brush) return;
    const { from, to } = brush;
    brush = undefined;
    if (Math.abs(to - from) > scale.length / 200) scale.show(Math.min(from, to), Math.max(from, to));
    draw();
  });
  canvas.addEventListener('dblclick', () => scale.show(0, scale.length));
  scale.onChange(draw);
  draw();
  return draw;
}
