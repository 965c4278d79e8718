import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { isFaulty } from '../../karmada/taints/evictingTaints.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { Metrics } from '../../kubernetes/observation.ts';
import type { ControllerObserver } from './controllerHost.ts';

/** Milliseconds over which evictions per second are counted. */
const WINDOW = 60_000;

/** The results of the keys of one cluster. */
interface Turns {
  /** when keys were processed in the last minute */
  times: number[];
  succeeded: number;
  all: number;
}

/** Metrics under the names of the design optimize-cluster-failover, "The observability of the eviction queue". */
interface DesignMetrics extends ControllerObserver {
  /** Updates metrics that change with time alone: the evictions of the last minute, the share of faulty clusters. */
  refresh(): void;
}

/** @param localNow epoch milliseconds of a clock that does not jump */
export function createDesignMetrics(metrics: Metrics, view: View, localNow: () => number): DesignMetrics {
  /** waiting keys: when they became due, and the kind they are counted under */
  const waiting = new Map<string, { since: number; kind: string }>();
  /** when the keys in processing were due */
  const begun = new Map<string, number>();
  const turns = new Map<string, Turns>();
  /** keys in processing that needed no eviction, or whose eviction was abandoned (counted as failed) */
  const judged = new Map<string, 'nothing' | 'abandoned'>();

  function count(key: string, kind: string, by: 1 | -1): void {
    const cluster_name = parseTaintedPairKey(key).cluster;
    metrics.add('evict_total', 'The number of elements in the queue.', by, { cluster_name });
    const help = 'The number of elements of different types in the queue.';
    metrics.add('evict_kind_total', help, by, { cluster_name, resource_kind: kind });
  }

  function leave(key: string): number | undefined {
    const known = waiting.get(key);
    if (!known) return undefined;
    waiting.delete(key);
    count(key, known.kind, -1);
    return known.since;
  }

  function kindOf(key: string): string {
    const { apiVersion, kind } = view.get('Binding', parseTaintedPairKey(key).binding)?.spec.resource ?? {};
    return `${apiVersion ?? ''}/${kind ?? ''}`;
  }

  return {
    added(controller, key, after) {
      if (controller !== 'eviction-queue' || waiting.has(key)) return;
      const kind = kindOf(key);
      waiting.set(key, { since: localNow() + after, kind });
      count(key, kind, 1);
    },
    dropped(controller, key) {
      if (controller === 'eviction-queue') leave(key);
    },
    taken(controller, key) {
      if (controller !== 'eviction-queue') return;
      begun.set(key, leave(key) ?? localNow());
    },
    reconciled({ controller, key, step }) {
      if (controller !== 'eviction-queue') return;
      if (step.notes?.some(({ type }) => type === 'EvictionAbandoned')) judged.set(key, 'abandoned');
      else if (step.turn === 'unused') judged.set(key, 'nothing');
    },
    done(controller, key, outcome) {
      if (controller !== 'eviction-queue') return;
      const verdict = judged.get(key);
      judged.delete(key);
      const cluster_name = parseTaintedPairKey(key).cluster;
      const now = localNow();
      const since = begun.get(key) ?? now;
      begun.delete(key);
      if (verdict === 'nothing' && outcome === 'success') return;
      metrics.observe(
        'evict_processing_latency_seconds',
        'The time interval from when a resource is enqueued to when it is processed.',
        Math.max(0, now - since) / 1000,
        { cluster_name },
      );
      const own = getOrAdd(turns, cluster_name, () => ({ times: [], succeeded: 0, all: 0 }));
      own.times.push(now);
      own.all++;
      if (outcome === 'success' && verdict !== 'abandoned') own.succeeded++;
    },
    refresh() {
      const from = localNow() - WINDOW;
      for (const [cluster_name, own] of turns) {
        own.times = own.times.filter((time) => time > from);
        const rate = own.times.length / (WINDOW / 1000);
        metrics.set(
          'evict_rate',
          'The number of resources processed and removed from the eviction queue per second, over the last minute.',
          ...([rate, { cluster_name }] as const),
        );
        metrics.set(
          'evict_success_rate',
          'The ratio of the number of successfully processed resources to the total number of processed resources.',
          ...([own.succeeded / own.all, { cluster_name }] as const),
        );
      }
      let faulty = 0;
      let all = 0;
      for (const cluster of view.all('Cluster')) {
        all++;
        if (isFaulty(cluster)) faulty++;
      }
      metrics.set('cluster_fault_num', 'The number of faulty clusters.', faulty);
      const share = all === 0 ? 0 : faulty / all;
      metrics.set('cluster_fault_rate', 'The failure rate of clusters in a Karmada instance.', share);
    },
  };
}
