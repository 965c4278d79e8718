import type { Words } from '../../presentation/model.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { shortWorkloadName, workloadName } from '../words/names.ts';

/** A column of a list on a screen; its cells are built from an item and the list's input. */
export interface ScreenColumn<Item, Context> {
  name: string;
  words(item: Item, context: Context): Words;
  /** the same without its least important part, for a narrow screen */
  short?(item: Item, context: Context): Words;
  /** the meaning of the marks in its cells, after its name; undefined: no item has any. Brief cells have none. */
  legend?(items: readonly Item[], context: Context): string | undefined;
  /** the sort key of this column */
  order(item: Item, context: Context): string | number;
  /** the least useful width, in columns of the screen; absent: it is never cut */
  least?: number;
  /** columns with the highest number are omitted first on a narrow screen; absent: it stays */
  leaves?: number;
  /** numbers: aligned to the right */
  right?: true;
}

/** The content of a list on a screen, whatever its items are. */
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

/** The input for cells with times: the instant to count ages from (epoch milliseconds), and the characters of bars. */
export interface TimeContext {
  now: number;
  bar: { done: string; toCome: string };
}

/** The column with an item's workload, the same in all lists on screens: cut last, sorted by its displayed name. */
export function workloadColumn<Item>(
  workloadOf: (item: Item) => ObjectIdentity,
): ScreenColumn<Item, unknown> {
  const name = (item: Item) => workloadName(workloadOf(item));
  const short = (item: Item) => shortWorkloadName(workloadOf(item));
  return { name: 'WORKLOAD', words: name, short, order: name, least: 22 };
}
