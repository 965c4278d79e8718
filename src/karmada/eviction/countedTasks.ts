import type { GracefulEvictionTask } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';

/** A cache by list: callers ask once for each task. */
const leakedIntoTimeouts = new WeakMap<GracefulEvictionTask[], GracefulEvictionTask[]>();

/**
 * The tasks of a list as the graceful eviction controller checks them for timeouts: each with its own
 * gracePeriodSeconds or, in versions with that bug, with that of an earlier task.
 */
export function countedTasks(tasks: GracefulEvictionTask[], { eviction }: Rules): GracefulEvictionTask[] {
  if (eviction.gracePeriods !== 'leakIntoTimeouts') return tasks;
  let counted = leakedIntoTimeouts.get(tasks);
  if (!counted) {
    counted = leaking(tasks, ({ creationTimestamp }) => Boolean(creationTimestamp));
    leakedIntoTimeouts.set(tasks, counted);
  }
  return counted;
}

/** The same for the time of the controller's next look at the tasks that stay. */
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
