import type { GracefulEvictionTask } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';

/**
 * The tasks of a list as the graceful eviction controller counts them when it asks which have timed out: with the grace period
 * that each has, or that a task before it has left to it in versions that leak it.
 */
export function countedTasks(tasks: GracefulEvictionTask[], { eviction }: Rules): GracefulEvictionTask[] {
  if (eviction.gracePeriods !== 'leakIntoTimeouts') return tasks;
  return leaking(tasks, ({ creationTimestamp }) => Boolean(creationTimestamp));
}

/** The same when it asks when to look at the tasks that stay again. */
export function countedForRetry(tasks: GracefulEvictionTask[], { eviction }: Rules): GracefulEvictionTask[] {
  if (eviction.gracePeriods !== 'leakIntoRetries') return tasks;
  return leaking(tasks, ({ suppressDeletion }) => typeof suppressDeletion !== 'boolean');
}

function leaking(
  tasks: GracefulEvictionTask[],
  counts: (task: GracefulEvictionTask) => boolean,
): GracefulEvictionTask[] {
  let leaked: number | null | undefined;
  return tasks.map((task) => {
    if (!counts(task)) return task;
    leaked = task.gracePeriodSeconds ?? leaked;
    return leaked == null || task.gracePeriodSeconds != null ? task : { ...task, gracePeriodSeconds: leaked };
  });
}
