import type { ResourceBinding } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { SchedulingRules } from './schedulerOptions.ts';
import { isClaimed } from './wakeUp.ts';

/** Why no change of a binding reaches the scheduler that it names; undefined if changes do. */
export function unheardByScheduler(
  binding: ResourceBinding,
  rules: Pick<SchedulingRules, 'suspension'>,
): Evidence | undefined {
  if (binding.spec.suspension?.scheduling && rules.suspension !== 'unknown')
    return { rule: 'its scheduling is suspended', field: 'spec.suspension.scheduling', value: true };
  if (isClaimed(binding)) return undefined;
  return {
    rule: 'no policy claims it, so the scheduler does not hear of its eviction',
    field: 'metadata.labels',
  };
}
