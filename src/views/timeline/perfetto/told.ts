import type { Evidence } from '../../../karmada/evidence.ts';
import type { TimelineEvent } from '../../../simulator/simulation/timeline/timelineEvent.ts';
import type { Span } from '../../../simulator/timeline/span.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { presentable } from '../../../presentation/presentable.ts';
import { plain } from '../../../presentation/words.ts';
import { evidenceWords } from '../../words/evidence.ts';
import { objectText } from '../../words/objectText.ts';
import { eventWords } from '../../words/timelineEvent.ts';
import { PHASES } from '../phases.ts';
import type { Note, Told } from './traceItem.ts';

/** An event of a simulation, or one that was seen: that has no evidence, but may have a source. */
export type TracedEvent = Omit<TimelineEvent, 'evidence'> & {
  evidence?: readonly Evidence[];
  source?: string;
};

/** What a trace says of spans and events, with their evidence as notes. */
export interface Teller {
  ofSpan(span: Span): Told;
  ofEvent(event: TracedEvent): Told;
}

/** Many spans have one list of evidence, of which the words are made once. */
export function createTeller(): Teller {
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
        ...(to === undefined ? [['goes on at the end', true] as const] : []),
        ...why(evidence, workload),
      ];
      return { name: PHASES[phase].text, category: cluster === undefined ? 'workload' : 'copy', notes };
    },
    ofEvent(event) {
      const { type, object, controller, source, evidence = [] } = event;
      const notes: Note[] = [
        ['object', presentable(objectText(object))],
        ['what', presentable(eventWords({ ...event, evidence: [] }))],
        ...(source === undefined ? [] : [['told by', presentable(source)] as const]),
        ...why(evidence, object),
      ];
      return { name: type, category: presentable(controller), notes };
    },
  };
}
