import type { Characters } from './characters.ts';
import type { Listed, ListPage } from './listed.ts';

/** A list to draw, and the room for it. */
export interface ListRequest {
  listed: Listed;
  page: ListPage;
  context: unknown;
  /** as long as it is the same, widths of columns stay */
  basis: object;
  columns: number;
  /** rows for items */
  room: number;
  /** it is only looked at: none of its items is chosen */
  idle?: true;
  characters: Characters;
}
