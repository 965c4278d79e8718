import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  BINDING_MANAGED_BY_LABEL,
  CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  DEFAULT_SCHEDULER_NAME,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../../karmada/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { clusterMatches } from '../selection/clusterAffinity.ts';

/** Whether events of a binding reach the scheduler of that name. */
export function handledByScheduler({ metadata, spec }: ResourceBinding, schedulerName: string): boolean {
  if ((spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== schedulerName || spec.suspension?.scheduling)
    return false;
  const labels = metadata.labels ?? {};
  return Boolean(
    labels[PROPAGATION_POLICY_PERMANENT_ID_LABEL] ||
    labels[CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL] ||
    labels[BINDING_MANAGED_BY_LABEL],
  );
}

/**
 * Whether an update of a binding wakes the scheduler: a new generation does, status and annotations do not;
 * an update by which the scheduler gets to see the binding counts as its creation.
 */
export function wokenByBinding(
  before: ResourceBinding | undefined,
  after: ResourceBinding,
  schedulerName: string,
): boolean {
  if (!handledByScheduler(after, schedulerName)) return false;
  if (!before || !handledByScheduler(before, schedulerName)) return true;
  return before.metadata.generation !== after.metadata.generation;
}

/** How a change of a Cluster concerns the scheduler: which of the two objects it holds against bindings. */
export function clusterEventObjects(before: Cluster, after: Cluster): Cluster[] {
  if (!before.metadata.deletionTimestamp && after.metadata.deletionTimestamp) return [after];
  if (
    before.metadata.generation !== after.metadata.generation ||
    !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {})
  )
    return [before, after];
  return [];
}

/** Whether a cluster event requeues a binding; `objects` are those of `clusterEventObjects`. */
export function wokenByCluster(
  objects: readonly Cluster[],
  { metadata, spec, status }: ResourceBinding,
  schedulerName: string,
): boolean {
  if (objects.length === 0 || !spec.placement || spec.suspension?.scheduling) return false;
  if ((spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== schedulerName) return false;
  let affinity: ClusterAffinity | undefined = spec.placement.clusterAffinity;
  const groups = spec.placement.clusterAffinities;
  if (groups) {
    if ((status?.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0)) return true;
    const observed = status?.schedulerObservingAffinityName;
    affinity = groups.find(({ affinityName }) => observed && affinityName === observed) ?? groups[0];
  }
  return affinity === undefined || objects.some((cluster) => clusterMatches(cluster, affinity));
}
