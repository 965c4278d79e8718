import type { ReportData, ReportedCluster } from '../views/report/reportData.ts';
import { type Scale, drawGrid, drawTimes } from './axis.ts';
import { byId, cleared, element, onceAFrame, whilePrinted } from './elements.ts';
import { colour } from './looks.ts';
import { timeText, type Model } from './model.ts';

/** How many clusters are drawn until somebody asks for all. */
const SOME = 8;

/** The ready replicas of clusters over time, and what there is room for; those that change most first. */
export function showCurves({ data }: Model, scale: Scale): () => void {
  const place = byId('curves');
  if (!data.readyKnown) {
    place.replaceChildren(element('p', {}, 'How many replicas were ready before the end is not known.'));
    return () => undefined;
  }
  if (data.clusters.every(hasNoReplicas)) {
    place.replaceChildren(element('p', {}, 'There are no replicas to count.'));
    return () => undefined;
  }
  const byChange = [...data.clusters].sort((a, b) => changeOf(b) - changeOf(a) || b.ready[0]! - a.ready[0]!);
  const curves: Curve[] = [];
  const highest = Math.max(
    1,
    ...byChange.map(({ ready }) => ready.reduce((most, one) => Math.max(most, one), 0)),
  );
  const list = element('ul', { class: 'curves' });
  const add = (some: readonly ReportedCluster[]) => {
    for (const cluster of some) curves.push(addCurve(list, data, cluster, highest, scale));
  };
  add(byChange.slice(0, SOME));
  const times = element('canvas', { class: 'times', 'aria-hidden': 'true' });
  const drawScale = () => {
    const sheet = cleared(times);
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
  const draw = onceAFrame(() => {
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

/** A curve is redrawn once it comes into sight: there may be hundreds. */
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

function hasNoReplicas({ ready, placed }: ReportedCluster): boolean {
  return ready.every((one) => one === 0) && (placed?.before ?? 0) === 0 && (placed?.after ?? 0) === 0;
}

function changeOf({ ready, placed }: ReportedCluster): number {
  const moved = placed ? Math.abs(placed.after - placed.before) : 0;
  return moved + ready.reduce((sum, one, i) => sum + Math.abs(one - (ready[i - 1] ?? one)), 0);
}

function addCurve(
  list: HTMLElement,
  data: ReportData,
  cluster: ReportedCluster,
  highest: number,
  scale: Scale,
): Curve {
  const { name, times, ready, room, placed } = cluster;
  const [first, last] = [ready[0]!, ready.at(-1)!];
  const least = ready.reduce((found, one) => Math.min(found, one), first);
  const at = timeText(data, times[ready.indexOf(least)]!);
  const words = `${first === last ? `${first} ready replicas` : `${first} ready replicas at the start, ${last} at the end`}${least < Math.min(first, last) ? `, at least ${least} at ${at}` : ''}`;
  const canvas = element('canvas', { role: 'img', 'aria-label': `${name}: ${words}` });
  const arrow = (before: number, after: number) =>
    before === after ? String(after) : `${before} → ${after}`;
  const more = [
    ...(placed ? [`ready ${arrow(first, last)}`] : []),
    ...(room === undefined ? [] : [`room ${room}`]),
  ].join(', ');
  const numbers = placed ? `${arrow(placed.before, placed.after)} placed ` : `${arrow(first, last)} ready `;
  const figures = element('span', { class: 'figures' }, numbers, element('small', {}, more));
  list.append(element('li', {}, element('span', { class: 'cluster' }, name), canvas, figures));
  return { canvas, stale: true, draw: () => drawCurve(canvas, data, cluster, highest, scale) };
}

function drawCurve(
  canvas: HTMLCanvasElement,
  data: ReportData,
  { times, ready, room }: ReportedCluster,
  highest: number,
  scale: Scale,
): void {
  const sheet = cleared(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  drawGrid(context, data, scale, width, height);
  const top = Math.max(highest, 1) * 1.08;
  const y = (value: number) => height - (value / top) * height;
  context.beginPath();
  context.moveTo(0, height);
  for (const [i, time] of times.entries()) {
    const x = Math.max(0, scale.place(time, width));
    if (x > width) break;
    const next = i + 1 < times.length ? scale.place(times[i + 1]!, width) : width;
    if (next < 0) continue;
    context.lineTo(x, y(ready[i]!));
    context.lineTo(Math.min(next, width), y(ready[i]!));
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
  if (room === undefined || room > top) return;
  context.setLineDash([5, 4]);
  context.strokeStyle = colour('muted');
  context.beginPath();
  context.moveTo(0, y(room));
  context.lineTo(width, y(room));
  context.stroke();
  context.setLineDash([]);
}
