import type { ScreenList } from '../../views/screen/screenList.ts';
import type { KeyName } from './keys.ts';
import { zip } from '../../kubernetes/nonEmpty.ts';

/** A list of things of any kind. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyScreenList = ScreenList<any, any>;

/** The visible part of a list or a text. */
export interface ListPage {
  /** the selected line of a list; the first visible line of a text */
  line: number;
  /** the first visible line of a list, unless that would hide the selected one */
  top: number;
  /** the key of the selected item: it stays selected if others are inserted before it */
  chosen?: string | undefined;
  filter: string;
  sort?: { column: number; backwards: boolean } | undefined;
}

/** A page in its initial state. */
export const FIRST_PAGE: ListPage = { line: 0, top: 0, filter: '' };

export interface ShownList<L extends AnyScreenList = AnyScreenList> {
  list: L;
  items: readonly unknown[];
  /** the items without the filter, in the original order */
  all: readonly unknown[];
}

/** The position of the selected item: where its key is now, otherwise where it was. */
export function chosenAt({ list, items }: ShownList, { line, chosen }: ListPage): number {
  const last = Math.max(0, items.length - 1);
  if (chosen === undefined) return Math.min(Math.max(0, line), last);
  if (items[line] !== undefined && list.key(items[line]) === chosen) return line;
  const found = items.findIndex((item) => list.key(item) === chosen);
  return found === -1 ? Math.min(Math.max(0, line), last) : found;
}

/** The item that keys act on; undefined if the list is empty. */
export function itemAt(listed: ShownList, page: ListPage): unknown {
  return listed.items[chosenAt(listed, page)];
}

/** A cache of filtered and sorted lists by filter and order; a few for each list, for each state of the input. */
const made = new WeakMap<readonly unknown[], Map<string, readonly unknown[]>>();
const MAX_KEPT = 8;

/** The result of `make` for items, cached by `key` while the items are the same. */
export function cachedItems(
  items: readonly unknown[],
  key: string,
  make: () => readonly unknown[],
): readonly unknown[] {
  let kept = made.get(items);
  if (!kept) made.set(items, (kept = new Map()));
  const known = kept.get(key);
  if (known) return known;
  const result = make();
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest);
  kept.set(key, result);
  return result;
}

/** The items that a page shows, in its order. */
export function shownItems(
  list: AnyScreenList,
  items: readonly unknown[],
  { filter, sort }: ListPage,
  context: unknown,
): readonly unknown[] {
  const filtered =
    filter === ''
      ? items
      : cachedItems(items, `filter ${filter}`, () => {
          const { matches } = filterOf(filter);
          const known = searchedTexts(list, items, context);
          return zip(items, known).flatMap(([item, text]) => (matches(text) ? [item] : []));
        });
  const column = sort && list.columns[sort.column];
  if (!column) return filtered;
  const ordered = cachedItems(filtered, `sort ${sort.column}`, () =>
    filtered
      .map((item) => ({ item, by: column.order(item, context) }))
      // equality is decided at once, the order only past the common prefix
      .sort((a, b) => (a.by === b.by ? 0 : a.by < b.by ? -1 : 1))
      .map(({ item }) => item),
  );
  return sort.backwards ? cachedItems(ordered, 'backwards', () => ordered.toReversed()) : ordered;
}

/** A cache of the texts that filters search, by items. */
const searched = new WeakMap<readonly unknown[], string[]>();

/**
 * The texts that a filter searches, at least those of the first `most` items: building them takes longer than searching
 * them.
 */
function searchedTexts(
  list: AnyScreenList,
  items: readonly unknown[],
  context: unknown,
  most = items.length,
): readonly string[] {
  let made = searched.get(items);
  if (!made) searched.set(items, (made = []));
  for (const item of items.slice(made.length, most)) made.push(list.text(item, context));
  return made;
}

