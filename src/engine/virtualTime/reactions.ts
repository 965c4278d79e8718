import { latencies } from '../latencies.ts';
import type { Change } from '../controllers/write.ts';

const reactions: Readonly<Record<string, number>> = latencies.reactions;

/** Milliseconds from an event to a controller's look; without a change: from a timer, which is exact. */
export function reaction(controller: string, change: Change | undefined): number {
  return change === undefined ? 0 : usualReaction(controller);
}

export function usualReaction(controller: string): number {
  return reactions[controller] ?? 0;
}

/** After a write of its own the scheduler's queue works off other bindings before it comes back to this one. */
export function secondLook(controller: string): number | undefined {
  return controller === 'scheduler' ? latencies.schedulerSecondLook : undefined;
}
