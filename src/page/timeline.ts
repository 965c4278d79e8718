import { type Scale, drawTimes } from './axis.ts';
import { LANE, createRowHeights, drawBars, drawnLanes, rowElement } from './rows.ts';
import { chosenRows, ROW_ORDERS, type Choice, type Order } from './choice.ts';
import { createColumns } from './columns.ts';
import { type Details, createTip } from './details.ts';
import { byId, clearCanvas, element, isPrinted, oncePerFrame, whilePrinted } from './elements.ts';
import { listenToKeys } from './gridKeys.ts';
import { createPen } from './looks.ts';
import type { Model, Row } from './model.ts';
import { showOverview } from './overview.ts';

/** The number of rows rendered above and below the visible ones. */
const BEYOND = 3;
/** The number of printed rows. */
const PRINTED = 60;

interface Timeline {
  /** Lists the chosen workloads again; returns their number. */
  list(): number;
  redraw(): void;
  focus(): void;
}

/**
 * The workloads with their bars: a table that contains only the visible rows, over a canvas with their bars. Twenty thousand workloads
 * scroll as smoothly as twenty.
 */
export function showTimeline(
  model: Model,
  scale: Scale,
  choice: Choice,
  details: () => Details,
  resorted: () => void,
): Timeline {
  const { data } = model;
  const columns = createColumns(model);
  const heights = createRowHeights(columns);
  const tip = createTip(model);
  const heads = columns.shown.map((order) => columnHead(order));
  const head = element(
    'div',
    { role: 'row', class: 'head', 'aria-rowindex': '1' },
    ...heads.map(({ cell }) => cell),
  );
  const canvas = element('canvas', { class: 'bars', 'aria-hidden': 'true' });
  const body = element('div', { role: 'rowgroup', class: 'rows' });
  const grid = element(
    'div',
    {
      role: 'grid',
      'aria-label': 'Workloads',
      tabindex: '0',
      id: 'grid',
      'aria-colcount': String(columns.shown.length),
    },
    // The table itself scrolls under its head: the keyboard can focus it, and the head stays visible.
    element('div', { role: 'rowgroup', class: 'head-group' }, head),
    canvas,
    body,
  );
  const times = element('canvas', { class: 'times', 'aria-hidden': 'true' });
  const overview = element('canvas', { class: 'overview' });
  overview.hidden = times.hidden = data.length === 0;
  const caption = element('span', { class: 'caption' });
  const place = byId('timeline');
  place.replaceChildren(
    element('p', { class: 'hint' }, hintText(data.length)),
    element('div', { class: 'strip' }, caption, overview),
    times,
    grid,
    tip.element,
  );
  place.hidden = false;

  let rows: Row[] = [];
  let active = 0;
  const existing = new Map<number, HTMLElement>();
  let pen = createPen();
  const drawOverview = showOverview(overview, caption, model, scale);
  const draw = oncePerFrame(render);

  function columnHead(order: Order) {
    const button = element('button', { type: 'button' }, ROW_ORDERS[order]);
    const cell = element('div', { role: 'columnheader', class: `cell ${order}` }, button);
    button.addEventListener('click', () => {
      choice.reversed = choice.by === order && !choice.reversed;
      choice.by = order;
      resorted();
    });
    return { order, cell };
  }

  const plotWidth = () => Math.max(40, grid.clientWidth - columns.labelWidth());
  /** The height of the visible rows. */
  const viewHeight = () => Math.max(0, grid.clientHeight - head.offsetHeight);
  /** The distance of the pointer below the first row. */
  const heightAt = (event: MouseEvent) =>
    event.clientY - grid.getBoundingClientRect().top - head.offsetHeight + grid.scrollTop;
  /** The distance of the pointer from the start of the bars. */
  const placeAt = (event: MouseEvent) =>
    event.clientX - grid.getBoundingClientRect().left - columns.labelWidth();
  const timeAt = (event: MouseEvent) =>
    scale.from() + (placeAt(event) / plotWidth()) * (scale.to() - scale.from());

  function list(): number {
    const kept = rows[active];
    rows = chosenRows(model, choice);
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
    columns.applyTo(place);
    heights.set(rows);
    body.style.height = `${heights.top(rows.length)}px`;
    for (const one of existing.values()) one.remove();
    existing.clear();
    draw();
  }

  /** On paper each row has its own canvas, so that no row is cut at a page break. */
  function renderPaper(): void {
    body.style.height = '';
    for (const [i, row] of rows.slice(0, PRINTED).entries()) {
      const made = addRow(row, i);
      existing.set(i, made);
      const bars = element('canvas', { class: 'own-bars', 'aria-hidden': 'true' });
      made.append(bars);
      const sheet = clearCanvas(bars);
      if (!sheet) continue;
      const placed = { row, top: 0, lanesTop: heights.lanesTop(row) };
      drawBars(sheet.context, model, scale, pen, [placed], sheet);
    }
    renderTimes();
  }

  function render(): void {
    if (isPrinted()) return;
    const { scrollTop } = grid;
    const height = viewHeight();
    canvas.style.height = `${height}px`;
    canvas.style.marginBottom = `-${height}px`;
    const first = Math.max(0, heights.at(scrollTop) - BEYOND);
    const last = Math.min(rows.length - 1, heights.at(scrollTop + height) + BEYOND);
    for (const [i, one] of existing)
      if (i < first || i > last) {
        one.remove();
        existing.delete(i);
      }
    for (const [i, row] of rows.slice(first, last + 1).entries())
      if (!existing.has(first + i)) existing.set(first + i, addRow(row, first + i));
    for (const [i, one] of existing) one.setAttribute('aria-selected', String(i === active));
    if (existing.has(active)) grid.setAttribute('aria-activedescendant', `row-${active}`);
    else grid.removeAttribute('aria-activedescendant');
    const sheet = clearCanvas(canvas);
    if (sheet) {
      const placed = rows.slice(first, last + 1).map((row, i) => {
        const top = heights.top(first + i) - scrollTop;
        return { row, top, lanesTop: top + heights.lanesTop(row) };
      });
      sheet.context.translate(columns.labelWidth(), 0);
      drawBars(sheet.context, model, scale, pen, placed, { width: plotWidth(), height: sheet.height });
    }
    renderTimes();
  }

  function renderTimes(): void {
    const strip = clearCanvas(times);
    if (!strip) return;
    strip.context.translate(columns.labelWidth(), 0);
    drawTimes(strip.context, data, scale, plotWidth(), strip.height);
  }

  function addRow(row: Row, i: number): HTMLElement {
    const made = rowElement(model, columns.shown, row, i, heights.lanesTop(row));
    made.style.top = `${heights.top(i)}px`;
    made.style.height = `${heights.top(i + 1) - heights.top(i)}px`;
    body.append(made);
    return made;
  }

  function choose(i: number): void {
    active = Math.min(Math.max(i, 0), rows.length - 1);
    const [top, end] = [heights.top(active), heights.top(active + 1)];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (end > grid.scrollTop + viewHeight()) grid.scrollTop = end - viewHeight();
    if (details().shown()) explain();
    draw();
  }

  function explain(): void {
    const row = rows[active];
    if (row) details().show(row);
  }

  listenToKeys(grid, scale, {
    move: (by) => choose(active + by),
    page: () => Math.max(1, heights.at(grid.scrollTop + viewHeight()) - heights.at(grid.scrollTop) - 1),
    first: () => choose(0),
    last: () => choose(rows.length - 1),
    explain,
    close: () => details().hide(),
  });
  body.addEventListener('click', (event) => {
    const i = heights.at(heightAt(event));
    if (!rows[i]) return;
    grid.focus({ preventScroll: true });
    choose(i);
    explain();
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
  grid.addEventListener('pointermove', (event) => {
    const y = heightAt(event);
    const i = heights.at(y);
    const row = rows[i];
    const at = row ? Math.floor((y - heights.top(i) - heights.lanesTop(row)) / LANE) : -1;
    const lane = row && placeAt(event) >= 0 ? drawnLanes(row)[at] : undefined;
    tip.show(event, lane, timeAt(event), (scale.to() - scale.from()) / plotWidth());
  });
  grid.addEventListener('pointerleave', tip.hide);

  let laidOutFor = columns.layout();
  new ResizeObserver(() => {
    if (isPrinted()) return;
    if (laidOutFor !== columns.layout()) {
      laidOutFor = columns.layout();
      layOut();
    }
    draw();
    drawOverview();
  }).observe(grid);
  whilePrinted(
    () => {
      layOut();
      grid.scrollTop = 0;
      pen = createPen();
      renderPaper();
    },
    () => {
      pen = createPen();
      layOut();
    },
  );
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

/** The table's controls. @param length milliseconds of the report; at a single instant there is nothing to zoom */
function hintText(length: number): string {
  const rows = 'In the table: arrows choose a workload, Enter says why';
  return length === 0
    ? `${rows}.`
    : `Drag over the strip to zoom in. ${rows}, + and − zoom, left and right move, 0 shows all.`;
}
