import { snapshotKey } from '../../karmada/objects/identities.ts';
import { oncePer } from '../store/indexes.ts';
import type { StartingWorld } from '../store/startingWorld.ts';

/** What the watchers of a simulation have seen, by key of the binding and by name of the cluster. */
export interface Touched {
  /** bindings of which anything has changed, is missing, or has been noted */
  bindings: readonly Iterable<string>[];
  /** clusters that have failed or got a taint that evicts since the start */
  clusters: Iterable<string>;
}

/**
 * The bindings whose outcomes a simulation may have changed: what its watchers have seen of them, what is on clusters
 * that were in trouble only since the start, and what follows these. The outcome of any other binding is worked out from the
 * start alone, so that it is the same, with its doubts, in every simulation that begins there.
 */
export function touchedBindings(start: StartingWorld, { bindings, clusters }: Touched): ReadonlySet<string> {
  const touched = new Set<string>(inCircles(start));
  for (const keys of bindings) for (const key of keys) touched.add(key);
  for (const cluster of clusters) for (const key of start.placedOn(cluster)) touched.add(key);
  // a set is walked to its end, though it grows meanwhile
  for (const key of touched) for (const follower of start.attachedTo(key)) touched.add(follower);
  return touched;
}

/** Dependents that follow each other in a circle, or follow such ones: what is said of them depends on whom one asks first. */
const inCircles = oncePer((start: StartingWorld): readonly string[] => {
  const awaited = new Map<string, number>();
  for (const [key, binding] of start.bindings) {
    const parents = new Set((binding.spec.requiredBy ?? []).map(snapshotKey));
    const known = [...parents].filter((parent) => start.bindings.has(parent));
    if (known.length > 0) awaited.set(key, known.length);
  }
  if (awaited.size === 0) return [];
  const settled = [...start.bindings.keys()].filter((key) => !awaited.has(key));
  for (const parent of settled)
    for (const key of start.attachedTo(parent)) {
      const left = awaited.get(key)! - 1;
      awaited.set(key, left);
      if (left === 0) settled.push(key);
    }
  const isSettled = new Set(settled);
  return [...awaited.keys()].filter((key) => !isSettled.has(key));
});
