import type { Block, Words } from '../../presentation/model.ts';
import type { ShownOutcome } from './lists/outcomes.ts';
import type { Place } from './place.ts';
import type { Replayed } from './replayed.ts';
import type { WhatIf } from './whatIf.ts';

/** What a dashboard shows at a place that it has to ask for. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text in lines, and the line to begin with, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  /** what becomes of workloads in a simulation */
  | { type: 'outcomes'; outcomes: readonly ShownOutcome[]; whatIf: WhatIf }
  | ({ type: 'steps' } & Replayed)
  | { type: 'failed'; why: string };

/** Something that can be opened. */
export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}
