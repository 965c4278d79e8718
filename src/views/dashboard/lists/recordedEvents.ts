import type { RecordedEvents } from '../../../analysis/overview/feed.ts';
import { snapshotKey } from '../../../karmada/objects/identities.ts';
import { timelineRows, type TimelineRow } from '../../timeline/timelineRows.ts';
import { eventWords } from '../../words/timelineEvent.ts';
import { gapText } from '../replayedSteps.ts';
import type { Place, StepsOfCause } from '../place.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';

/** A recorded event: one line per cause, as in `timeline`, and per gap. Times are epoch milliseconds. */
export interface RecordedEventRow {
  id: string;
  time: number;
  type: 'recorded';
  clusters: string[];
  actor: string;
  words: string;
  isBad: boolean;
  opens?: Place | undefined;
}

/** The recorded events, newest first. */
export const recordedEventRows = lazilyFor(
  ({ events, doubts }: RecordedEvents): readonly RecordedEventRow[] => {
    const listed = timelineRows(events, false).map(happened);
    const gaps = doubts.flatMap((doubt, index): RecordedEventRow | [] =>
      doubt.from === undefined
        ? []
        : {
            id: `gap ${index}`,
            time: doubt.from,
            type: 'recorded',
            clusters: [],
            actor: '',
            words: gapText(doubt),
            isBad: true,
            opens: { view: 'recording' },
          },
    );
    return [...listed, ...gaps].sort((a, b) => a.time - b.time).toReversed();
  },
);

function happened(line: TimelineRow, index: number): RecordedEventRow {
  const { time, actor, words, isBad, first, count } = line;
  const { object, cluster } = first;
  return {
    id: `recorded ${index}`,
    time,
    type: 'recorded',
    actor,
    isBad,
    // clusters have their own column
    words: count === 0 ? eventWords({ ...first, evidence: [] }) : words,
    clusters: cluster?.split(',') ?? (count === 0 ? [object.name] : []),
    opens: count > 1 ? { view: 'recording', of: stepsOf(line) } : placeOf(object, time),
  };
}

/** The steps that share a line. */
function stepsOf({ time, until, words, first: { type, controller, cluster } }: TimelineRow): StepsOfCause {
  // one decision of the scheduler may involve several clusters
  const from = type === 'Scheduled' ? {} : { cluster };
  return { words, type, controller, ...from, from: time, until };
}

function placeOf(object: TimelineRow['first']['object'], at: number): Place {
  return object.kind === 'Cluster'
    ? { view: 'object', object, at }
    : { view: 'workload', key: snapshotKey(object), at };
}
