import { byId, element } from './elements.ts';
import { type Lane, type Model, type Row, type Span, spanText } from './model.ts';

/** The panel about one workload: its outcome, and the reason of each of its spans. */
export interface Details {
  show(row: Row): void;
  hide(): void;
  shown(): Row | undefined;
}

/** @param closed called when the panel is closed, to restore the keyboard focus */
export function createDetails(model: Model, closed: () => void): Details {
  const panel = byId('details');
  let row: Row | undefined;
  const hide = () => {
    if (panel.hidden) return;
    panel.hidden = true;
    row = undefined;
    closed();
  };
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
  return {
    hide,
    shown: () => row,
    show(next) {
      row = next;
      panel.replaceChildren(...contentOf(model, next, hide));
      panel.hidden = false;
      panel.scrollTop = 0;
      panel.querySelector<HTMLElement>('h2')?.focus();
    },
  };
}

function contentOf(model: Model, { workload, outcome, lanes }: Row, hide: () => void): Node[] {
  const close = element('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×');
  close.addEventListener('click', hide);
  const { kind, namespace, name, reason, before, after, fewer, dependsOn, certainty } = workload;
  const facts: [string, string][] = [
    ['Outcome', outcome ? `${outcome.text}${reason === '' ? '' : `: ${reason}`}` : ''],
    ['Before', before],
    ['After', after || (outcome ? 'nowhere' : '')],
    ['Replicas down', fewer],
    [
      'Certainty',
      certainty === 'certain' ? '' : `${certainty}, depends on ${dependsOn.join('; ') || 'what is unknown'}`,
    ],
  ];
  const list = element(
    'dl',
    {},
    ...facts.flatMap(([term, text]) =>
      text === '' ? [] : [element('dt', {}, term), element('dd', {}, text)],
    ),
  );
  const whole = lanes.filter((lane) => lane.whole).flatMap(({ spans }) => spans);
  const parts: Pick<Lane, 'label' | 'spans'>[] = lanes.filter((lane) => !lane.whole);
  if (whole.length > 0) parts.unshift({ label: 'Whole workload', spans: whole });
  const sections = parts.map(({ label, spans }) =>
    element(
      'section',
      {},
      element('h3', {}, label),
      element('ol', {}, ...spans.map((span) => spanItem(model, span))),
    ),
  );
  return [
    close,
    element(
      'h2',
      { tabindex: '-1' },
      name,
      ' ',
      element('small', {}, namespace === '' ? kind : `${kind} in ${namespace}`),
    ),
    list,
    ...sections,
  ];
}

function spanItem({ data }: Model, span: Span): HTMLElement {
  const { certainty, reasons } = span;
  return element(
    'li',
    {},
    spanText(data, span),
    ...(certainty === 'certain' ? [] : [' ', element('em', {}, certainty)]),
    ...(reasons.length === 0
      ? []
      : [element('ul', {}, ...reasons.map((reason) => element('li', {}, reason)))]),
  );
}

/** Describes what is under the pointer, next to it. */
interface Tip {
  element: HTMLElement;
  /** @param slack the largest distance of a span, in milliseconds */
  show(event: PointerEvent, lane: Lane | undefined, time: number, slack: number): void;
  hide(): void;
}

export function createTip({ data }: Model): Tip {
  const tip = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
  return {
    element: tip,
    hide: () => void (tip.hidden = true),
    show({ clientX, clientY }, lane, time, slack) {
      const span = lane?.spans.findLast(
        ({ from, to }) => from - slack <= time && (to < 0 || time <= to + slack),
      );
      tip.hidden = !span;
      if (!lane || !span) return;
      tip.textContent = `${lane.whole ? '' : `${lane.label}: `}${spanText(data, span)}`;
      tip.style.left = `${Math.max(8, Math.min(clientX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
      tip.style.top = `${Math.min(clientY + 16, document.documentElement.clientHeight - tip.offsetHeight - 8)}px`;
    },
  };
}
