import type { QueueStanding } from '../../analysis/explanation/waitingEvictions.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block } from '../../presentation/model.ts';
import type { Answer } from '../answer.ts';
import { paceBlock, paceDocument } from '../status/statusHead.ts';
import { waitingSummaryBlock } from './waitingEvictions.ts';

/** Shows how the eviction queue stands, one time after the other. */
export interface EvictionQueueChanges {
  document(change: QueueStanding, now: number): Answer['document'];
  visible(changes: QueueStanding[]): QueueStanding[];
  /** How it stands last; `now` is epoch milliseconds. */
  answer(changes: QueueStanding[], now: number): Answer;
}

/** Shows how the eviction queue stands whenever that changes. */
export function evictionQueueChanges(karmadaVersion: string): EvictionQueueChanges {
  const document = ({ pace, ...queue }: QueueStanding, now: number): Answer['document'] => ({
    kind: 'EvictionQueueChange',
    schemaVersion: 'v1',
    karmadaVersion,
    time: rfc3339(now),
    evictionPace: paceDocument(pace),
    evictionQueue: queue,
  });
  return {
    document,
    visible: (changes) => changes.slice(-1),
    answer: (changes, now) => {
      const last = changes.at(-1)!;
      return {
        document: document(last, now),
        names: () => [],
        presentation: () => ({ blocks: queueBlocks(last, now) }),
      };
    },
  };
}

/** The pace of the queue, and what waits in it. */
export function queueBlocks(standing: QueueStanding, now: number): Block[] {
  const waits = waitingSummaryBlock(standing, now);
  const nothing: Block = { type: 'paragraph', words: 'Nothing waits in the eviction queue any more.' };
  return [paceBlock(standing.pace), ...(waits.length > 0 ? waits : [nothing])];
}
