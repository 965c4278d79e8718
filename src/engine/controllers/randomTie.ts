import { deepEqual } from '../../kubernetes/deepEqual.ts';
import {
  scheduleBinding,
  type ScheduleOutcome,
  type ScheduleRequest,
} from '../scheduling/scheduleBinding.ts';

/** One of the uids by which ties go to the later names; without a uid they go to the earlier ones. */
const OTHER_UID = 'b';

/**
 * Whether a tie decides where a binding is placed that nobody can foretell: before Karmada v1.16 ties are random, since then
 * the uid of the object breaks them, and one that is only made in a scenario has none yet.
 *
 * @param outcome what comes of the request: another placement
 */
export function placedByChance(
  { snapshot, binding, now }: Pick<ScheduleRequest, 'snapshot' | 'binding' | 'now'>,
  outcome: ScheduleOutcome,
): boolean {
  if (outcome.tie) return true;
  const { spec } = binding;
  if (spec.resource.uid) return false;
  const named = { ...binding, spec: { ...spec, resource: { ...spec.resource, uid: OTHER_UID } } };
  const other = scheduleBinding({ snapshot, binding: named, now });
  return !deepEqual(other.spec.clusters, outcome.spec.clusters);
}
