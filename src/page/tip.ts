import { element } from './elements.ts';
import { spanText, type Lane, type Model } from './model.ts';

/** What is under the pointer, in words beside it. */
export interface Tip {
  element: HTMLElement;
  /** @param slack milliseconds that a span may be away */
  show(event: PointerEvent, lane: Lane | undefined, time: number, slack: number): void;
  hide(): void;
}

export function createTip({ data }: Model): Tip {
  const tip = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
  return {
    element: tip,
    hide: () => void (tip.hidden = true),
    show({ clientX, clientY }, lane, time, slack) {
      const at = lane?.spans.findLast((one) => {
        const to = data.spans.to[one]!;
        return data.spans.from[one]! - slack <= time && (to < 0 || time <= to + slack);
      });
      tip.hidden = at === undefined;
      if (at === undefined) return;
      tip.textContent = `${lane!.cluster < 0 ? '' : `${lane!.label}: `}${spanText(data, at)}`;
      tip.style.left = `${Math.max(8, Math.min(clientX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
      tip.style.top = `${Math.min(clientY + 16, document.documentElement.clientHeight - tip.offsetHeight - 8)}px`;
    },
  };
}
