import { latencies } from '../latencies.ts';
import type { Change } from '../controllers/write.ts';

const reactions: Readonly<Record<string, number>> = latencies.reactions;

/** Milliseconds from an event to a controller's look; without a change: from a timer, which is exact. */
export function reaction(controller: string, change: Change | undefined): number {
  return change === undefined ? 0 : usualReaction(controller);
}

/** Milliseconds that a controller usually takes from an event to its look. */
export function usualReaction(controller: string): number {
  return reactions[controller] ?? 0;
}
