import type { ReportData } from '../views/report/reportData.ts';
import { type Scale, drawGrid, drawTimes } from './axis.ts';
import { byId, clearCanvas, element, oncePerFrame, whilePrinted } from './elements.ts';
import { colour } from './looks.ts';
import { timeText, type ReadinessOverTime, type Model } from './model.ts';

/** The number of clusters drawn until the user requests all. */
const SOME = 8;

/** The ready replicas of clusters over time and their pod capacity; clusters that change most come first. */
export function showCurves({ data, courses }: Model, scale: Scale): () => void {
  const place = byId('curves');
  if (!data.readyKnown) {
    place.replaceChildren(element('p', {}, 'Ready replicas before the end are unknown.'));
    return () => undefined;
  }
  if (courses.every(hasNoReplicas)) {
    place.replaceChildren(element('p', {}, 'There are no replicas to count.'));
    return () => undefined;
  }
  const byChange = courses.toSorted((a, b) => changeOf(b) - changeOf(a) || atStart(b) - atStart(a));
  const curves: Curve[] = [];
  const highest = Math.max(
    1,
    ...byChange.map(({ steps }) => steps.reduce((most, { ready }) => Math.max(most, ready), 0)),
  );
  const list = element('ul', { class: 'curves' });
  const add = (some: readonly ReadinessOverTime[]) => {
    for (const cluster of some) curves.push(addCurve(list, data, cluster, highest, scale));
  };
  add(byChange.slice(0, SOME));
  const times = element('canvas', { class: 'times', 'aria-hidden': 'true' });
  const drawScale = () => {
    const sheet = clearCanvas(times);
    if (sheet) drawTimes(sheet.context, data, scale, sheet.width, sheet.height);
  };
  place.replaceChildren(element('div', { class: 'curve-times' }, times), list);
  if (byChange.length > SOME) {
    const more = element('button', { type: 'button' }, `Show all ${byChange.length} clusters`);
    more.addEventListener('click', () => {
      more.remove();
      add(byChange.slice(SOME));
      draw();
    });
    place.append(more);
  }
  const draw = oncePerFrame(() => {
    drawScale();
    drawStale(curves.filter(({ canvas }, i) => i < SOME || isNear(canvas)));
  });
  const redraw = () => {
    for (const curve of curves) curve.stale = true;
    draw();
  };
  scale.onChange(redraw);
  window.addEventListener('scroll', draw, { passive: true });
  whilePrinted(() => {
    for (const curve of curves) curve.stale = true;
    drawScale();
    drawStale(curves);
  }, redraw);
  redraw();
  return redraw;
}

/** A curve is redrawn once it scrolls into view: there may be hundreds. */
interface Curve {
  canvas: HTMLCanvasElement;
  stale: boolean;
  draw(): void;
}

function drawStale(curves: readonly Curve[]): void {
  for (const curve of curves)
    if (curve.stale) {
      curve.stale = false;
      curve.draw();
    }
}

function isNear(canvas: HTMLCanvasElement): boolean {
  const { top, bottom } = canvas.getBoundingClientRect();
  return bottom > -window.innerHeight && top < 2 * window.innerHeight;
}

function hasNoReplicas({ steps, placed }: ReadinessOverTime): boolean {
  return steps.every(({ ready }) => ready === 0) && (placed?.before ?? 0) === 0 && (placed?.after ?? 0) === 0;
}

function atStart({ steps }: ReadinessOverTime): number {
  return steps[0].ready;
}

function changeOf({ steps, placed }: ReadinessOverTime): number {
  const moved = placed ? Math.abs(placed.after - placed.before) : 0;
  return (
    moved + steps.reduce((sum, { ready }, i) => sum + Math.abs(ready - (steps[i - 1]?.ready ?? ready)), 0)
  );
}

function addCurve(
  list: HTMLElement,
  data: ReportData,
  cluster: ReadinessOverTime,
  highest: number,
  scale: Scale,
): Curve {
  const { name, steps, capacity, placed } = cluster;
  const [first, last] = [atStart(cluster), (steps.at(-1) ?? steps[0]).ready];
  const { ready: least, time } = steps.reduce((found, one) => (one.ready < found.ready ? one : found));
  const at = timeText(data, time);
  const words = `${first === last ? `${first} ready replicas` : `${first} ready replicas at the start, ${last} at the end`}${least < Math.min(first, last) ? `, at least ${least} at ${at}` : ''}`;
  const canvas = element('canvas', { role: 'img', 'aria-label': `${name}: ${words}` });
  const arrow = (before: number, after: number) =>
    before === after ? String(after) : `${before} → ${after}`;
  const more = [
    ...(placed ? [`ready ${arrow(first, last)}`] : []),
    ...(capacity === undefined ? [] : [`capacity ${capacity}`]),
  ].join(', ');
  const numbers = placed ? `${arrow(placed.before, placed.after)} placed ` : `${arrow(first, last)} ready `;
  const figures = element('span', { class: 'figures' }, numbers, element('small', {}, more));
  list.append(element('li', {}, element('span', { class: 'cluster' }, name), canvas, figures));
  return { canvas, stale: true, draw: () => drawCurve(canvas, data, cluster, highest, scale) };
}

function drawCurve(
  canvas: HTMLCanvasElement,
  data: ReportData,
  { steps, capacity }: ReadinessOverTime,
  highest: number,
  scale: Scale,
): void {
  const sheet = clearCanvas(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  drawGrid(context, data, scale, width, height);
  const top = Math.max(highest, 1) * 1.08;
  const y = (value: number) => height - (value / top) * height;
  context.beginPath();
  context.moveTo(0, height);
  for (const [i, { time, ready }] of steps.entries()) {
    const x = Math.max(0, scale.place(time, width));
    if (x > width) break;
    const after = steps[i + 1];
    const next = after ? scale.place(after.time, width) : width;
    if (next < 0) continue;
    context.lineTo(x, y(ready));
    context.lineTo(Math.min(next, width), y(ready));
  }
  context.lineTo(width, height);
  context.closePath();
  context.globalAlpha = 0.25;
  context.fillStyle = colour('ready');
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour('ready');
  context.lineWidth = 1.5;
  context.stroke();
  if (capacity === undefined || capacity > top) return;
  context.setLineDash([5, 4]);
  context.strokeStyle = colour('muted');
  context.beginPath();
  context.moveTo(0, y(capacity));
  context.lineTo(width, y(capacity));
  context.stroke();
  context.setLineDash([]);
}
