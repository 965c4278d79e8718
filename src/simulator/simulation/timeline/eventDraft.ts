import type { Evidence } from '../../../karmada/evidence.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { TimelineEvent } from './timelineEvent.ts';

/** An event without what all events of a step have in common. */
export type EventDraft = Omit<TimelineEvent, 'time' | 'controller' | 'evidence'> & { evidence?: Evidence[] };

/** What it takes of a world, besides the change itself, to tell events. */
export type EventView = Pick<View, 'worksOf' | 'bindingOf'>;
