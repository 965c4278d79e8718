import type { ScreenList } from '../../views/screen/screenColumn.ts';
import { filterOf } from './filter.ts';

/** A list of things of any kind. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyScreenList = ScreenList<any, any>;

/** Which part of a list or a text is shown. */
export interface ListPage {
  /** the chosen line of a list; the first visible one of a text */
  line: number;
  /** the first visible line of a list, unless the chosen one would not be visible */
  top: number;
  /** the key of the chosen item: it stays chosen if others come before it */
  chosen?: string | undefined;
  filter: string;
  sort?: { column: number; backwards: boolean } | undefined;
}

/** A page as it looks when it is opened. */
export const FIRST_PAGE: ListPage = { line: 0, top: 0, filter: '' };

/** A list with the items that it shows, in their order. */
export interface Listed<L extends AnyScreenList = AnyScreenList> {
  list: L;
  items: readonly unknown[];
  /** what there is without the filter, in the first order */
  all: readonly unknown[];
}

/** The position of the chosen item: where its key is now, otherwise where it was. */
export function chosenAt({ list, items }: Listed, { line, chosen }: ListPage): number {
  const last = Math.max(0, items.length - 1);
  if (chosen === undefined) return Math.min(Math.max(0, line), last);
  if (items[line] !== undefined && list.key(items[line]) === chosen) return line;
  const found = items.findIndex((item) => list.key(item) === chosen);
  return found === -1 ? Math.min(Math.max(0, line), last) : found;
}

/** The item that keys act on; undefined if the list is empty. */
export function itemAt(listed: Listed, page: ListPage): unknown {
  return listed.items[chosenAt(listed, page)];
}

/** A cache of filtered and sorted lists by filter and order; a few for each list, since somebody types. */
const made = new WeakMap<readonly unknown[], Map<string, readonly unknown[]>>();
const MOST_KEPT = 8;

/** What `make` makes of items, kept by `key` as long as these are the same. */
export function keeping(
  items: readonly unknown[],
  key: string,
  make: () => readonly unknown[],
): readonly unknown[] {
  let kept = made.get(items);
  if (!kept) made.set(items, (kept = new Map()));
  const known = kept.get(key);
  if (known) return known;
  const result = make();
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
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
      : keeping(items, `filter ${filter}`, () => {
          const { matches } = filterOf(filter);
          const known = searchedTexts(list, items, context);
          return items.filter((_, at) => matches(known[at]!));
        });
  const column = sort && list.columns[sort.column];
  if (!column) return filtered;
  const ordered = keeping(filtered, `sort ${sort.column}`, () =>
    filtered
      .map((item) => ({ item, by: column.order(item, context) }))
      // that two texts differ is seen at once; which comes first only where what they have in common ends
      .sort((a, b) => (a.by === b.by ? 0 : a.by < b.by ? -1 : 1))
      .map(({ item }) => item),
  );
  return sort.backwards ? keeping(ordered, 'backwards', () => ordered.toReversed()) : ordered;
}

/** A cache of the texts that filters search, by the items. */
const searched = new WeakMap<readonly unknown[], string[]>();

/** The texts that a filter searches, those of the first `most` items at least: making them takes longer than searching them. */
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

/** Makes the texts of a list before somebody types a filter; each step takes a few milliseconds. */
export function* textsAhead({ list, all }: Listed, context: unknown): Generator<void> {
  for (let most = AHEAD; searchedTexts(list, all, context, most).length < all.length; most += AHEAD) yield;
}

const AHEAD = 1000;
