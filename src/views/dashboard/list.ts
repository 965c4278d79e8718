import type { Feed } from '../../analysis/overview/feed.ts';
import type { Words } from '../../presentation/model.ts';
import type { ScreenList, TimeContext } from '../screen/screenList.ts';
import type { ListName, Place } from './place.ts';
import type { WhatIf } from './whatIf.ts';

export interface ListContext extends TimeContext {
  feed: Feed;
  /** the marked events */
  marks: WhatIf;
}

/** The pane's content for the selected item. */
export interface PaneContent {
  title: Words;
  /** the most important first: a low pane omits the last ones */
  facts: readonly (readonly [name: string, words: Words])[];
  /** keys that lead further, with their targets */
  next: readonly (readonly [key: string, shows: string])[];
}

/** A list of similar things in a dashboard. */
export interface List<Item> extends ScreenList<Item, ListContext> {
  name: ListName;
  /** the text for an empty list */
  none: string;
  /** the most important first */
  items(feed: Feed, cluster: string | undefined): readonly Item[];
  namespace?(item: Item): string | undefined;
  /** the pane's content for an item; absent: there is no pane */
  about?(item: Item, context: ListContext): PaneContent;
  /** what Enter opens */
  opens(item: Item): Place | undefined;
  /** the object behind it */
  object?(item: Item): Extract<Place, { view: 'object' }> | undefined;
}

/** A list of things of any kind. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyList = List<any>;
