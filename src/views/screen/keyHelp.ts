import type { Block } from '../../presentation/model.ts';
import { asStrong } from '../../presentation/words.ts';

/** Keys with a description each, under a title. */
export type KeyGroup = readonly [title: string, keys: readonly (readonly [key: string, about: string])[]];

/** Keys that move, on every screen. */
export const MOVE_KEYS: KeyGroup = [
  'Move',
  [
    ['↑ ↓ j k', 'one line; the mouse wheel too, if the terminal turns it into keys'],
    ['PgUp PgDn Space', 'one screen'],
    ['g G Home End', 'the first, the last'],
  ],
];

/** Keys that select and sort lines, on every screen. */
export const FILTER_KEY = [
  '/',
  'filter by a regular expression; !expression leaves out; ~letters finds them in this order',
] as const;
export const SORT_KEY = [
  '1 … 9',
  'sort by this column; again: the reverse order; 0: the default order',
] as const;

/** "1 CLUSTER, 2 READY": the digits that sort by columns, including those that a narrow screen omits. */
export function columnsText(names: readonly string[]): string {
  return names.map((name, at) => `${at + 1} ${name}`).join(', ');
}

/** Keys about the screen itself. */
export const SCREEN_KEYS = [
  ['?', 'these keys'],
  ['Ctrl-L', 'redraw'],
  ['Ctrl-Z', 'suspend; fg resumes'],
] as const;

/** Groups of keys as a page. */
export function keyBlocks(groups: readonly KeyGroup[]): Block[] {
  return groups.map(([title, keys]) => ({
    type: 'section',
    title: asStrong(title),
    blocks: [{ type: 'keyValues', entries: keys }],
  }));
}
