import type { PlacementStep } from './steps.ts';

/** What `placementText` has put in words. */
export interface PlacedText {
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
