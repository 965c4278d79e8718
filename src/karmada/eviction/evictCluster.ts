import type { GracefulEvictionTask, ResourceBindingSpec } from '../api/work.ts';

/** The fields that a task's creator decides; fromCluster and replicas come from the binding. */
export type EvictionTaskOptions = Partial<
  Pick<
    GracefulEvictionTask,
    | 'purgeMode'
    | 'producer'
    | 'reason'
    | 'message'
    | 'gracePeriodSeconds'
    | 'suppressDeletion'
    | 'preservedLabelState'
    | 'clustersBeforeFailover'
  >
>;

/**
 * Removes a cluster from spec.clusters without a task, as versions before v1.12 do for the modes that purge at once
 * (RemoveCluster). Returns the same spec if the cluster is not there.
 */
export function removeCluster(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  const at = spec.clusters?.findIndex((target) => target.name === cluster) ?? -1;
  return at < 0 ? spec : { ...spec, clusters: spec.clusters!.toSpliced(at, 1) };
}

/**
 * Removes a cluster from spec.clusters and adds a gracefulEvictionTask, as the taint manager and application failover
 * do (GracefulEvictCluster). Returns the same spec if the cluster is not there. If the cluster has a task already, that
 * stays as it is and no second one is added. The task has no creationTimestamp: the graceful eviction controller sets
 * it.
 */
export function evictCluster(
  spec: ResourceBindingSpec,
  cluster: string,
  options: EvictionTaskOptions,
): ResourceBindingSpec {
  const at = spec.clusters?.findIndex((target) => target.name === cluster) ?? -1;
  if (at < 0) return spec;
  const target = spec.clusters![at]!;
  const clusters = spec.clusters!.toSpliced(at, 1);
  const tasks = spec.gracefulEvictionTasks ?? [];
  if (tasks.some((task) => task.fromCluster === cluster)) return { ...spec, clusters };
  const task: GracefulEvictionTask = {
    fromCluster: cluster,
    ...(options.purgeMode && { purgeMode: options.purgeMode }),
    ...((target.replicas ?? 0) > 0 && { replicas: target.replicas }),
    reason: options.reason ?? '',
    ...(options.message && { message: options.message }),
    producer: options.producer ?? '',
    ...(options.gracePeriodSeconds != null && { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.suppressDeletion != null && { suppressDeletion: options.suppressDeletion }),
    ...(options.preservedLabelState &&
      Object.keys(options.preservedLabelState).length > 0 && {
        preservedLabelState: options.preservedLabelState,
      }),
    ...(options.clustersBeforeFailover?.length && {
      clustersBeforeFailover: options.clustersBeforeFailover,
    }),
  };
  return { ...spec, clusters, gracefulEvictionTasks: [...tasks, task] };
}
