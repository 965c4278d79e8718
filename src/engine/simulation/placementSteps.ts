import { placementOf } from '../objects/placement.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** Follows where bindings are placed; what it returns gives the steps so far as one text for each binding that has moved. */
export function placementSteps(time: VirtualTime): () => ReadonlyMap<string, string> {
  const steps = new Map<string, string[]>();
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind !== 'Binding') continue;
      const { key, before, after } = change;
      if (
        before?.spec.clusters === after?.spec.clusters &&
        before?.spec.gracefulEvictionTasks === after?.spec.gracefulEvictionTasks
      )
        continue;
      const placement = after ? text(placementOf(after.spec)) : 'gone';
      const own = steps.get(key);
      if (!own) steps.set(key, before ? [text(placementOf(before.spec)), placement] : [placement]);
      else if (own.at(-1) !== placement) own.push(placement);
    }
  });
  return () =>
    new Map([...steps].filter(([, own]) => own.length > 1).map(([key, own]) => [key, own.join(' → ')]));
}

function text({ clusters, evicting }: ReturnType<typeof placementOf>): string {
  const on = clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
  return `${on.join(' ')}|${[...evicting].sort().join(' ')}`;
}
