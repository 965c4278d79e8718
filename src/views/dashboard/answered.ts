import type { Block, Words } from '../../presentation/model.ts';
import type { Place } from './place.ts';

/** What a dashboard shows of a place that it has to ask for. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text with its own lines, and the one to begin with, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  | { type: 'failed'; why: string };

/** Something that can be opened. */
export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}
