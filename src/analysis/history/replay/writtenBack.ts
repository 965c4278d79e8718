import { type PlacementStep, placementText } from './steps.ts';

/** A cluster that the scheduler wrote back into a binding right after its eviction. */
export interface WriteBack {
  cluster: string;
  /** epoch milliseconds: of the eviction, and of the write */
  evicted: number;
  back: number;
}

/**
 * Removes write-backs of the scheduler from the steps of a binding: it writes spec.clusters by a patch without
 * resourceVersion (pkg/scheduler patchScheduleResultForResourceBinding), so an eviction between its read and its write
 * is undone. Karmada never places a workload on a cluster with its eviction task otherwise (plugin ClusterEviction),
 * and the eviction follows again.
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

interface PlacedText {
  /** replicas by cluster */
  on: ReadonlyMap<string, string>;
  evicting: readonly string[];
}

/** Parses the output of `placementText`. */
export function placedIn(text: string): PlacedText {
  const [on = '', from = ''] = text.split(' | evicting ');
  const words = (list: string) => list.split(' ').filter((word) => word !== '' && word !== '-');
  return {
    on: new Map(words(on).map((word) => word.split('×') as [string, string])),
    evicting: words(from),
  };
}

/** The changes of a step from the placement before it; clusters with other replicas than before count as gained. */
export interface StepChange {
  evicted: string[];
  ended: string[];
  gained: string[];
  lost: string[];
}

/** The changes of a step; none for the first step, or without one. */
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
