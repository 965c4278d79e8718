import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { isDrainTask } from '../../karmada/eviction/drainTask.ts';
import { drainMarkOf, isCordoned, isMarkOf, markOfDrain } from './cordon.ts';
import { compileSelection } from './decide/selects.ts';
import type { DrainMark, DrainOptions } from './drainOptions.ts';

/** An unfinished drain that has marked its clusters, as clusters and bindings show it. Times are RFC 3339. */
export interface DrainUnderWay {
  /** all clusters of the drain, by its mark */
  clusters: string[];
  started: string | null;
  /** who runs it, or ran it last; null if the mark does not name anyone */
  by: string | null;
  method: 'evict' | 'taint';
  /** workloads when it began; null if the mark does not say, as in earlier releases */
  workloads: number | null;
  /** how many of them have left; null if the initial number is unknown */
  gone: number | null;
  /** workloads that have to leave and are not evicted yet, or cannot leave */
  waiting: number;
  /** evicted, with a task that has not ended */
  leaving: number;
  /** how many of them have old copies held until their replacements are ready */
  held: number;
  /** the newest creationTimestamp of a task, set by Karmada; null if there is none */
  lastEviction: string | null;
}

/**
 * The drains that have marked cordoned clusters. Label selectors match the labels of bindings here, not of templates.
 */
export function drainsUnderWay(
  clusters: readonly Cluster[],
  bindings: readonly ResourceBinding[],
): DrainUnderWay[] {
  const marks = new Map<string, DrainMark>();
  for (const cluster of clusters) {
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (mark) marks.set(JSON.stringify([mark.clusters, mark.started, mark.selection]), mark);
  }
  return [...marks.values()].map((mark) => progressOf(mark, bindings));
}

function progressOf(mark: DrainMark, bindings: readonly ResourceBinding[]): DrainUnderWay {
  const { started, clusters, by = null, method = 'evict', workloads } = mark;
  const { waiting, leaving, held, lastEviction } = leavingByDrain(mark, bindings);
  const left = waiting + leaving;
  return {
    clusters,
    started: started || null,
    by,
    method,
    // More workloads may have been added since.
    workloads: workloads === undefined ? null : Math.max(workloads, left),
    gone: workloads === undefined ? null : Math.max(0, workloads - left),
    waiting,
    leaving,
    held,
    lastEviction,
  };
}

function leavingByDrain(
  mark: DrainMark,
  bindings: Iterable<ResourceBinding>,
): Pick<DrainUnderWay, 'waiting' | 'leaving' | 'held' | 'lastEviction'> {
  const own = new Set(mark.clusters);
  const { selects } = compileSelection(mark.selection);
  const method = mark.method ?? 'evict';
  let [waiting, leaving, held, last] = [0, 0, 0, -Infinity];
  for (const binding of bindings) {
    const { clusters = [], gracefulEvictionTasks: tasks = [] } = binding.spec;
    const ours = tasks.filter(
      (task) => own.has(task.fromCluster) && (method === 'taint' || isDrainTask(task)),
    );
    if (ours.length > 0) leaving++;
    else if (clusters.some(({ name }) => own.has(name)) && selects(binding, undefined)) waiting++;
    if (ours.some(({ suppressDeletion }) => suppressDeletion === true)) held++;
    for (const { creationTimestamp } of ours)
      if (creationTimestamp) last = Math.max(last, instant(creationTimestamp) || -Infinity);
  }
  return { waiting, leaving, held, lastEviction: last === -Infinity ? null : rfc3339(last) };
}

/**
 * The mark that a drain with these options puts on a cluster: the start and the number of workloads come from an
 * earlier run's mark, if any. `now` is epoch milliseconds; `by` names who runs it.
 */
export function markFor(
  cluster: Cluster,
  options: DrainOptions,
  { bindings, now }: { bindings: Iterable<ResourceBinding>; now: number },
  by?: string,
): DrainMark {
  const known = drainMarkOf(cluster);
  const mark = markOfDrain(options, known?.started || rfc3339(now), by);
  const workloads = isMarkOf(known, options) ? known?.workloads : countOf(mark, bindings);
  return workloads === undefined ? mark : { ...mark, workloads };
}

function countOf(mark: DrainMark, bindings: Iterable<ResourceBinding>): number {
  const { waiting, leaving } = leavingByDrain(mark, bindings);
  return waiting + leaving;
}
