import type { Taint } from '../api/meta.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { findTaint } from '../objects/sameTaint.ts';

/** Taints that one pass of the cluster controller adds and removes, by key and effect. */
export interface TaintChange {
  add: readonly Taint[];
  remove: readonly Taint[];
}

/**
 * The taints after a change, as the cluster controller writes them: what is there already keeps value and time, what
 * is new goes to the end. Returns the same list if nothing changes.
 *
 * @param now epoch milliseconds, becomes timeAdded of what is added, whatever its effect
 */
export function setTaints(taints: Taint[], { add, remove }: TaintChange, now: number): Taint[] {
  const added = add.filter((taint) => !findTaint(taints, taint));
  const kept = taints.filter((taint) => !findTaint(remove, taint));
  if (added.length === 0 && kept.length === taints.length) return taints;
  const timeAdded = rfc3339(now);
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))];
}
