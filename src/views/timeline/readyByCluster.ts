import type { Span } from '../../simulator/timeline/span.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import { runningTotal, type Stretch } from './runningTotal.ts';

/** How many replicas were ready on a cluster, from each time on (epoch milliseconds). */
export interface ReadyCourse {
  cluster: string;
  steps: { time: number; ready: number }[];
}

/** The ready replicas of all workloads by cluster over time, sorted by name; clusters that never had any are left out. */
export function readyByCluster(spans: readonly Span[], start: number): ReadyCourse[] {
  const stretches = new Map<string, Stretch[]>();
  for (const { cluster, from, to, ready = 0 } of spans) {
    if (cluster === undefined || ready === 0) continue;
    const own = stretches.get(cluster);
    if (own) own.push({ from, to, amount: ready });
    else stretches.set(cluster, [{ from, to, amount: ready }]);
  }
  return [...stretches]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([cluster, own]) => ({
      cluster,
      steps: runningTotal(own, start).map(({ time, total }) => ({ time, ready: total })),
    }));
}