/** Builds a list's filter texts before the user types a filter; each step takes a few milliseconds. */
export function* textsAhead({ list, all }: ShownList, context: unknown): Generator<void> {
  for (let most = AHEAD; searchedTexts(list, all, context, most).length < all.length; most += AHEAD) yield;
}

const AHEAD = 1000;

/** A test for the texts of a list, and the syntax error of its expression, if any. */
interface Filter {
  matches(text: string): boolean;
  problem?: string;
}

/** How much of a text is searched: an expression may be slow on more. */
const LONGEST = 1000;

/**
 * Reads a filter: a regular expression; a leading `!` inverts it; a leading `~` (or `-f `) matches letters in order.
 * Case-insensitive. An invalid regular expression is searched for literally.
 */
export function filterOf(written: string): Filter {
  if (written.startsWith('!')) {
    if (written === '!') return { matches: () => true };
    const { matches, ...rest } = filterOf(written.slice(1));
    return { ...rest, matches: (text) => !matches(text) };
  }
  const [, fuzzy] = /^(?:~|-f )(.*)$/su.exec(written) ?? [];
  if (fuzzy !== undefined) return { matches: inOrder(fuzzy.toLowerCase().replaceAll(' ', '')) };
  try {
    const expression = new RegExp(written, 'iu');
    return { matches: (text) => expression.test(text.slice(0, LONGEST)) };
  } catch {
    const plain = written.toLowerCase();
    return {
      matches: (text) => text.toLowerCase().includes(plain),
      problem: 'no regular expression: searched as plain text',
    };
  }
}

function inOrder(letters: string): (text: string) => boolean {
  return (text) => {
    const lower = text.toLowerCase();
    let at = 0;
    for (const letter of letters) {
      const found = lower.indexOf(letter, at);
      if (found === -1) return false;
      at = found + letter.length;
    }
    return true;
  };
}

/** The first visible line of a list: unchanged, unless that would hide the selected one. */
export function windowOf(top: number, chosen: number, count: number, room: number): number {
  const least = Math.max(0, chosen - room + 1);
  const most = Math.max(0, Math.min(chosen, count - room));
  return Math.max(least, Math.min(top, Math.max(most, least)));
}

/** The number of lines that a key moves, given the screen's height; undefined for other keys. */
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

/** The same for a typed character, including Space. */
export function linesByText(text: string, pageLength: number): number | undefined {
  const name = MOVES[text];
  return name && linesBy(name, pageLength);
}

const MOVES: Readonly<Record<string, KeyName>> = { j: 'down', k: 'up', g: 'home', G: 'end', ' ': 'pageDown' };

/** The page with another line of its list selected, given the number of visible lines. */
export function selectLine<Page extends ListPage>(
  page: Page,
  listed: ShownList,
  line: number,
  room: number,
): Page {
  const { list, items } = listed;
  const top = windowOf(page.top, line, items.length, room);
  const item = items[line];
  return { ...page, line, top, chosen: item === undefined ? undefined : list.key(item) };
}

/** The page of a list, moved by this many lines. */
export function movedInList<Page extends ListPage>(
  page: Page,
  listed: ShownList,
  by: number,
  room: number,
): Page {
  const last = listed.items.length - 1;
  return selectLine(page, listed, Math.max(0, Math.min(last, chosenAt(listed, page) + by)), room);
}

/** The page of a text, given the last possible first line. */
export function movedInText<Page extends ListPage>(page: Page, last: number, by: number): Page {
  const line = Math.max(0, Math.min(last, Math.min(page.line, last) + by));
  return { ...page, line, top: line, chosen: undefined };
}

/**
 * The page sorted by the column with this number, from 1, reversed if it already is; 0: in the original order.
 * Undefined: no such column.
 */
export function sortedBy<Page extends ListPage>(
  page: Page,
  { list }: ShownList,
  number: number,
): Page | undefined {
  if (number === 0) return { ...page, sort: undefined };
  const column = number - 1;
  if (!list.columns[column]) return undefined;
  const backwards = page.sort?.column === column && !page.sort.backwards;
  return { ...page, sort: { column, backwards } };
}
