import type { GracefulEvictionTask, ResourceBindingSpec } from '../../karmada/api/work.ts';

/** What the creator of a task decides; where it goes from and how many replicas it held, the binding tells. */
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
 * Takes a cluster out of the scheduling result and leaves nothing behind, as versions before v1.12 do for the modes that purge at
 * once (RemoveCluster). The same spec comes back when the cluster is not in the result.
 */
export function removeCluster(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  const at = spec.clusters?.findIndex((target) => target.name === cluster) ?? -1;
  return at < 0 ? spec : { ...spec, clusters: spec.clusters!.toSpliced(at, 1) };
}

/**
 * Takes a cluster out of the scheduling result and leaves a graceful eviction task behind, as the taint
 * manager and application failover do (GracefulEvictCluster). The same spec comes back when
 * the cluster is not in the result; a task that the cluster already has stays as it is and no second one is
 * added. The task has no creationTimestamp: the graceful eviction controller writes that.
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
