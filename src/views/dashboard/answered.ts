import type { Block, Words } from '../../presentation/model.ts';
import type { WorkloadOutcome } from '../../engine/verdicts/outcome.ts';
import type { Step } from './lists/steps.ts';
import type { Place } from './place.ts';

/** What a dashboard shows at a place that it has to ask for. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text in lines, and the line to begin with, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  /** what becomes of workloads in a simulation */
  | { type: 'outcomes'; outcomes: readonly WorkloadOutcome[]; failing: readonly string[] }
  | ({ type: 'steps' } & Replayed)
  | { type: 'failed'; why: string };

/** What happens in a simulation, or was recorded, in the order of time. Times are epoch milliseconds. */
export interface Replayed {
  steps: readonly Step[];
  start: number;
  end: number;
  /** the clusters that fail in a simulation; absent: it was recorded */
  failing?: readonly string[];
  /** of a recording: when nothing was heard, to its end if `to` is absent */
  gaps: readonly { from: number; to?: number }[];
}

/** Something that can be opened. */
export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}
