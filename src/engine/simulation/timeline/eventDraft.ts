import type { Evidence } from '../../evidence.ts';
import type { TimelineEvent } from './timelineEvent.ts';

/** An event without what all events of a step have in common. */
export type EventDraft = Omit<TimelineEvent, 'time' | 'controller' | 'evidence'> & { evidence?: Evidence[] };
