import type { ResourceBinding } from '../../karmada/api/work.ts';

/** The bindings in the order in which a drain of the clusters evicts them. */
export function drainOrder(
  _bindings: readonly ResourceBinding[],
  _clusters: ReadonlySet<string>,
): ResourceBinding[] {
  throw new Error('not built yet');
}
