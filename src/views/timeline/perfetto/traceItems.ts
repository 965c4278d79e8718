import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { presentable } from '../../../presentation/presentable.ts';
import { plain } from '../../../presentation/words.ts';
import type { TimelineEvent } from '../../../simulator/simulation/timeline/timelineEvent.ts';
import type { Span } from '../../../simulator/timeline/span.ts';
import { evidenceWords } from '../../words/evidence.ts';
import { objectText } from '../../words/names.ts';
import { eventWords } from '../../words/timelineEvent.ts';
import { PHASES } from '../phases.ts';

/** The parts of a trace. Times are epoch milliseconds; all texts are presentable. */
export type TraceItem = Track | TrackEvent;

/** A track of the trace, or a group of tracks. */
export interface Track {
  type: 'track';
  id: number;
  /** its parent track */
  parent?: number;
  name: string;
  /** its position among its siblings */
  rank: number;
  /** the unit that it counts: "replicas" */
  unit?: string;
}

/** An event on a track: over a period, at an instant, or a number from a time on. */
export type TrackEvent = { track: number; time: number } & (
  ({ type: 'begin' | 'instant' } & Described) | { type: 'end' } | { type: 'count'; value: number }
);

export interface Described {
  name: string;
  category: string;
  notes: readonly Note[];
  /** the flows that begin with it, and those that end with it, by number */
  flows?: readonly number[];
  ends?: readonly number[];
}

/** Additional facts about an event. */
export type Note = readonly [name: string, value: string | number | boolean | readonly string[]];

/** A simulated event, or an observed one, which has no evidence but may have a source. */
export type TracedEvent = Omit<TimelineEvent, 'evidence'> & {
  evidence?: readonly Evidence[];
  source?: string;
};

/** The texts of spans and events in a trace, with their evidence as notes. */
interface TraceWriter {
  ofSpan(span: Span): Described;
  ofEvent(event: TracedEvent): Described;
}

/** Many spans share one list of evidence; its text is built once. */
export function createTraceWriter(): TraceWriter {
  const known = new Map<readonly Evidence[], string[]>();

  function why(evidence: readonly Evidence[], about: ObjectIdentity): Note[] {
    if (evidence.length === 0) return [];
    let words = known.get(evidence);
    if (!words) {
      words = evidence.map((one) => presentable(plain(evidenceWords(one, about))));
      known.set(evidence, words);
    }
    return [['why', words]];
  }

  return {
    ofSpan({ workload, cluster, phase, to, replicas, ready, certainty, evidence }) {
      const notes: Note[] = [
        ...(replicas === undefined ? [] : [[phase === 'gap' ? 'missing' : 'replicas', replicas] as const]),
        ...(ready === undefined ? [] : [['ready', ready] as const]),
        ['certainty', certainty],
        ...(to === undefined ? [['continues at the end', true] as const] : []),
        ...why(evidence, workload),
      ];
      return { name: PHASES[phase].text, category: cluster === undefined ? 'workload' : 'copy', notes };
    },
    ofEvent(event) {
      const { type, object, controller, source, evidence = [] } = event;
      const notes: Note[] = [
        ['object', presentable(objectText(object))],
        ['what', presentable(eventWords({ ...event, evidence: [] }))],
        ...(source === undefined ? [] : [['reported by', presentable(source)] as const]),
        ...why(evidence, object),
      ];
      return { name: type, category: presentable(controller), notes };
    },
  };
}
