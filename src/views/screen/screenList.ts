import type { Words } from '../../presentation/model.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { shortWorkloadName, workloadName } from '../words/names.ts';

/** A column of a list on a screen; its cells are made of an item and of what else is known. */
export interface ScreenColumn<Item, Context> {
  name: string;
  words(item: Item, context: Context): Words;
  /** the same without the least important, if the screen is too narrow for all of it */
  short?(item: Item, context: Context): Words;
  /** what the marks in its cells mean, behind its name; undefined: no item has any. Short texts have none. */
  legend?(items: readonly Item[], context: Context): string | undefined;
  /** what the list is sorted by in this column */
  order(item: Item, context: Context): string | number;
  /** the least width that is of use, in columns of the screen; absent: it is never cut */
  least?: number;
  /** columns with the highest number are left out first if the screen is narrow; absent: it stays */
  leaves?: number;
  /** figures: aligned to the right */
  right?: true;
}

/** What a list on a screen shows, whatever its items are of. */
export interface ScreenList<Item, Context> {
  /** "cluster" */
  one: string;
  key(item: Item): string;
  /** the text that a filter searches */
  text(item: Item, context: Context): string;
  columns: readonly ScreenColumn<Item, Context>[];
  /** its only column holds sentences, which are wrapped rather than cut */
  wraps?: true;
}

/** What cells with times are made of: the instant to count ages from (epoch milliseconds), and the characters of bars. */
export interface TimeContext {
  now: number;
  bar: { done: string; toCome: string };
}

/** The column that names an item's workload, alike in all lists on screens: cut last, sorted by the name as it is shown. */
export function workloadColumn<Item>(
  workloadOf: (item: Item) => ObjectIdentity,
): ScreenColumn<Item, unknown> {
  const name = (item: Item) => workloadName(workloadOf(item));
  const short = (item: Item) => shortWorkloadName(workloadOf(item));
  return { name: 'WORKLOAD', words: name, short, order: name, least: 22 };
}
