import type { Span } from '../../engine/timeline/span.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';

/** How many replicas were ready on a cluster, from each time on (epoch milliseconds). */
export interface ReadyCourse {
  cluster: string;
  steps: { time: number; ready: number }[];
}

/** The ready replicas of all workloads by cluster over time, sorted by name; clusters that never had any are left out. */
export function readyByCluster(spans: readonly Span[], start: number): ReadyCourse[] {
  const changes = new Map<string, Map<number, number>>();
  const add = (cluster: string, time: number, by: number) => {
    const own = changes.get(cluster) ?? new Map<number, number>();
    changes.set(cluster, own.set(time, (own.get(time) ?? 0) + by));
  };
  for (const { cluster, from, to, ready = 0 } of spans) {
    if (cluster === undefined || ready === 0) continue;
    add(cluster, from, ready);
    if (to !== undefined) add(cluster, to, -ready);
  }
  return [...changes]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([cluster, own]) => {
      let ready = 0;
      const steps = [...own]
        .sort(([a], [b]) => a - b)
        .filter(([, by]) => by !== 0)
        .map(([time, by]) => ({ time, ready: (ready += by) }));
      return { cluster, steps: steps[0]?.time === start ? steps : [{ time: start, ready: 0 }, ...steps] };
    });
}
