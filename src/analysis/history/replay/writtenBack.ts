import { placedIn } from './placements.ts';
import { placementText, type PlacementStep } from './steps.ts';

/** A cluster that the scheduler has written back into a binding that had just been evicted from it. */
export interface WriteBack {
  cluster: string;
  /** epoch milliseconds: of the eviction, and of the write */
  evicted: number;
  back: number;
}

/**
 * Takes out of the steps of a binding what the scheduler has written back: it writes spec.clusters by a patch without
 * resourceVersion (pkg/scheduler patchScheduleResultForResourceBinding), so an eviction between its look and its write is
 * undone. No other write of Karmada puts a workload on a cluster that it is being evicted from (plugin ClusterEviction), and it is
 * evicted from there once more.
 */
export function withoutWriteBacks(steps: readonly PlacementStep[]): {
  steps: PlacementStep[];
  writeBacks: WriteBack[];
} {
  const writeBacks: WriteBack[] = [];
  const evictedAt = new Map<string, number>();
  const back = new Set<string>();
  const kept: PlacementStep[] = [];
  for (const step of steps) {
    const { on, evicting } = placedIn(step.placement);
    for (const name of [...evictedAt.keys()]) if (!evicting.includes(name)) evictedAt.delete(name);
    for (const cluster of evicting) {
      const evicted = evictedAt.get(cluster);
      if (!on.has(cluster)) {
        if (evicted === undefined) evictedAt.set(cluster, step.time);
        back.delete(cluster);
      } else if (evicted !== undefined && !back.has(cluster)) {
        back.add(cluster);
        writeBacks.push({ cluster, evicted, back: step.time });
      }
    }
    const meant = [...on].filter(([name]) => !back.has(name) || !evicting.includes(name));
    const placement =
      meant.length === on.size
        ? step.placement
        : placementText(
            meant.map(([name, replicas]) => ({ name, replicas: Number(replicas) })),
            [...evicting],
          );
    if (kept.at(-1)?.placement !== placement) kept.push({ time: step.time, placement });
  }
  return { steps: kept, writeBacks };
}
