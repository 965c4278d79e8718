import { latencies } from '../latencies.ts';
import type { Change } from '../controllers/write.ts';

const reactions: Readonly<Record<string, number>> = latencies.reactions;

/** Milliseconds from an event to a controller's look; without a change: from a timer, which is exact. */
export function reaction(controller: string, change: Change | undefined): number {
  if (change === undefined) return 0;
  return controller === 'graceful-eviction' && hasNewTask(change)
    ? latencies.taskStamp
    : usualReaction(controller);
}

function hasNewTask(change: Change): boolean {
  if (change.kind !== 'Binding') return false;
  return change.after?.spec.gracefulEvictionTasks?.some((task) => !task.creationTimestamp) ?? false;
}

/** Milliseconds that a controller usually takes from an event to its look. */
export function usualReaction(controller: string): number {
  return reactions[controller] ?? 0;
}
