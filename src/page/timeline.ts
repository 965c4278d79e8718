import { drawGrid, drawTimes } from './axis.ts';
import { chosen, ORDERS, type Choice, type Order } from './choice.ts';
import type { Details } from './details.ts';
import { byId, cleared, element, onceAFrame } from './elements.ts';
import { colour, createPen } from './looks.ts';
import { spanText, type Lane, type Model, type Row } from './model.ts';
import { showOverview } from './overview.ts';
import type { Scale } from './scale.ts';

/** Pixels: a lane, its bar, what is above and below the lanes of a row, the line with the name on a narrow page. */
const LANE = 18;
const BAR = 11;
const PADDING = 7;
const HEAD = 44;
/** The most lanes of a workload that are drawn; its details have all. */
const LANES = 6;
/** How many rows exist above and below the visible ones. */
const BEYOND = 3;
/** How many rows are printed on paper. */
const PRINTED = 60;
const NARROW = '(max-width: 819px)';
const MIDDLE = '(max-width: 1199px)';
/** Pixels of the columns on a wide page and on one in between, and of the names of clusters before the bars. */
const COLUMNS: Readonly<Record<Order, readonly [wide: number, between: number]>> = {
  outcome: [160, 148],
  name: [184, 168],
  fewer: [112, 80],
  first: [124, 112],
};
const NARROW_LABELS = 112;
/** The columns on a narrow page, where bars stand below. */
const NARROW_COLUMNS: Readonly<Record<Order, string>> = {
  outcome: '134px',
  name: 'minmax(0, 1fr)',
  fewer: '86px',
  first: '',
};

export interface Timeline {
  /** Lists the workloads of the choice anew; returns how many there are. */
  list(): number;
  redraw(): void;
  focus(): void;
}

/**
 * The workloads with their bars: a table of which only the visible rows exist, over a canvas with their bars. It is as
 * smooth with twenty thousand workloads as with twenty.
 */
