import type { Block, Words } from '../../presentation/model.ts';
import type { ShownAudit } from './lists/audit.ts';
import type { ShownFindings } from './lists/findings.ts';
import type { ShownOutcomes } from './lists/outcomes.ts';
import type { Place } from './place.ts';
import type { WhatIf } from './whatIf.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** What a dashboard shows at a place that it has to ask for. */
export type Answered =
  | { type: 'blocks'; blocks: readonly Block[] }
  | { type: 'choices'; choices: readonly Choice[]; none: string }
  /** a text in lines, and the line to begin with, counted from 0 */
  | { type: 'text'; lines: readonly string[]; at?: number | undefined }
  | ({ type: 'outcomes' } & ShownOutcomes)
  | ({ type: 'steps' } & Replayed)
  | ({ type: 'audit' } & ShownAudit)
  | ({ type: 'findings' } & ShownFindings)
  | { type: 'failed'; why: string };

/** Something that can be opened. */
export interface Choice {
  key: string;
  words: Words;
  opens?: Place | undefined;
}

/**
 * A change in a simulation or a recording, without its evidence; a gap of the recording, which `message` describes; or a line of a log of
 * controllers.
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

/** What happens in a simulation, or was recorded, in the order of time. Times are epoch milliseconds. */
export interface Replayed {
  steps: readonly ReplayedStep[];
  start: number;
  end: number;
  /** what happens in a simulation; absent: it was recorded */
  whatIf?: WhatIf;
  /** of a recording: when nothing was heard, to its end if `to` is absent */
  gaps: readonly { from: number; to?: number }[];
}
