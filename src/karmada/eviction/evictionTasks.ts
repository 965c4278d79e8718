import type { PurgeMode } from '../api/policy.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';

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

/** The spec with the tasks from a cluster changed; the same spec if nothing changes. */
export function withTasks(
  spec: ResourceBindingSpec,
  cluster: string,
  change: (task: GracefulEvictionTask) => GracefulEvictionTask,
): ResourceBindingSpec {
  const before = spec.gracefulEvictionTasks ?? [];
  const after = before.map((task) => (task.fromCluster === cluster ? change(task) : task));
  if (after.every((task, at) => task === before[at])) return spec;
  return { ...spec, gracefulEvictionTasks: after };
}

/** The spec with suppressDeletion: true for the cluster's task, whoever made it; the same spec if it is so. */
export function holdTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) =>
    task.suppressDeletion === true ? task : { ...task, suppressDeletion: true },
  );
}

/**
 * The spec without suppressDeletion in the cluster's task, so that Karmada decides: the old copy goes once the
 * replacement is healthy or the time is over. The same spec if no task has it.
 */
export function releaseTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) => {
    if (task.suppressDeletion === undefined || task.suppressDeletion === null) return task;
    const { suppressDeletion: _held, ...released } = task;
    return released;
  });
}

/**
 * The spec with suppressDeletion: false in the cluster's task: Karmada ends it and deletes the old copy, whatever
 * replaces it.
 */
export function completeTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) =>
    task.suppressDeletion === false ? task : { ...task, suppressDeletion: false },
  );
}

// Each mode except Never has had two names, in some versions both at once. Karmada never rewrites one name to the
// other; for a name that a version does not know, both functions return false.

/** Whether the old copy goes at once, before the new one starts. */
export function purgesDirectly(mode: PurgeMode | undefined, { eviction }: Rules): boolean {
  return mode !== undefined && eviction.directPurgeModes.includes(mode);
}

/** Whether the old copy stays until the task ends. A task without a mode behaves the same, but is not of this mode. */
export function purgesGracefully(mode: PurgeMode | undefined, { admission }: Rules): boolean {
  return mode !== undefined && admission.gracefulPurgeModes.includes(mode);
}

/** What no controller changes of an eviction task once it is there: if one of these differs, a person or another program wrote it. */
export function taskSettings({
  gracePeriodSeconds,
  suppressDeletion,
  purgeMode,
}: GracefulEvictionTask): readonly unknown[] {
  return [gracePeriodSeconds, suppressDeletion, purgeMode];
}
