import type { ResourceBinding } from '../../karmada/api/work.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/names.ts';
import type { Evidence } from '../evidence.ts';
import { handledByScheduler } from './wakeUp.ts';

/** Why no change of a binding reaches the scheduler that it names; undefined where changes do. */
export function unheardByScheduler(binding: ResourceBinding): Evidence | undefined {
  const { suspension, schedulerName } = binding.spec;
  if (suspension?.scheduling)
    return { rule: 'its scheduling is suspended', field: 'spec.suspension.scheduling', value: true };
  if (handledByScheduler(binding, schedulerName || DEFAULT_SCHEDULER_NAME)) return undefined;
  return {
    rule: 'no policy claims it, so the scheduler does not look after it',
    field: 'metadata.labels',
  };
}
