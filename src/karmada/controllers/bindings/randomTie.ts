import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import {
  scheduleBinding,
  type ScheduleOutcome,
  type ScheduleRequest,
} from '../../scheduling/scheduleBinding.ts';

/** A uid that breaks ties in favour of later names. Without a uid, the earlier names win. */
const OTHER_UID = 'b';

/**
 * Whether an unpredictable tie decides where a binding is placed: before Karmada v1.16 ties are random; since then the
 * object's uid breaks them, and an object that a scenario creates has no uid yet.
 *
 * @param outcome the scheduling result of a request, to compare
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
