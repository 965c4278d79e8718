import type { Block, Words } from '../../presentation/model.ts';
import type { WorkloadOutcome } from '../../engine/verdicts/outcome.ts';
import type { Step } from './lists/steps.ts';
import type { Place } from './place.ts';

/** What a dashboard shows of a place that it has to ask for. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text with its own lines, and the one to begin with, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  /** what becomes of workloads in a simulation */
  | { type: 'outcomes'; outcomes: readonly WorkloadOutcome[]; failing: readonly string[] }
  /** what happens in it; times are epoch milliseconds */
  | { type: 'steps'; steps: readonly Step[]; start: number; end: number; failing: readonly string[] }
  | { type: 'failed'; why: string };

/** Something that can be opened. */
export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}