export function showTimeline(
  model: Model,
  scale: Scale,
  choice: Choice,
  details: () => Details,
  resorted: () => void,
): Timeline {
  const { data } = model;
  const grid = element('div', {
    role: 'grid',
    'aria-label': 'Workloads',
    tabindex: '0',
    id: 'grid',
  });
  const canvas = element('canvas', { class: 'bars', 'aria-hidden': 'true' });
  const body = element('div', { role: 'rowgroup', class: 'rows' });
  const times = element('canvas', { class: 'times', 'aria-hidden': 'true' });
  const overview = element('canvas', { class: 'overview' });
  const caption = element('span', { class: 'caption' });
  const tip = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
  // columns that would stay empty are left out
  const columns = (Object.keys(ORDERS) as Order[]).filter(
    (order) =>
      (order !== 'outcome' || data.outcomes.length > 0) &&
      (order !== 'fewer' || model.rows.some(({ workload }) => workload.fewer !== '')),
  );
  grid.setAttribute('aria-colcount', String(columns.length));
  const heads = columns.map((order) => columnHead(order));
  const head = element(
    'div',
    { role: 'row', class: 'head', 'aria-rowindex': '1' },
    ...heads.map(({ cell }) => cell),
  );
  // The table itself scrolls, beneath its head: keyboards reach it, and the head stays.
  grid.append(element('div', { role: 'rowgroup', class: 'head-group' }, head), canvas, body);
  const place = byId('timeline');
  place.replaceChildren(
    element(
      'p',
      { class: 'hint' },
      'Drag over the strip to zoom in. In the table: arrows choose a workload, Enter says why, + and − zoom, left and right move, 0 shows the whole time.',
    ),
    element('div', { class: 'strip' }, caption, overview),
    times,
    grid,
    tip,
  );
  place.hidden = false;

  const narrowly = window.matchMedia(NARROW);
  const middling = window.matchMedia(MIDDLE);
  let rows: Row[] = [];
  let tops = new Float64Array(1);
  let active = 0;
  const existing = new Map<number, HTMLElement>();
  let pen = createPen();
  const drawOverview = showOverview(overview, caption, model, scale);
  const draw = onceAFrame(render);

  function columnHead(order: Order) {
    const button = element('button', { type: 'button' }, ORDERS[order]);
    const cell = element('div', { role: 'columnheader', class: `cell ${order}` }, button);
    button.addEventListener('click', () => {
      choice.reversed = choice.by === order && !choice.reversed;
      choice.by = order;
      resorted();
    });
    return { order, cell };
  }

  const isNarrow = () => narrowly.matches;
  const widthOf = (order: Order) => COLUMNS[order][middling.matches ? 1 : 0];
  const labelWidth = () =>
    isNarrow() ? NARROW_LABELS : columns.reduce((sum, order) => sum + widthOf(order), 0);
  const plotWidth = () => Math.max(40, grid.clientWidth - labelWidth());
  const lanesOf = ({ lanes }: Row) => lanes.slice(0, LANES);
  /** The height of the visible rows. */
  const viewHeight = () => Math.max(0, grid.clientHeight - head.offsetHeight);
  /** How far below the first row a pointer is. */
  const heightAt = (event: MouseEvent) =>
    event.clientY - grid.getBoundingClientRect().top - head.offsetHeight + grid.scrollTop;
  const heightOf = (row: Row) => {
    const lanes = lanesOf(row).length * LANE + 2 * PADDING;
    return isNarrow() ? HEAD + lanes : Math.max(lanes, HEAD + 4);
  };
  const lanesTop = () => PADDING + (isNarrow() ? HEAD : 0);

  function list(): number {
    const kept = rows[active];
    rows = chosen(model, choice);
    active = Math.max(0, kept ? rows.indexOf(kept) : 0);
    layOut();
    grid.setAttribute('aria-rowcount', String(rows.length + 1));
    for (const { order, cell } of heads) {
      if (choice.by === order) cell.setAttribute('aria-sort', choice.reversed ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    grid.scrollTop = 0;
    return rows.length;
  }

  function layOut(): void {
    const widths = columns
      .filter((order) => order !== 'first')
      .map((order) => (isNarrow() ? NARROW_COLUMNS[order] : `${widthOf(order)}px`));
    place.style.setProperty('--columns', `${widths.join(' ')}${isNarrow() ? '' : ' 1fr'}`);
    place.style.setProperty('--labels', `${labelWidth()}px`);
    place.style.setProperty('--lane', `${isNarrow() ? NARROW_LABELS : widthOf('first')}px`);
    tops = new Float64Array(rows.length + 1);
    rows.forEach((row, i) => (tops[i + 1] = tops[i]! + heightOf(row)));
    body.style.height = `${tops[rows.length]!}px`;
    for (const one of existing.values()) one.remove();
    existing.clear();
    draw();
  }

  /** The row at a height, by binary search. */
  function rowAt(y: number): number {
    let [low, high] = [0, rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (tops[middle]! <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function render(): void {
    const { scrollTop } = grid;
    const clientHeight = viewHeight();
    canvas.style.height = `${clientHeight}px`;
    canvas.style.marginBottom = `-${clientHeight}px`;
    const first = Math.max(0, rowAt(scrollTop) - BEYOND);
    const last = Math.min(rows.length - 1, rowAt(scrollTop + clientHeight) + BEYOND);
    for (const [i, one] of existing)
      if (i < first || i > last) {
        one.remove();
        existing.delete(i);
      }
    for (let i = first; i <= last; i++) if (!existing.has(i)) existing.set(i, addRow(i));
    for (const [i, one] of existing) one.setAttribute('aria-selected', String(i === active));
    if (existing.has(active)) grid.setAttribute('aria-activedescendant', `row-${active}`);
    else grid.removeAttribute('aria-activedescendant');
    drawBars(first, last, scrollTop);
    const sheet = cleared(times);
    if (!sheet) return;
    sheet.context.translate(labelWidth(), 0);
    drawTimes(sheet.context, data, scale, plotWidth(), sheet.height);
  }

  function addRow(i: number): HTMLElement {
    const row = rows[i]!;
    const { workload, lanes } = row;
    const { kind, namespace, name, outcome, fewer, after } = workload;
    const { text: what = '', tone = 'plain' } = outcome === undefined ? {} : data.outcomes[outcome]!;
    const cell = (kindOf: string, ...children: (Node | string)[]) =>
      element('div', { role: 'gridcell', class: `cell ${kindOf}` }, ...children);
    const shown = lanesOf(row);
    const labels = shown.map((lane, at) => {
      const label = element('span', { class: 'lane', 'aria-hidden': 'true' }, lane.label);
      label.style.top = `${lanesTop() + at * LANE}px`;
      return label;
    });
    const left = lanes.length - shown.length;
    const cells: Record<Order, () => HTMLElement> = {
      outcome: () =>
        cell(
          'outcome',
          element(
            'span',
            { class: `tone-${tone}` },
            `${tone === 'bad' ? '✕ ' : tone === 'warn' ? '! ' : ''}${what}`,
          ),
          element('small', {}, after || (outcome === undefined ? '' : 'nowhere')),
        ),
      name: () =>
        cell(
          'name',
          element('b', {}, name),
          element('small', {}, namespace === '' ? kind : `${kind} in ${namespace}`),
        ),
      fewer: () => cell('fewer', fewer),
      first: () =>
        cell(
          'first',
          ...labels,
          element('span', { class: 'read' }, shown.map((lane) => laneText(lane)).join('. ')),
        ),
    };
    const made = element(
      'div',
      { role: 'row', class: 'row', id: `row-${i}`, 'aria-rowindex': String(i + 2) },
      ...columns.map((order) => cells[order]()),
    );
    if (left > 0) made.querySelector('.name')?.append(element('small', {}, `${left} more lanes in why`));
    made.style.top = `${tops[i]!}px`;
    made.style.height = `${tops[i + 1]! - tops[i]!}px`;
    body.append(made);
    return made;
  }

  function laneText({ cluster, label, spans }: Lane): string {
    const where = cluster < 0 ? 'The workload' : label;
    return `${where}: ${spans.map((at) => spanText(data, at)).join(', then ')}`;
  }

  function drawBars(first: number, last: number, scrollTop: number): void {
    const sheet = cleared(canvas);
    if (!sheet) return;
    const { context, height } = sheet;
    const width = plotWidth();
    context.save();
    context.translate(labelWidth(), 0);
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    drawGrid(context, data, scale, width, height);
    for (let i = first; i <= last; i++) {
      const top = tops[i]! - scrollTop;
      context.fillStyle = colour('grid');
      context.fillRect(0, Math.round(top), width, 1);
      lanesOf(rows[i]!).forEach((lane, at) => drawLane(context, lane, top + lanesTop() + at * LANE, width));
    }
    context.restore();
  }

  /** A span narrower than a pixel fills one; of several in one pixel only one is drawn. */
  function drawLane(context: CanvasRenderingContext2D, { spans }: Lane, y: number, width: number): void {
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

  function choose(i: number): void {
    active = Math.min(Math.max(i, 0), rows.length - 1);
    const [top = 0, end = 0] = [tops[active], tops[active + 1]];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (end > grid.scrollTop + viewHeight()) grid.scrollTop = end - viewHeight();
    if (details().shown() && rows[active]) details().show(rows[active]!);
    draw();
  }

  const page = () => Math.max(1, rowAt(grid.scrollTop + viewHeight()) - rowAt(grid.scrollTop) - 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => choose(active + 1),
    ArrowUp: () => choose(active - 1),
    PageDown: () => choose(active + page()),
    PageUp: () => choose(active - page()),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
    ArrowLeft: () => scale.pan(-0.2),
    ArrowRight: () => scale.pan(0.2),
    '+': () => scale.zoom(0.5),
    '=': () => scale.zoom(0.5),
    '-': () => scale.zoom(2),
    '0': () => scale.show(0, scale.length),
    Enter: () => rows[active] && details().show(rows[active]!),
    ' ': () => rows[active] && details().show(rows[active]!),
    Escape: () => details().hide(),
  };
  grid.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  body.addEventListener('click', (event) => {
    const i = rowAt(heightAt(event));
    if (!rows[i]) return;
    grid.focus({ preventScroll: true });
    choose(i);
    details().show(rows[i]!);
  });
  grid.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      scale.zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
    },
    { passive: false },
  );
  grid.addEventListener('scroll', draw, { passive: true });
  grid.addEventListener('pointermove', (event) => showTip(event));
  grid.addEventListener('pointerleave', () => void (tip.hidden = true));

  function timeAt(event: MouseEvent): number {
    const x = event.clientX - grid.getBoundingClientRect().left - labelWidth();
    return scale.from() + (x / plotWidth()) * (scale.to() - scale.from());
  }

  /** Shows what is under the pointer. */
  function showTip(event: PointerEvent): void {
    const y = heightAt(event);
    const i = rowAt(y);
    const lane = rows[i] && lanesOf(rows[i]!)[Math.floor((y - tops[i]! - lanesTop()) / LANE)];
    const time = timeAt(event);
    const slack = (scale.to() - scale.from()) / plotWidth();
    const at = lane?.spans.findLast((one) => {
      const to = data.spans.to[one]!;
      return data.spans.from[one]! - slack <= time && (to < 0 || time <= to + slack);
    });
    tip.hidden = at === undefined || time < scale.from();
    if (at === undefined) return;
    tip.textContent = `${lane!.cluster < 0 ? '' : `${lane!.label}: `}${spanText(data, at)}`;
    tip.style.left = `${Math.min(event.clientX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 16}px`;
  }

  let laidOutFor = labelWidth();
  new ResizeObserver(() => {
    if (laidOutFor !== labelWidth()) {
      laidOutFor = labelWidth();
      layOut();
    }
    draw();
    drawOverview();
  }).observe(grid);
  window.addEventListener('beforeprint', () => {
    grid.style.height = `${tops[Math.min(rows.length, PRINTED)]! + head.offsetHeight + 2}px`;
    grid.style.maxHeight = 'none';
    pen = createPen();
    render();
  });
  window.addEventListener('afterprint', () => {
    grid.style.height = grid.style.maxHeight = '';
    pen = createPen();
    draw();
  });
  scale.onChange(draw);
  return {
    list,
    focus: () => grid.focus({ preventScroll: true }),
    redraw() {
      pen = createPen();
      draw();
      drawOverview();
    },
  };
}
