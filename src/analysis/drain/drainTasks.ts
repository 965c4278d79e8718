import type { GracefulEvictionTask, ResourceBindingSpec } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { completeTask, evictCluster, releaseTask, withTasks } from '../../karmada/eviction/evictionTasks.ts';
import { DRAIN_PRODUCER, DRAIN_REASON, drainMessage, isDrainTask } from '../../karmada/eviction/drainTask.ts';
import type { DrainOptions } from './drainOptions.ts';
import { evictPluginsOf, timesOut } from '../../karmada/eviction/evictionRule.ts';

/** How an old copy is removed. */
type EvictionManner = Pick<DrainOptions, 'purgeMode' | 'gracePeriodSeconds' | 'hold'>;

const HELD: EvictionManner = { purgeMode: 'Gracefully', hold: true };

/**
 * The spec without the clusters, and with a drain's gracefulEvictionTask for each that was in spec.clusters; the same
 * spec if none was. In one write, since otherwise the replicas of one cluster could move to another: the taint filter
 * passes a binding's own clusters. The task's message records the earlier placement for operators and for
 * `restoreClusters`. A drain's existing task is held again: a replacement that was ready at its release may no longer
 * be.
 *
 * @param isHeldAnyway whether another drain holds the copies on this cluster
 */
export function evictFromClusters(
  spec: ResourceBindingSpec,
  clusters: Iterable<string>,
  options: EvictionManner,
  isHeldAnyway: (cluster: string) => boolean = () => false,
): ResourceBindingSpec {
  const message = drainMessage(spec.clusters ?? []);
  let after = spec;
  for (const cluster of clusters) {
    const { purgeMode, gracePeriodSeconds, hold } = isHeldAnyway(cluster) ? HELD : options;
    after = evictCluster(after, cluster, {
      purgeMode,
      producer: DRAIN_PRODUCER,
      reason: DRAIN_REASON,
      message,
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(hold ? { suppressDeletion: true } : {}),
    });
    if (hold)
      after = withTasks(after, cluster, (task) =>
        isDrainTask(task) && task.suppressDeletion !== true ? { ...task, suppressDeletion: true } : task,
      );
  }
  return after;
}

/**
 * The spec of a dependent with a held drain task for each of the clusters, so that its copies stay there even if its
 * parents leave; the same spec if each has one. Other producers' tasks are not changed.
 */
export function holdDependent(spec: ResourceBindingSpec, clusters: readonly string[]): ResourceBindingSpec {
  const tasks = spec.gracefulEvictionTasks ?? [];
  const missing = clusters.filter((cluster) => !tasks.some(({ fromCluster }) => fromCluster === cluster));
  if (missing.length === 0) return spec;
  const added = missing.map((fromCluster): GracefulEvictionTask => ({
    fromCluster,
    purgeMode: 'Gracefully',
    reason: DRAIN_REASON,
    message: 'kept by kubectl karmada-failover while what needs it is drained',
    producer: DRAIN_PRODUCER,
    suppressDeletion: true,
  }));
  return { ...spec, gracefulEvictionTasks: [...tasks, ...added] };
}

/** The spec of a dependent without a drain's tasks for the clusters. */
export function releaseDependent(
  spec: ResourceBindingSpec,
  clusters: readonly string[],
): ResourceBindingSpec {
  const tasks = (spec.gracefulEvictionTasks ?? []).filter(
    (task) => !isDrainTask(task) || !clusters.includes(task.fromCluster),
  );
  const { gracefulEvictionTasks: _tasks, ...rest } = spec;
  return tasks.length > 0 ? { ...rest, gracefulEvictionTasks: tasks } : rest;
}

/**
 * Releases the copies that a drain's own tasks hold in the clusters, in one write: `releaseTask`, or `completeTask` if
 * Karmada would not end a released task by itself. Other producers' tasks are not changed.
 *
 * @param unreplaced the copies should be deleted without a replacement
 */
export function releaseTasks(
  spec: ResourceBindingSpec,
  clusters: Iterable<string>,
  configuration: Configuration,
  unreplaced = false,
): ResourceBindingSpec {
  const own = new Map(
    spec.gracefulEvictionTasks?.filter(isDrainTask).map((task) => [task.fromCluster, task] as const),
  );
  const byHealth = !unreplaced && evictPluginsOf(configuration).includes('ResourceHealth');
  let after = spec;
  for (const cluster of clusters) {
    const task = own.get(cluster);
    if (task?.suppressDeletion !== true) continue;
    const ends = byHealth || timesOut(task, configuration.rules);
    after = ends ? releaseTask(after, cluster) : completeTask(after, cluster);
  }
  return after;
}

/**
 * The clusters, and those evicted together with them because the scheduler would have dropped them: unless cancelled
 * too, their tasks would be held forever. Excludes clusters that are drained themselves.
 *
 * @param isDrained whether a drain has marked the cluster
 */
export function evictedTogether(
  { gracefulEvictionTasks = [] }: ResourceBindingSpec,
  clusters: readonly string[],
  isDrained: (cluster: string) => boolean,
): string[] {
  const ours = gracefulEvictionTasks.filter(isDrainTask);
  const evictions = new Set(
    ours.filter(({ fromCluster }) => clusters.includes(fromCluster)).map(({ message }) => message),
  );
  const others = ours
    .filter(({ message }) => message !== undefined && evictions.has(message))
    .map(({ fromCluster }) => fromCluster)
    .filter((cluster) => !clusters.includes(cluster) && !isDrained(cluster));
  return [...clusters, ...others];
}
