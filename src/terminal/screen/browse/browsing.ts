import type { Block, Words } from '../../../presentation/model.ts';
import type { Line } from '../../../presentation/text/spans.ts';
import { linesOf, type ScreenRow, type ScreenSize } from '../screenLine.ts';
import type { Characters } from '../characters.ts';
import {
  FIRST_PAGE,
  shownItems,
  textsAhead,
  type AnyScreenList,
  type ShownList,
  type ListPage,
  itemAt,
  linesBy,
  linesByText,
  movedInList,
  movedInText,
  sortedBy,
} from '../listed.ts';
import type { Key, KeyName } from '../keys.ts';
import { editedText } from '../lastLine.ts';

/** A screen of a few lists: the current one, and what is open over it. */
export interface Browsing {
  /** the index of the current list */
  section: number;
  /** one for each list */
  pages: readonly ListPage[];
  /** the cover of the list: the item with this key, or the keys */
  over?: { key: string | undefined; page: ListPage } | undefined;
  /** the input in the last line: a filter, or the answer to a question */
  input?: { purpose: 'filter' | 'answer'; text: string } | undefined;
  /** shown in the last line until the next key */
  note?: string | undefined;
}

export interface Section {
  name: string;
  /** the text for an empty list */
  none: string;
  list: AnyScreenList;
  items: readonly unknown[];
}

/** The current content of a screen of lists. */
export interface Browsed extends ScreenSize {
  /** the lines above the list: the source, its freshness, its present condition */
  above: readonly ScreenRow[];
  sections: readonly Section[];
  /** the input for the cells */
  context: unknown;
  /** changes whenever items do */
  basis: object;
  /** the path to an item, and its details; undefined if there are none */
  opened(section: number, key: string): { name: string; blocks: readonly Block[] } | undefined;
  help: readonly Block[];
  /** keys besides those of every list, as hints: "s stop" */
  keys: readonly string[];
  /** the text before a typed answer */
  question: Words;
  characters: Characters;
}

/** A screen with this many lists in its initial state. */
export function firstBrowsing(sections: number): Browsing {
  return { section: 0, pages: Array.from({ length: sections }, () => FIRST_PAGE) };
}

/** The page of the current list, even if it is covered. */
export function pageOf({ pages, section }: Browsing): ListPage {
  return pages[section]!;
}

/** The current list, with its items in their order. */
export function listedOn(state: Browsing, { sections, context }: Browsed): ShownList {
  const { list, items } = sections[state.section]!;
  return { list, items: shownItems(list, items, pageOf(state), context), all: items };
}

/** Prepares the filter texts of the current list in steps, before the user types a filter. */
export function textsOfShown(state: Browsing, view: Browsed): Generator<void> {
  return textsAhead(listedOn(state, view), view.context);
}

/** The cover of a list. */
export interface Overlay {
  name: string;
  lines: readonly Line[];
  /** the first visible row, and the visible rows */
  top: number;
  shown: readonly Line[];
}

/** The cover of the list; undefined if there is none. */
export function coverOf({ over, section }: Browsing, view: Browsed): Overlay | undefined {
  if (!over) return undefined;
  const { key } = over;
  const { name, blocks } =
    key === undefined ? { name: 'keys', blocks: view.help } : (view.opened(section, key) ?? UNKNOWN);
  const lines = linesOf(blocks, view.columns);
  const rows = textRows(view);
  const top = Math.max(0, Math.min(over.page.line, lines.length - rows));
  return { name, lines, top, shown: lines.slice(top, top + rows) };
}

const UNKNOWN = {
  name: 'over',
  blocks: [{ type: 'paragraph', words: 'It is no longer there.' } satisfies Block],
};

/** Rows for a list's items: without the path, the column names and the keys. */
export function itemRows({ rows, above }: Pick<Browsed, 'rows' | 'above'>): number {
  return Math.max(0, rows - above.length - 3);
}

function textRows({ rows, above }: Pick<Browsed, 'rows' | 'above'>): number {
  return Math.max(0, rows - above.length - 2);
}

/** The request of a key to a screen's owner; `key`: a character without a common meaning. */
export type BrowseEffect =
  { type: 'quit' | 'interrupt' | 'suspend' | 'redraw' } | { type: 'key' | 'answered'; text: string };

/** The result of a key for the state. */
interface BrowseReduced {
  state: Browsing;
  effect?: BrowseEffect | undefined;
}

