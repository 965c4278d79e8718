import type { ResourceBinding, Work } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { instant } from '../../kubernetes/time.ts';
import { entitledClusters } from './works.ts';

/** Milliseconds within which the Works of a scheduling are made, and the error of times in whole seconds. */
const MADE_WITHIN = 3000;

/** The clusters with captured Works that nothing in their binding asks for. */
export interface OrphanedWorks {
  /** the binding controller has these still to delete, as it does with each change of a binding (RemoveOrphanWorks) */
  left: string[];
  /** these were made after the last scheduling that the binding tells of, so that the binding was read before */
  later: string[];
}

/** Sorts out the Works of a binding, by cluster, that it does not ask for (ObtainBindingSpecExistingClusters) and that are not being deleted. */
export function orphanedWorks(
  { spec, status }: ResourceBinding,
  works: ReadonlyMap<string, Work>,
  rules: Rules,
): OrphanedWorks {
  const entitled = entitledClusters(spec, rules);
  const scheduled = status?.lastScheduledTime ? instant(status.lastScheduledTime) : -Infinity;
  const found: OrphanedWorks = { left: [], later: [] };
  for (const [cluster, { metadata }] of works) {
    if (metadata.deletionTimestamp || entitled.has(cluster)) continue;
    const made = metadata.creationTimestamp ? instant(metadata.creationTimestamp) : -Infinity;
    found[made > scheduled + MADE_WITHIN ? 'later' : 'left'].push(cluster);
  }
  return found;
}
