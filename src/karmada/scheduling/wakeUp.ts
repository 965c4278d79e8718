import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Cluster } from '../api/cluster.ts';
import {
  BINDING_MANAGED_BY_LABEL,
  CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  DEFAULT_SCHEDULER_NAME,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../api/names.ts';
import type { ClusterAffinity } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { Affinities } from '../selection/clusterAffinity.ts';
import type { SchedulingRules } from './schedulerOptions.ts';

/** The settings that decide whether the scheduler wakes up. */
interface WakeConfiguration {
  rules: { scheduling: Pick<SchedulingRules, 'suspension' | 'deletingClusters'> };
  scheduler: { 'scheduler-name': string };
}

/** Whether events of a binding reach the scheduler. */
export function handledByScheduler(
  binding: ResourceBinding,
  { rules, scheduler }: WakeConfiguration,
): boolean {
  const { spec } = binding;
  if ((spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== scheduler['scheduler-name']) return false;
  if (rules.scheduling.suspension !== 'unknown' && spec.suspension?.scheduling) return false;
  return isClaimed(binding);
}

/**
 * Whether a policy or a controller has labelled a binding as its own; the scheduler ignores events of other bindings.
 */
function isClaimed({ metadata }: ResourceBinding): boolean {
  const labels = metadata.labels ?? {};
  return Boolean(
    labels[PROPAGATION_POLICY_PERMANENT_ID_LABEL] ||
    labels[CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL] ||
    labels[BINDING_MANAGED_BY_LABEL],
  );
}

/**
 * Whether an update of a binding wakes the scheduler: a new generation does, status and annotations do not; an update
 * that makes the binding visible to the scheduler counts as its creation.
 */
export function wakesOfBinding(
  before: ResourceBinding | undefined,
  after: ResourceBinding,
  configuration: WakeConfiguration,
): boolean {
  if (!handledByScheduler(after, configuration)) return false;
  if (!before || !handledByScheduler(before, configuration)) return true;
  return before.metadata.generation !== after.metadata.generation;
}

/**
 * Which of the two Cluster objects of a change the scheduler compares with bindings. Since v1.14 a deletion is a
 * separate event; before, the changed generation counts.
 */
export function clusterEventObjects(
  before: Cluster,
  after: Cluster,
  { rules }: Pick<WakeConfiguration, 'rules'>,
): Cluster[] {
  const deleted = !before.metadata.deletionTimestamp && after.metadata.deletionTimestamp;
  if (deleted && rules.scheduling.deletingClusters === 'skipped') return [after];
  if (
    before.metadata.generation !== after.metadata.generation ||
    !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {})
  )
    return [before, after];
  return [];
}

/**
 * Whether a cluster event requeues a binding; `objects` are those of `clusterEventObjects`. From v1.13.0 to v1.13.2
 * even while scheduling is suspended.
 */
export function wakesOfCluster(
  objects: readonly Cluster[],
  { metadata, spec, status }: ResourceBinding,
  { rules, scheduler }: WakeConfiguration,
  affinities: Affinities,
): boolean {
  if (objects.length === 0 || !spec.placement) return false;
  if (rules.scheduling.suspension === 'respected' && spec.suspension?.scheduling) return false;
  if ((spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== scheduler['scheduler-name']) return false;
  let affinity: ClusterAffinity | undefined = spec.placement.clusterAffinity;
  const groups = spec.placement.clusterAffinities;
  if (groups) {
    if ((status?.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0)) return true;
    const observed = status?.schedulerObservingAffinityName;
    affinity = groups.find(({ affinityName }) => observed && affinityName === observed) ?? groups[0];
  }
  return affinity === undefined || objects.some((cluster) => affinities.matches(cluster, affinity));
}

/**
 * A key of all that `wakesOfCluster` reads from a binding: a cluster event wakes all bindings with the same key, or
 * none.
 */
export function wakeGroup({ metadata, spec, status }: ResourceBinding): string {
  const { placement, schedulerName, suspension } = spec;
  const groups = placement?.clusterAffinities;
  return JSON.stringify([
    ...[schedulerName, suspension?.scheduling, placement !== undefined],
    ...[placement?.clusterAffinity, groups],
    groups && [
      status?.schedulerObservedGeneration,
      metadata.generation,
      status?.schedulerObservingAffinityName,
    ],
  ]);
}

/** Why changes of a binding do not reach its scheduler; undefined if they do. */
export function unseenByScheduler(
  binding: ResourceBinding,
  rules: Pick<SchedulingRules, 'suspension'>,
): Evidence | undefined {
  if (binding.spec.suspension?.scheduling && rules.suspension !== 'unknown')
    return { rule: 'its scheduling is suspended', field: 'spec.suspension.scheduling', value: true };
  if (isClaimed(binding)) return undefined;
  return {
    rule: 'no policy claims it, so its eviction does not reach the scheduler',
    field: 'metadata.labels',
  };
}
