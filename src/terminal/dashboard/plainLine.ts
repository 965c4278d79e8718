import { listedOn } from './items.ts';
import type { Key } from '../screen/keys.ts';
import { PLAIN_HELP, PLAIN_ITEMS } from './plainPage.ts';
import { reduce } from './reduce.ts';
import { pageShown, type DashboardState, type DashboardView, type Page, type Trail } from './state.ts';

/** The dashboard after a typed line; undefined if it is to end. */
export function obeyed(
  state: DashboardState,
  typed: string,
  view: DashboardView,
): { state: DashboardState; help?: readonly string[] } | undefined {
  const line = typed.trim();
  const [, letter = '', rest = ''] = /^([a-z?]?)\s*(.*)$/su.exec(line) ?? [];
  const press = (before: DashboardState, ...keys: Key[]) =>
    keys.reduce((now, key) => reduce(now, key, view).state, before);
  const letters = (text: string): Key[] => [...text].map((one) => ({ text: one }));
  const chosen = /^\d+$/.test(rest) ? Number(rest) : undefined;
  if (line === '') return { state };
  if (line.startsWith(':')) return { state: press(state, ...letters(line), { name: 'enter' }) };
  if (line.startsWith('/')) {
    const opened = press(state, { text: '/' }, { name: 'clearLine' }, ...letters(line.slice(1)));
    return { state: press(opened, { name: 'enter' }) };
  }
  if (letter === '' && chosen !== undefined) {
    const before = choosing(state, chosen, view);
    return { state: before ? press(before, { name: 'enter' }) : { ...state, note: noLine(chosen) } };
  }
  switch (letter) {
    case 'q':
      return undefined;
    case 'b':
      return { state: press(withPage(state, { ...pageShown(state), filter: '' }), { name: 'escape' }) };
    case 'm':
      return { state: more(state, view) };
    case 'y': {
      const before = chosen === undefined ? state : choosing(state, chosen, view);
      return { state: before ? press(before, { text: 'y' }) : { ...state, note: noLine(chosen!) } };
    }
    case 'n':
      return { state: { ...state, namespace: rest === '' ? undefined : rest } };
    case 's':
      return { state: press(state, ...letters(rest.slice(0, 1))) };
    case 'e':
    case 'c':
      return { state: press(state, { text: letter }) };
    default:
      return { state, help: PLAIN_HELP };
  }
}

function noLine(number: number): string {
  return `There is no line ${number}.`;
}

/** The state with the line of this number chosen, from 1; undefined if there is none. */
function choosing(state: DashboardState, number: number, view: DashboardView): DashboardState | undefined {
  const listed = listedOn(state, view);
  if (listed?.items[number - 1] === undefined) return undefined;
  return withPage(state, { ...pageShown(state), line: number - 1, chosen: undefined });
}

function more(state: DashboardState, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const top = page.top + PLAIN_ITEMS;
  const there = listedOn(state, view)?.items.length ?? 0;
  return top < there ? withPage(state, { ...page, top }) : { ...state, note: 'There is no more.' };
}

function withPage(state: DashboardState, page: Page): DashboardState {
  return { ...state, trail: [...state.trail.slice(0, -1), page] as unknown as Trail };
}
