import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { scheduleBinding, type ScheduleOutcome } from './scheduleBinding.ts';
import { handledByScheduler } from './wakeUp.ts';

export interface NextScheduling {
  /** the binding after the scheduler has looked at it, and then at its own write */
  binding: ResourceBinding;
  /** absent if the scheduler does not look: suspended, or another scheduler's */
  outcome?: ScheduleOutcome;
}

/**
 * The binding after a write of its spec and karmada-scheduler's next look. Every write of a spec raises the
 * generation, and until the scheduler has seen the new one no task ends for the health of its replacement.
 *
 * @param now epoch milliseconds
 */
export function afterNextScheduling(
  binding: ResourceBinding,
  spec: ResourceBindingSpec,
  { snapshot, configuration, now }: { snapshot: ClusterSnapshot; configuration: Configuration; now: number },
): NextScheduling {
  const written = withGeneration({ ...binding, spec }, binding);
  if (!handledByScheduler(written, configuration)) return { binding: written };
  const outcome = scheduleBinding({ snapshot, binding: written, now });
  const scheduled: ResourceBinding = {
    ...written,
    spec: outcome.spec,
    ...(outcome.status ? { status: outcome.status } : {}),
  };
  if (outcome.spec === spec) return { binding: scheduled, outcome };
  const second = withGeneration(scheduled, written);
  if (outcome.failure) return { binding: second, outcome };
  const seen = { ...second.status, schedulerObservedGeneration: second.metadata.generation ?? 0 };
  return { binding: { ...second, status: seen }, outcome };
}

function withGeneration(binding: ResourceBinding, before: ResourceBinding): ResourceBinding {
  return {
    ...binding,
    metadata: { ...binding.metadata, generation: (before.metadata.generation ?? 0) + 1 },
  };
}
