import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import type { DrainOrder } from './drainOrder.ts';

/** A binding in the queue of a drain. */
export interface Queued {
  binding: ResourceBinding;
  /** it is being evicted already, and is evicted once more */
  again?: boolean;
}

/**
 * The order of the queue: first bindings that are being evicted already, then untried ones, then those that had no
 * place to go to in their turn.
 *
 * @param tried whether a binding, by key, had no place in its turn
 */
export function queueOrder<Q extends Queued>(
  queue: readonly Q[],
  order: DrainOrder,
  tried: (key: string) => boolean,
): (a: Q, b: Q) => number {
  const rank = ({ again, binding }: Q) => (again ? 0 : tried(bindingKey(binding)) ? 2 : 1);
  const ranks = new Map(queue.map((one) => [one, rank(one)]));
  return (a, b) => ranks.get(a)! - ranks.get(b)! || order(a.binding, b.binding);
}
