import type { ResourceBindingSpec } from '../../karmada/api/work.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { placementOf, type Placed } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** The steps so far as one text for each binding that has moved, or whose Works have changed. */
export interface PlacementSteps extends Pick<ReadonlyMap<string, string>, 'get' | 'has'> {
  keys(): Iterable<string>;
}

/** Follows where bindings are placed, and how often a Work of theirs is written and deleted on each cluster. */
export function placementSteps(time: VirtualTime): PlacementSteps {
  const steps = new Map<string, { before: Placed | undefined; later: (Placed | undefined)[] }>();
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
      const placed = after && placedBy(after.spec);
      const known = steps.get(key);
      if (known) known.later.push(placed);
      else steps.set(key, { before: before && placedBy(before.spec), later: [placed] });
    }
  });

  /** The placements of a binding; a placement that was written again unchanged counts once. */
  function textsOf(key: string): string[] {
    const { before, later = [] } = steps.get(key) ?? {};
    const texts = later.map(text).filter((placement, at, all) => placement !== all[at - 1]);
    return before ? [text(before), ...texts] : texts;
  }

  function has(key: string): boolean {
    return works.has(key) || steps.get(key)?.before !== undefined || textsOf(key).length > 1;
  }

  return {
    has,
    keys: () => new Set([...steps.keys(), ...works.keys()]),
    get(key) {
      if (!has(key)) return undefined;
      const counts = Array.from(works.get(key) ?? [], ([step, count]) => `${step} ${count}`).sort();
      return `${textsOf(key).join(' → ')}; ${counts.join(', ')}`;
    },
  };
}

/** The rest of a spec need not be kept in memory. */
function placedBy({ clusters, gracefulEvictionTasks }: ResourceBindingSpec): Placed {
  return { clusters, gracefulEvictionTasks };
}

interface Deletable {
  metadata: { deletionTimestamp?: string | null };
}

function startsToGo(before: Deletable, after: Deletable | undefined): boolean {
  return !before.metadata.deletionTimestamp && (!after || Boolean(after.metadata.deletionTimestamp));
}

function text(placed: Placed | undefined): string {
  if (!placed) return 'gone';
  const { clusters, evicting } = placementOf(placed);
  const on = clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
  return `${on.join(' ')}|${[...evicting].sort().join(' ')}`;
}
