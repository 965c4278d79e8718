import type { KeyName } from './keys.ts';
import { chosenAt, type Listed, type ListPage } from './listed.ts';

/** The first visible line of a list: the same as before, unless the chosen one would not be visible. */
export function windowOf(top: number, chosen: number, count: number, room: number): number {
  const least = Math.max(0, chosen - room + 1);
  const most = Math.max(0, Math.min(chosen, count - room));
  return Math.max(least, Math.min(top, Math.max(most, least)));
}

/** By how many lines a key moves, if a screen is so long; undefined if it does not. */
export function linesBy(name: KeyName, pageLength: number): number | undefined {
  switch (name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageUp':
      return -pageLength;
    case 'pageDown':
      return pageLength;
    case 'home':
      return -Infinity;
    case 'end':
      return Infinity;
    default:
      return undefined;
  }
}

/** The same for a key that was typed as a character, Space included. */
export function linesByText(text: string, pageLength: number): number | undefined {
  const name = MOVES[text];
  return name && linesBy(name, pageLength);
}

const MOVES: Readonly<Record<string, KeyName>> = { j: 'down', k: 'up', g: 'home', G: 'end', ' ': 'pageDown' };

/** The page with another line of its list chosen, of which so many are visible. */
export function choosing<Page extends ListPage>(
  page: Page,
  listed: Listed,
  line: number,
  room: number,
): Page {
  const { list, items } = listed;
  const top = windowOf(page.top, line, items.length, room);
  const item = items[line];
  return { ...page, line, top, chosen: item === undefined ? undefined : list.key(item) };
}

/** The page of a list, moved by so many lines. */
export function movedInList<Page extends ListPage>(
  page: Page,
  listed: Listed,
  by: number,
  room: number,
): Page {
  const last = listed.items.length - 1;
  return choosing(page, listed, Math.max(0, Math.min(last, chosenAt(listed, page) + by)), room);
}

/** The page of a text, of which the last possible first line is given. */
export function movedInText<Page extends ListPage>(page: Page, last: number, by: number): Page {
  const line = Math.max(0, Math.min(last, Math.min(page.line, last) + by));
  return { ...page, line, top: line, chosen: undefined };
}

/** The page sorted by the column with this number, from 1, again: backwards; 0: in the first order. Undefined: no such column. */
export function sortedBy<Page extends ListPage>(
  page: Page,
  { list }: Listed,
  number: number,
): Page | undefined {
  if (number === 0) return { ...page, sort: undefined };
  const column = number - 1;
  if (!list.columns[column]) return undefined;
  const again = page.sort?.column === column;
  return { ...page, sort: { column, backwards: again && !page.sort!.backwards } };
}
