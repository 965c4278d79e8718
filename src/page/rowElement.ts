import type { Order } from './choice.ts';
import { element } from './elements.ts';
import { spanText, type Lane, type Model, type Row } from './model.ts';
import { drawnLanes, LANE } from './rowHeights.ts';

/**
 * A row of the table, for eyes and for screen readers, which hear in words what its bars show.
 *
 * @param i its place in the table
 * @param lanesTop pixels from its top to its first lane
 */
export function rowElement(
  { data }: Model,
  columns: readonly Order[],
  row: Row,
  i: number,
  lanesTop: number,
): HTMLElement {
  const { workload, lanes } = row;
  const { kind, namespace, name, outcome, fewer, after } = workload;
  const { text: what = '', tone = 'plain' } = outcome === undefined ? {} : data.outcomes[outcome]!;
  const cell = (kindOf: string, ...children: (Node | string)[]) =>
    element('div', { role: 'gridcell', class: `cell ${kindOf}` }, ...children);
  const shown = drawnLanes(row);
  const labels = shown.map((lane, at) => {
    const label = element('span', { class: 'lane', 'aria-hidden': 'true' }, lane.label);
    label.style.top = `${lanesTop + at * LANE}px`;
    return label;
  });
  const laneText = ({ cluster, label, spans }: Lane) =>
    `${cluster < 0 ? 'The workload' : label}: ${spans.map((at) => spanText(data, at)).join(', then ')}`;
  const left = lanes.length - shown.length;
  const mark = { bad: '✕ ', warn: '! ', plain: '' }[tone];
  const cells: Record<Order, () => HTMLElement> = {
    outcome: () =>
      cell(
        'outcome',
        element('span', { class: `tone-${tone}` }, `${mark}${what}`),
        element('small', {}, after || (outcome === undefined ? '' : 'nowhere')),
      ),
    name: () =>
      cell(
        'name',
        element('b', {}, name),
        element('small', {}, namespace === '' ? kind : `${kind} in ${namespace}`),
        ...(left > 0 ? [element('small', {}, `${left} more lanes in why`)] : []),
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
