import type { PurgeMode } from '../api/policy.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';

/** The fields that a task's creator sets; fromCluster and replicas are taken from the binding. */
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
 * Removes a cluster from spec.clusters without a task, as versions before v1.12 do for immediate purge modes
 * (RemoveCluster). Returns the same spec if the cluster is not there.
 */
export function removeCluster(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  const at = spec.clusters?.findIndex((target) => target.name === cluster) ?? -1;
  return at < 0 ? spec : { ...spec, clusters: spec.clusters!.toSpliced(at, 1) };
}

/**
 * Removes a cluster from spec.clusters and adds a gracefulEvictionTask, as the taint manager and application failover
 * do (GracefulEvictCluster). Returns the same spec if the cluster is not there. If the cluster already has a task, that
 * task is unchanged and no second one is added. The new task has no creationTimestamp: the graceful eviction controller
 * sets it.
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

/** The spec with changed tasks from a cluster; the same spec if nothing changes. */
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

/** The spec with suppressDeletion: true in the cluster's task, regardless of its creator; the same spec if already set. */
export function holdTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) =>
    task.suppressDeletion === true ? task : { ...task, suppressDeletion: true },
  );
}

/**
 * The spec without suppressDeletion in the cluster's task, so that Karmada decides: it deletes the old copy once the
 * replacement is healthy or the timeout has passed. The same spec if no task has it.
 */
export function releaseTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) => {
    if (task.suppressDeletion === undefined || task.suppressDeletion === null) return task;
    const { suppressDeletion: _held, ...released } = task;
    return released;
  });
}

/**
 * The spec with suppressDeletion: false in the cluster's task: Karmada ends it and deletes the old copy, with or
 * without a replacement.
 */
export function completeTask(spec: ResourceBindingSpec, cluster: string): ResourceBindingSpec {
  return withTasks(spec, cluster, (task) =>
    task.suppressDeletion === false ? task : { ...task, suppressDeletion: false },
  );
}

// Each mode except Never has had two names, in some versions both at once. Karmada never rewrites one name to the
// other; for a name unknown to a version, both functions return false.

/** Whether the old copy is deleted at once, before the new one starts. */
export function purgesDirectly(mode: PurgeMode | undefined, { eviction }: Rules): boolean {
  return mode !== undefined && eviction.directPurgeModes.includes(mode);
}

/** Whether the old copy stays until the task ends. A task without a mode does the same, but has no such mode. */
export function purgesGracefully(mode: PurgeMode | undefined, { admission }: Rules): boolean {
  return mode !== undefined && admission.gracefulPurgeModes.includes(mode);
}

/** The fields of an eviction task that no controller changes: if one differs, a user or another program wrote it. */
export function taskSettings({
  gracePeriodSeconds,
  suppressDeletion,
  purgeMode,
}: GracefulEvictionTask): readonly unknown[] {
  return [gracePeriodSeconds, suppressDeletion, purgeMode];
}
