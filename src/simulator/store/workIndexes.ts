import type { Work } from '../../karmada/api/work.ts';
import { snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import { bindingPermanentId, clusterOfWork, namedBinding } from '../../karmada/objects/worksOfBinding.ts';
import type { BindingIndexes } from './bindingIndexes.ts';
import { compareText } from './indexes.ts';
import type { StartingWorld } from './startingWorld.ts';

/** Indexes of the Works of a changing world. */
export interface WorkIndexes {
  /** the Works of a binding by cluster, in order */
  of(binding: string): ReadonlyMap<string, Work>;
  /** the key of the binding that a Work belongs to */
  ownerOf(work: Work): string | undefined;
  changed(key: string, before: Work | undefined, after: Work | undefined): void;
}

/** Indexes in which nothing has changed since the start. */
export function createWorkIndexes(start: StartingWorld, bindings: BindingIndexes): WorkIndexes {
  /** the Works of bindings whose Works have changed */
  const changed = new Map<string, Map<string, Work>>();
  /** those of them whose Works are out of order */
  const unsorted = new Set<string>();
  const owners = new Map<string, string>();

  function of(binding: string): ReadonlyMap<string, Work> {
    const own = changed.get(binding);
    if (!own) return start.works(binding);
    if (!unsorted.delete(binding)) return own;
    const sorted = new Map([...own].sort(([a], [b]) => compareText(a, b)));
    changed.set(binding, sorted);
    return sorted;
  }

  function ownerOf(work: Work): string | undefined {
    const key = workKey(work);
    const known = owners.get(key) ?? start.ownerOf(key);
    if (known !== undefined) return known;
    const id = bindingPermanentId(work.metadata);
    if (id !== undefined) return bindings.withId(id);
    const named = namedBinding(work);
    return named && snapshotKey(named);
  }

  return {
    of,
    ownerOf,
    changed(key, before, after) {
      const work = (after ?? before)!;
      const owner = ownerOf(work);
      const cluster = clusterOfWork(work);
      if (owner === undefined || cluster === undefined) return;
      owners.set(key, owner);
      let own = changed.get(owner);
      if (!own) changed.set(owner, (own = new Map(start.works(owner))));
      if (!after) own.delete(cluster);
      else {
        if (!own.has(cluster)) unsorted.add(owner);
        own.set(cluster, after);
      }
    },
  };
}
