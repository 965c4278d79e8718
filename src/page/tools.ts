import type { Choice } from './choice.ts';
import { byId, element, whilePrinted } from './elements.ts';
import { createPen } from './looks.ts';
import { timeText, type Model } from './model.ts';
import type { Scale } from './axis.ts';

/** The tools above the workloads: filters, order, zoom, and the legend. */
export function showTools(
  model: Model,
  scale: Scale,
  choice: Choice,
  changed: () => void,
): { redraw(): void; count(listed: number): void } {
  const { outcomes, phases } = model.data;
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'name, namespace, kind, cluster',
    autocomplete: 'off',
  });
  search.addEventListener('input', () => {
    choice.text = search.value;
    changed();
  });
  const select = element('select', { id: 'of' }, ...optionsOf(model));
  select.value = choice.of;
  select.addEventListener('change', () => {
    choice.of = select.value;
    changed();
  });
  const shown = element('output', { id: 'shown' });
  const zone = model.data.byClock ? ' UTC' : '';
  const isInstant = model.data.length === 0;
  const reportShown = () => {
    const [from, to] = [scale.from(), scale.to()].map((time) => timeText(model.data, time));
    shown.textContent = isInstant ? `At ${from}${zone}` : `${from} to ${to}${zone}`;
  };
  scale.onChange(reportShown);
  reportShown();
  const listed = element('output', { 'aria-live': 'polite' });
  const button = (text: string, label: string, act: () => void) => {
    const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', act);
    return made;
  };
  const zoom = element(
    'span',
    { class: 'zoom', role: 'group', 'aria-label': 'Time shown' },
    button('−', 'Show more time', () => scale.zoom(2)),
    button('+', 'Show less time', () => scale.zoom(0.5)),
    button('‹', 'Earlier', () => scale.pan(-0.3)),
    button('›', 'Later', () => scale.pan(0.3)),
    button('Whole time', 'Show the whole time', () => scale.show(0, scale.length)),
  );
  zoom.hidden = isInstant;
  const used = new Set(model.data.spans.phase);
  const samples = phases.flatMap(({ name, text }, i) => {
    if (!used.has(i)) return [];
    const canvas = element('canvas', { 'aria-hidden': 'true', width: '56', height: '28' });
    return [{ name, canvas, item: element('li', {}, canvas, text) }];
  });
  const tools = byId('tools');
  tools.replaceChildren(
    element('p', { class: 'row-tools' }, label('Find', search), label('Show', select), zoom, shown, listed),
    element('ul', { class: 'legend', 'aria-label': 'Legend' }, ...samples.map(({ item }) => item)),
  );
  tools.hidden = false;
  const redraw = () => {
    const pen = createPen();
    for (const { name, canvas } of samples) {
      const context = canvas.getContext('2d')!;
      context.setTransform(2, 0, 0, 2, 0, 0);
      context.clearRect(0, 0, 28, 14);
      pen.bar(context, name, { x: 0, y: 2, width: 28, height: 10 });
    }
  };
  redraw();
  whilePrinted(redraw, redraw);
  const total = model.rows.length;
  return {
    redraw,
    count: (count) =>
      void (listed.textContent = `${count.toLocaleString('en')} of ${total.toLocaleString('en')} workloads`),
  };

  function optionsOf({ rows }: Model): HTMLOptionElement[] {
    const eventful = rows.filter((row) => row.eventful).length;
    return [
      element(
        'option',
        { value: 'eventful' },
        `to which something happens (${eventful.toLocaleString('en')})`,
      ),
      element('option', { value: 'all' }, `all (${rows.length.toLocaleString('en')})`),
      ...outcomes.flatMap(({ text }, i) => {
        const count = rows.filter(({ workload }) => workload.outcome === i).length;
        return count > 0
          ? [element('option', { value: String(i) }, `${text} (${count.toLocaleString('en')})`)]
          : [];
      }),
    ];
  }
}

function label(text: string, field: HTMLElement): HTMLElement {
  return element('label', {}, `${text} `, field);
}
