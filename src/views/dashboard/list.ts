import type { Feed } from '../../engine/overview/feed.ts';
import type { Words } from '../../presentation/model.ts';
import type { ListName, Place } from './place.ts';
import type { WhatIf } from './whatIf.ts';

/** What a list is made of: the feed, and the instant to count ages from (epoch milliseconds). */
export interface ListContext {
  feed: Feed;
  now: number;
  /** what is marked to happen */
  marks: WhatIf;
  /** characters of bars */
  bar: { done: string; toCome: string };
}

export interface ListColumn<Item> {
  name: string;
  words(item: Item, context: ListContext): Words;
  /** what the list is sorted by in this column */
  order(item: Item, context: ListContext): string | number;
  /** the least width that is of use, in columns of the screen; absent: it is never cut */
  least?: number;
  /** columns with the highest number are left out first if the screen is narrow; absent: it stays */
  leaves?: number;
  /** figures: aligned to the right */
  right?: true;
}

/** A list in a dashboard, of things of one kind. */
export interface List<Item> {
  name: ListName;
  /** "cluster" */
  one: string;
  /** the text for an empty list */
  none: string;
  /** what matters most comes first */
  items(feed: Feed, cluster: string | undefined): readonly Item[];
  key(item: Item): string;
  /** the namespace that it is in */
  namespace?(item: Item): string | undefined;
  /** the text that a filter searches */
  text(item: Item, context: ListContext): string;
  columns: readonly ListColumn<Item>[];
  /** what Enter opens */
  opens(item: Item): Place | undefined;
  /** the object behind it */
  object?(item: Item): Extract<Place, { view: 'object' }> | undefined;
}

/** A list of things of any kind. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyList = List<any>;
