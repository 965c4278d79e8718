import type { ResourceBindingSpec, GracefulEvictionTask } from '../api/work.ts';

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
