import { latencies } from '../../karmada/latencies.ts';
import type { Wake } from '../../karmada/controllers/controller.ts';

const reactions: Readonly<Record<string, number>> = latencies.reactions;

/** Milliseconds from a change that wakes a controller until the look whose writes succeed. */
export function reaction(controller: string, { contended }: Wake): number {
  return usualReaction(controller) + (contended ? latencies.conflict : 0);
}

/** Milliseconds that a controller usually takes from an event to its look. */
export function usualReaction(controller: string): number {
  return reactions[controller] ?? 0;
}
