import type { Key, KeyName } from '../keys.ts';
import { FIRST_PAGE, itemAt, type ListPage } from '../listed.ts';
import { linesBy, linesByText, movedInList, movedInText, sortedBy } from '../listMoves.ts';
import { editedText } from '../typedText.ts';
import { coverOf, itemRows, listedOn, pageOf, textRows, type Browsed, type Browsing } from './browsing.ts';

/** What a key asks of the owner of a screen; `key`: a character that means nothing on every screen. */
export type BrowseEffect =
  { type: 'quit' | 'interrupt' | 'suspend' | 'redraw' } | { type: 'key' | 'answered'; text: string };

/** What a key makes of the state. */
export interface BrowseReduced {
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
  // a filter works while it is typed
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
    : { ...state, note: 'There is nothing more to know of it.' };
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

/** How far one screen scrolls: one line stays visible. */
function pageLength(view: Browsed): number {
  return Math.max(1, itemRows(view) - 1);
}
