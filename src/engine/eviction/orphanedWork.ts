import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { instant } from '../../kubernetes/time.ts';
import { entitledClusters } from './works.ts';

/** Milliseconds within which the Works of a scheduling are made, and the error of times in whole seconds. */
const MADE_WITHIN = 3000;

/**
 * What a captured Work is that nothing in its binding asks for (ObtainBindingSpecExistingClusters). `left`: the binding controller has
 * it still to delete, as it does with each change of a binding (RemoveOrphanWorks). `later`: it was made after the last scheduling that
 * the binding tells of, so that the binding was read before. Undefined for any other Work.
 */
export function orphanedWork(
  { spec, status }: ResourceBinding,
  cluster: string,
  { metadata }: Work,
  rules: Rules,
): 'left' | 'later' | undefined {
  if (metadata.deletionTimestamp || entitledClusters(spec, rules).has(cluster)) return undefined;
  const made = metadata.creationTimestamp ? instant(metadata.creationTimestamp) : undefined;
  const scheduled = status?.lastScheduledTime ? instant(status.lastScheduledTime) : undefined;
  return made !== undefined && (scheduled === undefined || made > scheduled + MADE_WITHIN) ? 'later' : 'left';
}
