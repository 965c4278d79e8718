import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { withBlocksAt } from './filters/clusterEviction.ts';
import type { FilterContext } from './filters/filter.ts';
import { rejectionReason } from './filters/filters.ts';
import { type ScheduleOutcome, scheduleBinding } from './scheduleBinding.ts';
import { handledByScheduler } from './wakeUp.ts';

export interface NextScheduling {
  /** the binding after the scheduler's attempt, and after the second attempt, triggered by its own write */
  binding: ResourceBinding;
  /** absent if the scheduler makes no attempt: suspended, or another scheduler is responsible */
  outcome?: ScheduleOutcome;
}

/**
 * The binding after a write of its spec and karmada-scheduler's next attempt. Every write of a spec raises the
 * generation, and until the scheduler has processed it no task ends because its replacement is healthy.
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

/**
 * Whether karmada-scheduler may choose a cluster for a binding again after the eviction: all filters accept the cluster
 * if the binding is on none of the clusters to leave and has no eviction task for it. Capacity, spread and scores may still
 * rule it out.
 *
 * @param leave names of the clusters to leave
 * @param context a snapshot of the clusters
 * @param now epoch milliseconds
 */
export function mayReturn(
  { spec, status }: ResourceBinding,
  leave: readonly string[],
  cluster: Cluster,
  context: FilterContext,
  now: number,
): boolean {
  if (cluster.metadata.deletionTimestamp) return false;
  const after: ResourceBindingSpec = {
    ...withBlocksAt(spec, now),
    clusters: (spec.clusters ?? []).filter(({ name }) => !leave.includes(name)),
    gracefulEvictionTasks: [],
  };
  return context.filters.every(
    (filter) => rejectionReason(filter, after, status, context)(cluster) === undefined,
  );
}
