import type { PlannedWorkload } from '../../engine/drain/plan/drainPlan.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { workloadName } from '../workloadName.ts';

/** What the server says to a write that it was asked to check alone, in kubectl's way. */
export function rehearsedText({
  object,
  workload,
  refused,
}: {
  object: ObjectIdentity;
  workload?: PlannedWorkload;
  refused?: string;
}): string {
  const what = workload
    ? `${workloadName(workload)} evicted from ${workload.from.map(({ name }) => name).join(' and ')}`
    : `cluster/${object.name} cordoned`;
  return refused === undefined
    ? `${what} (server dry run)`
    : `${what.replace(/ (evicted|cordoned)/, ' not $1')}: ${refused} (server dry run)`;
}
