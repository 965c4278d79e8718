import { type PlacementStep, placementText } from './steps.ts';

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

/** What `placementText` has put in words. */
interface PlacedText {
  /** replicas by cluster */
  on: ReadonlyMap<string, string>;
  evicting: readonly string[];
}

/** Reads back what `placementText` has written. */
export function placedIn(text: string): PlacedText {
  const [on = '', from = ''] = text.split(' | evicting ');
  const words = (list: string) => list.split(' ').filter((word) => word !== '' && word !== '-');
  return {
    on: new Map(words(on).map((word) => word.split('×') as [string, string])),
    evicting: words(from),
  };
}

/** What a step does to the placement before it; clusters with other replicas than before are gained. */
export interface StepChange {
  evicted: string[];
  ended: string[];
  gained: string[];
  lost: string[];
}

/** What a step does; of the first step, and of none, nothing. */
export function stepChange(before: PlacementStep | undefined, step: PlacementStep | undefined): StepChange {
  if (!before || !step) return { evicted: [], ended: [], gained: [], lost: [] };
  const [old, now] = [placedIn(before.placement), placedIn(step.placement)];
  return {
    evicted: now.evicting.filter((name) => !old.evicting.includes(name)),
    ended: old.evicting.filter((name) => !now.evicting.includes(name)),
    gained: [...now.on].filter(([name, replicas]) => old.on.get(name) !== replicas).map(([name]) => name),
    lost: [...old.on.keys()].filter((name) => !now.on.has(name)),
  };
}
