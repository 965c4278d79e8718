import { isEvictionQueue } from '../../karmada/controllers/registry.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { Metrics } from '../../kubernetes/observation.ts';
import type { ControllerObserver } from './controllerHost.ts';

/** Buckets of prometheus.ExponentialBuckets. */
function exponential(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, power) => start * factor ** power);
}

/** Seconds, as in Karmada's eviction_processing_latency_seconds. */
const EVICTION_BUCKETS = exponential(0.001, 2, 15);
/** Seconds, as in controller-runtime's workqueue metrics. */
const QUEUE_BUCKETS = exponential(10e-9, 10, 12);

/** The help texts are controller-runtime's. */
const UNFINISHED =
  "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.";
const LONGEST = 'How many seconds has the longest running processor for workqueue been running.';

/** The metrics of queues; some change with time alone. */
interface QueueMetrics extends ControllerObserver {
  /** Updates how long keys have been processing. */
  refresh(): void;
}

/**
 * Counts queue activity under controller-runtime's names (workqueue_*) and, for eviction queues, also under Karmada's
 * (pkg/metrics/cluster.go). eviction_kind_total counts waiting keys, while Karmada's counts every attempt to add one.
 *
 * @param localNow epoch milliseconds of a clock that does not jump
 */
export function createQueueMetrics(metrics: Metrics, localNow: () => number): QueueMetrics {
  /** when the waiting keys of each queue became due */
  const waiting = new Map<string, Map<string, number>>();
  /** when workers started to process the keys of each queue */
  const processing = new Map<string, Map<string, number>>();

  function depth(name: string, length: number): void {
    metrics.set('workqueue_depth', 'Current depth of workqueue', length, { name });
    if (isEvictionQueue(name))
      metrics.set('eviction_queue_depth', 'Current depth of the eviction queue', length, { name });
  }

  function kind(name: string, key: string, by: 1 | -1): void {
    if (!isEvictionQueue(name)) return;
    const help = 'Number of resources in the eviction queue by resource kind';
    const { cluster, binding } = parseTaintedPairKey(key);
    const labels = {
      member_cluster: cluster,
      resource_kind: binding.startsWith('/') ? 'ClusterResourceBinding' : 'ResourceBinding',
    };
    metrics.add('eviction_kind_total', help, by, labels);
  }

  /** Records that a key no longer waits; returns when it became due, if it was waiting. */
  function leave(name: string, key: string): number | undefined {
    const since = waiting.get(name)?.get(key);
    if (since === undefined) return undefined;
    waiting.get(name)!.delete(key);
    kind(name, key, -1);
    return since;
  }

  return {
    added(name, key, after, length) {
      depth(name, length);
      const own = getOrAdd(waiting, name, () => new Map<string, number>());
      if (own.has(key)) return;
      own.set(key, localNow() + after);
      metrics.count('workqueue_adds_total', 'Total number of adds handled by workqueue', { name });
      kind(name, key, 1);
    },
    dropped(name, key, length) {
      depth(name, length);
      leave(name, key);
    },
    taken(name, key, length) {
      depth(name, length);
      getOrAdd(processing, name, () => new Map<string, number>()).set(key, localNow());
      const since = leave(name, key);
      if (since === undefined) return;
      metrics.observe(
        'workqueue_queue_duration_seconds',
        'How long in seconds an item stays in workqueue before being requested',
        Math.max(0, localNow() - since) / 1000,
        { name },
        QUEUE_BUCKETS,
      );
    },
    retried(name) {
      metrics.count('workqueue_retries_total', 'Total number of retries handled by workqueue', { name });
    },
    done(name, key, outcome, milliseconds) {
      processing.get(name)?.delete(key);
      const seconds = milliseconds / 1000;
      metrics.observe(
        'workqueue_work_duration_seconds',
        'How long in seconds processing an item from workqueue takes.',
        seconds,
        { name },
        QUEUE_BUCKETS,
      );
      metrics.count('controller_runtime_reconcile_total', 'Total number of reconciliations per controller', {
        controller: name,
        result: outcome,
      });
      if (!isEvictionQueue(name)) return;
      const help = 'Latency of processing an eviction task in seconds';
      metrics.observe('eviction_processing_latency_seconds', help, seconds, { name }, EVICTION_BUCKETS);
      metrics.count('eviction_processing_total', 'Total number of evictions processed', {
        name,
        result: outcome,
      });
    },
    refresh() {
      const now = localNow();
      for (const [name, keys] of processing) {
        let all = 0;
        let longest = 0;
        for (const since of keys.values()) {
          const seconds = Math.max(0, now - since) / 1000;
          all += seconds;
          longest = Math.max(longest, seconds);
        }
        metrics.set('workqueue_unfinished_work_seconds', UNFINISHED, all, { name });
        metrics.set('workqueue_longest_running_processor_seconds', LONGEST, longest, { name });
      }
    },
  };
}
