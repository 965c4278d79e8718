import type { Span } from '../../simulator/timeline/span.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

/** Events over a period, simulated or recorded; times are epoch milliseconds. */
export interface SpansShown {
  /** in words: "frankfurt fails" */
  title: string;
  start: number;
  end: number;
  spans: readonly Span[];
}

/** A workload with its spans: first those of the whole workload, then by cluster. */
export interface WorkloadSpans {
  workload: ObjectIdentity;
  spans: readonly Span[];
}

/** The spans by workload, in their order. */
export function byWorkload(spans: readonly Span[]): WorkloadSpans[] {
  const found = new Map<string, { workload: ObjectIdentity; spans: Span[] }>();
  for (const span of spans) {
    const key = objectKey(span.workload);
    const known = found.get(key);
    if (known) known.spans.push(span);
    else found.set(key, { workload: span.workload, spans: [span] });
  }
  return [...found.values()];
}

/** Whether something happened to a workload: not all of its spans last from start to end. */
export function isEventful({ spans }: WorkloadSpans): boolean {
  return spans.some(({ phase, to }) => to !== undefined || phase === 'gap' || phase === 'scheduling');
}

/** The lanes of a workload: the whole workload first, then its clusters by name. */
export function lanesOf(
  spans: readonly Span[],
): { cluster?: string; phase?: 'gap' | 'scheduling'; spans: Span[] }[] {
  const lanes = groupedBy(spans, ({ cluster, phase }) =>
    cluster === undefined ? ` ${phase}` : `c ${cluster}`,
  );
  return [...lanes.values()].map((own) => {
    const [{ cluster, phase }] = own;
    if (cluster !== undefined) return { cluster, spans: own };
    return { phase: phase === 'scheduling' ? 'scheduling' : 'gap', spans: own };
  });
}

/** Workloads that lack ready replicas longest come first. */
export function worstFirst(workloads: readonly WorkloadSpans[], end: number): WorkloadSpans[] {
  const missing = ({ spans }: WorkloadSpans) =>
    spans.reduce((sum, { phase, from, to = end, replicas = 1 }) => {
      // in a single state all spans are instants
      return phase === 'gap' || phase === 'scheduling' ? sum + Math.max(1, to - from) * replicas : sum;
    }, 0);
  const weighed = workloads.map((one) => ({ one, weight: missing(one) }));
  return weighed.sort((a, b) => b.weight - a.weight).map(({ one }) => one);
}

/** The ready replicas on a cluster over time (epoch milliseconds). */
interface ReadyCourse {
  cluster: string;
  steps: { time: number; ready: number }[];
}

/** The ready replicas of all workloads by cluster over time, sorted by name; clusters that never had any are left out. */
export function readyByCluster(spans: readonly Span[], start: number): ReadyCourse[] {
  const stretches = new Map<string, TotalSpan[]>();
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

/** A part of a total over a period; times are epoch milliseconds. */
export interface TotalSpan {
  from: number;
  /** absent: until the end */
  to?: number | undefined;
  amount: number;
}

/** The sum of the spans over time, beginning at the start. */
export function runningTotal(
  stretches: Iterable<TotalSpan>,
  start: number,
): { time: number; total: number }[] {
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
