import type { Block, Words } from '../../presentation/model.ts';
import type { ShownAudit } from './lists/audit.ts';
import type { ShownFindings } from './lists/findings.ts';
import type { ShownOutcomes } from './lists/outcomes.ts';
import type { Place } from './place.ts';
import type { WhatIf } from './whatIf.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** The content of a dashboard page that is loaded on request. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text in lines, and the line to start at, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  | ({ type: 'outcomes' } & ShownOutcomes)
  | ({ type: 'steps' } & Replayed)
  | ({ type: 'audit' } & ShownAudit)
  | ({ type: 'findings' } & ShownFindings)
  | { type: 'failed'; why: string };

export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}

/**
 * A change in a simulation or a recording, without its evidence; a gap of the recording, described by `message`; or a line of a
 * controllers' log.
 */
export type ReplayedStep =
  | Omit<TimelineEvent, 'evidence'>
  | {
      type: 'Decision' | 'Evicted';
      time: number;
      controller: string;
      object: ObjectIdentity;
      cluster?: never;
      message: string;
      /** of the log */
      line: number;
    }
  | { type: 'Gap'; time: number; controller: ''; object: ObjectIdentity; cluster?: never; message: string };

/** The events of a simulation or a recording, in chronological order. Times are epoch milliseconds. */
export interface Replayed {
  steps: readonly ReplayedStep[];
  start: number;
  end: number;
  /** the simulated what-if; absent: a recording */
  whatIf?: WhatIf;
  /** for a recording: gaps in it; without `to` they last until its end */
  gaps: readonly { from: number; to?: number }[];
}
