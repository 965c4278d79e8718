import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { WhatIf } from './whatIf.ts';

/**
 * A change in a simulation or a recording, without its evidence; a gap of the recording, which `message` tells; or a line of a log of
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
