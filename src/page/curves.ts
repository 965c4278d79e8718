import type { ReportedCluster } from '../views/report/reportData.ts';
import { drawGrid } from './axis.ts';
import { byId, cleared, element, onceAFrame } from './elements.ts';
import { colour } from './looks.ts';
import { durationText, type Model } from './model.ts';
import type { Scale } from './scale.ts';

/** How many clusters are drawn until somebody asks for all. */
const SOME = 8;

/** The ready replicas of clusters over time, and what there is room for; those that change most first. */
export function showCurves({ data }: Model, scale: Scale): () => void {
  const place = byId('curves');
  const byChange = [...data.clusters].sort((a, b) => changeOf(b) - changeOf(a) || b.ready[0]! - a.ready[0]!);
  const drawn: (() => void)[] = [];
  const highest = Math.max(
    1,
    ...byChange.map(({ ready }) => ready.reduce((most, one) => Math.max(most, one), 0)),
  );
  const list = element('ul', { class: 'curves' });
  const add = (some: readonly ReportedCluster[]) => {
    for (const cluster of some) drawn.push(addCurve(list, cluster, highest, scale));
  };
  add(byChange.slice(0, SOME));
  place.replaceChildren(list);
  if (byChange.length > SOME) {
    const more = element('button', { type: 'button' }, `Show all ${byChange.length} clusters`);
    more.addEventListener('click', () => {
      more.remove();
      add(byChange.slice(SOME));
      draw();
    });
    place.append(more);
  }
  const draw = onceAFrame(() => drawn.forEach((one) => one()));
  scale.onChange(draw);
  draw();
  return draw;
}

function changeOf({ ready, placed }: ReportedCluster): number {
  const moved = placed ? Math.abs(placed.after - placed.before) : 0;
  return moved + ready.reduce((sum, one, i) => sum + Math.abs(one - (ready[i - 1] ?? one)), 0);
}

function addCurve(list: HTMLElement, cluster: ReportedCluster, highest: number, scale: Scale): () => void {
  const { name, times, ready, room, placed } = cluster;
  const [first, last] = [ready[0]!, ready.at(-1)!];
  const least = ready.reduce((found, one) => Math.min(found, one), first);
  const at = durationText(times[ready.indexOf(least)]!);
  const words = `${first === last ? `${first} ready replicas` : `${first} ready replicas at the start, ${last} at the end`}${least < Math.min(first, last) ? `, at least ${least} at T+${at}` : ''}`;
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
  return () => drawCurve(canvas, cluster, highest, scale);
}

function drawCurve(
  canvas: HTMLCanvasElement,
  { times, ready, room }: ReportedCluster,
  highest: number,
  scale: Scale,
): void {
  const sheet = cleared(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  drawGrid(context, scale, width, height);
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
