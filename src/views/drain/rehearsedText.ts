import type { PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { workloadName } from '../words/workloadName.ts';

/** The server's answer to a write that it only had to check, in kubectl's form. */
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
