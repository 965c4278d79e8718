import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { Span } from '../../simulator/timeline/span.ts';

/** How many replicas were ready on a cluster, from each time on (epoch milliseconds). */
interface ReadyCourse {
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

/** A part of a total, over a time; times are epoch milliseconds. */
export interface Stretch {
  from: number;
  /** absent: to the end */
  to?: number | undefined;
  amount: number;
}

/** What the stretches come to together, from each time on, the start first. */
export function runningTotal(stretches: Iterable<Stretch>, start: number): { time: number; total: number }[] {
  const changes = new Map<number, number>();
  const add = (time: number, by: number) => changes.set(time, (changes.get(time) ?? 0) + by);
  for (const { from, to, amount } of stretches) {
    add(from, amount);
    if (to !== undefined) add(to, -amount);
  }
  let total = 0;
  const steps = [...changes]
    .sort(([a], [b]) => a - b)
    .filter(([, by]) => by !== 0)
    .map(([time, by]) => ({ time, total: (total += by) }));
  return steps[0]?.time === start ? steps : [{ time: start, total: 0 }, ...steps];
}
