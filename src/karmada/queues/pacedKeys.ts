import { createWorkerQueue, type KeyQueue, type SavedWorkerQueue } from './workerQueue.ts';
import { createRatedQueue, type SavedRatedQueue } from './ratedQueue.ts';
import type { PacedQueue } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';

/** A paced queue as plain JSON, of either kind. */
export type SavedPacedKeys = SavedWorkerQueue | SavedRatedQueue;

export type PacedKeys = KeyQueue<SavedPacedKeys>;

interface PacedKeysStart {
  /** epoch milliseconds */
  now: number;
  /** the result of `save`, to resume from; absent: an empty queue in a new process */
  saved?: SavedPacedKeys | undefined;
}

/** The queue that a controller declares, the same in every driver. */
export function createPacedKeys(pace: PacedQueue, view: View, { now, saved }: PacedKeysStart): PacedKeys {
  if ('workers' in pace) return createWorkerQueue(pace, saved as SavedWorkerQueue | undefined);
  return createRatedQueue(
    { rate: () => pace.rateIn(view), lastTurn: pace.mayHaveTurned(view) ? now : undefined },
    saved as SavedRatedQueue | undefined,
  );
}
