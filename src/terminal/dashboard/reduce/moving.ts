import { chosenAt, listedOn, type Listed } from '../items.ts';
import type { KeyName } from '../../screen/keys.ts';
import { listRoom, pageLength, textRoom, windowOf } from '../room.ts';
import { pageShown, type DashboardState, type DashboardView, type Page, type Trail } from '../state.ts';

/** The same trail with another page at its end. */
export function withPage(state: DashboardState, page: Page): DashboardState {
  return { ...state, trail: [...state.trail.slice(0, -1), page] as unknown as Trail };
}

/** By how many lines a key moves; undefined if it does not. */
export function linesOf(name: KeyName, view: DashboardView): number | undefined {
  switch (name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageUp':
      return -pageLength(view);
    case 'pageDown':
      return pageLength(view);
    case 'home':
      return -Infinity;
    case 'end':
      return Infinity;
    default:
      return undefined;
  }
}

/** Moves the chosen line of a list, or the lines of a text. */
export function moved(state: DashboardState, by: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  const last = listed ? listed.items.length - 1 : textRoom(state, view);
  const from = listed ? chosenAt(listed, page) : Math.min(page.line, last);
  const line = Math.max(0, Math.min(last, from + by));
  const top = listed ? windowOf(page.top, line, listed.items.length, listRoom(view)) : line;
  return withPage(state, { ...page, line, top, chosen: listed && keyAt(listed, line) });
}

/** The list with this line chosen. */
export function toLine(state: DashboardState, line: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  if (!listed) return state;
  const top = windowOf(page.top, line, listed.items.length, listRoom(view));
  return withPage(state, { ...page, line, top, chosen: keyAt(listed, line) });
}

/** The item that keys act on; undefined if the list is empty. */
export function itemChosen(listed: Listed, state: DashboardState): unknown {
  return listed.items[chosenAt(listed, pageShown(state))];
}

/** Sorts by the column with this number, from 1; 0: in the first order. */
export function sorted(state: DashboardState, number: number, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const listed = listedOn(state, view);
  if (!listed) return state;
  if (number === 0) return withPage(state, { ...page, sort: undefined });
  const column = number - 1;
  if (!listed.list.columns[column]) return { ...state, note: `There is no column ${number}.` };
  const again = page.sort?.column === column;
  return withPage(state, { ...page, sort: { column, backwards: again && !page.sort!.backwards } });
}

function keyAt({ list, items }: Listed, line: number): string | undefined {
  const item = items[line];
  return item === undefined ? undefined : list.key(item);
}
