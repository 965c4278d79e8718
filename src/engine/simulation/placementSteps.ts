import { bindingKey } from '../objects/identities.ts';
import { placementOf } from '../objects/placement.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** The steps so far as one text for each binding that has moved, or whose Works have changed. */
export type PlacementSteps = Pick<ReadonlyMap<string, string>, 'get' | 'has'>;

/** Follows where bindings are placed, and how often a Work of theirs is written and deleted on each cluster. */
export function placementSteps(time: VirtualTime): PlacementSteps {
  const steps = new Map<string, { last: string; all: string }>();
  const works = new Map<string, Map<string, number>>();
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind === 'Work') {
        const { before, after } = change;
        const what = !before ? 'written' : startsToGo(before, after) ? 'deleted' : undefined;
        const work = after ?? before;
        const binding = what && work && time.view.bindingOf(work);
        if (!binding) continue;
        const key = bindingKey(binding);
        const counts = works.get(key) ?? new Map<string, number>();
        works.set(key, counts);
        const step = `${clusterOfWork(work) ?? ''} ${what}`;
        counts.set(step, (counts.get(step) ?? 0) + 1);
        continue;
      }
      if (change.kind !== 'Binding') continue;
      const { key, before, after } = change;
      if (
        before?.spec.clusters === after?.spec.clusters &&
        before?.spec.gracefulEvictionTasks === after?.spec.gracefulEvictionTasks
      )
        continue;
      const placement = after ? text(placementOf(after.spec)) : 'gone';
      const known = steps.get(key);
      if (known?.last === placement) continue;
      const earlier = known?.all ?? (before && text(placementOf(before.spec)));
      steps.set(key, {
        last: placement,
        all: earlier === undefined ? placement : `${earlier} → ${placement}`,
      });
    }
  });

  function has(key: string): boolean {
    const own = steps.get(key);
    return (own !== undefined && own.all !== own.last) || works.has(key);
  }

  return {
    has,
    get(key) {
      if (!has(key)) return undefined;
      const counts = Array.from(works.get(key) ?? [], ([step, count]) => `${step} ${count}`).sort();
      return `${steps.get(key)?.all ?? ''}; ${counts.join(', ')}`;
    },
  };
}

interface Deletable {
  metadata: { deletionTimestamp?: string | null };
}

function startsToGo(before: Deletable, after: Deletable | undefined): boolean {
  return !before.metadata.deletionTimestamp && (!after || Boolean(after.metadata.deletionTimestamp));
}

function text({ clusters, evicting }: ReturnType<typeof placementOf>): string {
  const on = clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
  return `${on.join(' ')}|${[...evicting].sort().join(' ')}`;
}
