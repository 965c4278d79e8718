import type { Block, Words } from '../../../presentation/model.ts';
import type { Line } from '../../../presentation/text/spans.ts';
import { linesOf } from '../blockLines.ts';
import type { Characters } from '../characters.ts';
import {
  FIRST_PAGE,
  shownItems,
  textsAhead,
  type AnyScreenList,
  type Listed,
  type ListPage,
} from '../listed.ts';
import type { ScreenRow, ScreenSize } from '../screenLine.ts';

/** A screen of a few lists: which one is shown, and what is open over it. */
export interface Browsing {
  /** the number of the list that is shown */
  section: number;
  /** one for each list */
  pages: readonly ListPage[];
  /** what covers the list: the item with this key, or the keys */
  over?: { key: string | undefined; page: ListPage } | undefined;
  /** what is typed into the last line: a filter, or the answer to a question */
  input?: { purpose: 'filter' | 'answer'; text: string } | undefined;
  /** shown in the last line until the next key */
  note?: string | undefined;
}

/** A list of a screen. */
export interface Section {
  name: string;
  /** the text for an empty list */
  none: string;
  list: AnyScreenList;
  items: readonly unknown[];
}

/** What a screen of lists shows now. */
export interface Browsed extends ScreenSize {
  /** the lines above the list: the source, how fresh it is, what matters now */
  above: readonly ScreenRow[];
  sections: readonly Section[];
  /** what cells are made of */
  context: unknown;
  /** changes whenever items do */
  basis: object;
  /** the path to an item, and all that is known of it; undefined if nothing is */
  opened(section: number, key: string): { name: string; blocks: readonly Block[] } | undefined;
  help: readonly Block[];
  /** keys beside those that every list has, as hints: "s stop" */
  keys: readonly string[];
  /** what stands before an answer that is typed */
  question: Words;
  characters: Characters;
}

/** A screen of so many lists as it opens. */
export function firstBrowsing(sections: number): Browsing {
  return { section: 0, pages: Array.from({ length: sections }, () => FIRST_PAGE) };
}

/** The page of the list that is shown, also if something covers it. */
export function pageOf({ pages, section }: Browsing): ListPage {
  return pages[section]!;
}

/** The list that is shown, with its items in their order. */
export function listedOn(state: Browsing, { sections, context }: Browsed): Listed {
  const { list, items } = sections[state.section]!;
  return { list, items: shownItems(list, items, pageOf(state), context), all: items };
}

/** Makes the texts of the list that is shown before somebody types a filter, in steps. */
export function textsOfShown(state: Browsing, view: Browsed): Generator<void> {
  return textsAhead(listedOn(state, view), view.context);
}

/** What covers a list. */
export interface Cover {
  name: string;
  lines: readonly Line[];
  /** the first of them that is shown, and those that are */
  top: number;
  shown: readonly Line[];
}

/** What covers the list; undefined if nothing does. */
export function coverOf({ over, section }: Browsing, view: Browsed): Cover | undefined {
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
  blocks: [{ type: 'paragraph', words: 'Nothing is known of it any more.' } satisfies Block],
};

/** Rows for the items of a list: without the path, the names of columns and the keys. */
export function itemRows({ rows, above }: Pick<Browsed, 'rows' | 'above'>): number {
  return Math.max(0, rows - above.length - 3);
}

/** Rows for a text. */
export function textRows({ rows, above }: Pick<Browsed, 'rows' | 'above'>): number {
  return Math.max(0, rows - above.length - 2);
}