/** A screen of lists after a key. */
export function browse(before: Browsing, key: Key, view: Browsed): BrowseReduced {
  const { note: _said, ...state } = before;
  if ('name' in key && (key.name === 'interrupt' || key.name === 'suspend' || key.name === 'redraw'))
    return { state, effect: { type: key.name } };
  if (state.input) return typed(state, state.input, key, view);
  return 'name' in key ? { state: named(state, key.name, view) } : pressed(state, key.text, view);
}

function named(state: Browsing, name: KeyName, view: Browsed): Browsing {
  const by = linesBy(name, pageLength(view));
  if (by !== undefined) return moved(state, by, view);
  switch (name) {
    case 'enter':
    case 'right':
      return opened(state, view);
    case 'escape':
    case 'left':
    case 'backspace':
      return back(state);
    case 'tab':
      return beside(state, 1);
    case 'backTab':
      return beside(state, -1);
    default:
      return state;
  }
}

function pressed(state: Browsing, text: string, view: Browsed): BrowseReduced {
  const by = linesByText(text, pageLength(view));
  if (by !== undefined) return { state: moved(state, by, view) };
  if (text === 'q') return { state, effect: { type: 'quit' } };
  if (text === '?') return { state: { ...state, over: { key: undefined, page: FIRST_PAGE } } };
  if (text === '/')
    return state.over
      ? { state: { ...state, note: 'Only lists are filtered.' } }
      : { state: { ...state, input: { purpose: 'filter', text: pageOf(state).filter } } };
  if (/^[0-9]$/.test(text)) return { state: sorted(state, Number(text), view) };
  return { state, effect: { type: 'key', text } };
}

function typed(
  state: Browsing,
  { purpose, text }: NonNullable<Browsing['input']>,
  key: Key,
  view: Browsed,
): BrowseReduced {
  const closed = { ...state, input: undefined };
  if ('name' in key) {
    const by = linesBy(key.name, pageLength(view));
    if (by !== undefined) return { state: moved(state, by, view) };
    if (key.name === 'enter')
      return purpose === 'answer' ? { state: closed, effect: { type: 'answered', text } } : { state: closed };
    if (key.name === 'escape') return { state: purpose === 'filter' ? filtered(closed, '') : closed };
  }
  const edited = editedText(text, key);
  if (edited === undefined) return { state: closed };
  const next = { ...state, input: { purpose, text: edited } };
  // a filter applies while it is typed
  return { state: purpose === 'filter' ? filtered(next, edited) : next };
}

function filtered(state: Browsing, filter: string): Browsing {
  return withPage(state, { ...pageOf(state), filter, line: 0, top: 0, chosen: undefined });
}

function moved(state: Browsing, by: number, view: Browsed): Browsing {
  const cover = coverOf(state, view);
  if (!cover) return withPage(state, movedInList(pageOf(state), listedOn(state, view), by, itemRows(view)));
  const last = Math.max(0, cover.lines.length - textRows(view));
  return { ...state, over: { ...state.over!, page: movedInText(state.over!.page, last, by) } };
}

function opened(state: Browsing, view: Browsed): Browsing {
  if (state.over) return state;
  const listed = listedOn(state, view);
  const item = itemAt(listed, pageOf(state));
  if (item === undefined) return state;
  const key = listed.list.key(item);
  return view.opened(state.section, key)
    ? { ...state, over: { key, page: FIRST_PAGE } }
    : { ...state, note: 'It has no more details.' };
}

function back(state: Browsing): Browsing {
  if (state.over) return { ...state, over: undefined };
  return pageOf(state).filter === '' ? state : filtered(state, '');
}

function beside(state: Browsing, by: number): Browsing {
  const count = state.pages.length;
  return { ...state, section: (state.section + by + count) % count, over: undefined };
}

function sorted(state: Browsing, number: number, view: Browsed): Browsing {
  if (state.over) return state;
  const page = sortedBy(pageOf(state), listedOn(state, view), number);
  return page ? withPage(state, page) : { ...state, note: `There is no column ${number}.` };
}

function withPage(state: Browsing, page: ListPage): Browsing {
  return { ...state, pages: state.pages.with(state.section, page) };
}

/** The lines that one screen scrolls: one line stays visible. */
function pageLength(view: Browsed): number {
  return Math.max(1, itemRows(view) - 1);
}
