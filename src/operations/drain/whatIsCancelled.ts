import { drainMarkOf, hasDrainTaint, isCordoned, uncordoned } from '../../analysis/drain/cordon.ts';
import type { DrainMark } from '../../analysis/drain/drainOptions.ts';
import { isDrainTask } from '../../karmada/eviction/drainTask.ts';
import { isFaulty } from '../../karmada/taints/evictingTaints.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../karmada/api/work.ts';
import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../karmada/api/names.ts';
import { instant } from '../../kubernetes/time.ts';

/** The drains to cancel. */
export interface Cancelled {
  clusters: ReadonlySet<string>;
  /**
   * the clusters from which only a drain's taint makes Karmada evict, and since when (epoch milliseconds): the drain
   * has caused Karmada's evictions since then
   */
  taintedSince: ReadonlyMap<string, number>;
}

/** What cancelling the drains of the named clusters covers, by the clusters as they are now. */
export function whatIsCancelled(names: Iterable<string>, clusters: readonly Cluster[]): Cancelled {
  const own = new Set(names);
  const taintedSince = new Map<string, number>();
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const mark = drainMarkOf(cluster);
    const started = mark?.started ? instant(mark.started) : undefined;
    if (!own.has(name) || started === undefined) continue;
    if (mark?.method !== 'taint' && !hasDrainTaint(cluster)) continue;
    // PreferNoExecute, which also evicts, only exists on Clusters of versions that heed it
    if (!isFaulty(uncordoned(cluster))) taintedSince.set(name, started);
  }
  return { clusters: own, taintedSince };
}

/** The new mark of a cluster, if the cancelled drains also drain it; undefined if its mark stays. */
export function remainingMark(cluster: Cluster, cancelled: ReadonlySet<string>): DrainMark | undefined {
  const mark = drainMarkOf(cluster);
  if (!mark || !isCordoned(cluster) || cancelled.has(cluster.metadata.name)) return undefined;
  const clusters = mark.clusters.filter((name) => !cancelled.has(name));
  return clusters.length === mark.clusters.length ? undefined : { ...mark, clusters };
}

/** How many bindings have a drain's held task for a cluster. */
export function heldOn(cluster: string, bindings: Iterable<ResourceBinding>): number {
  let held = 0;
  for (const { spec } of bindings)
    if (spec.gracefulEvictionTasks?.some((task) => task.fromCluster === cluster && isHeld(task))) held++;
  return held;
}

function isHeld(task: GracefulEvictionTask): boolean {
  return isDrainTask(task) && task.suppressDeletion === true;
}

/** The cancelled clusters that the tasks of their drains take out of the binding. */
export function clustersToRestore(
  { spec }: ResourceBinding,
  { clusters, taintedSince }: Cancelled,
): string[] {
  return (spec.gracefulEvictionTasks ?? [])
    .filter((task) => clusters.has(task.fromCluster) && (isDrainTask(task) || isOfTaint(task, taintedSince)))
    .map(({ fromCluster }) => fromCluster);
}

/** Whether Karmada has evicted because of a drain's taint; creation timestamps of tasks are in whole seconds. */
function isOfTaint(
  { fromCluster, producer, creationTimestamp }: GracefulEvictionTask,
  taintedSince: Cancelled['taintedSince'],
): boolean {
  const since = taintedSince.get(fromCluster);
  if (since === undefined || producer !== EVICTION_PRODUCER_TAINT_MANAGER) return false;
  const created = creationTimestamp ? instant(creationTimestamp) : undefined;
  return created === undefined || created >= since - 1000;
}
