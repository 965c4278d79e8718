import type { Span } from '../timeline/span.ts';
import type { ReplicaGap } from './outcome.ts';

/** What the spans of a workload say of the ready replicas that it misses; undefined if it misses none. `end`: epoch milliseconds. */
export function gapOfSpans(spans: readonly Span[], end: number): ReplicaGap | undefined {
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  if (gaps.length === 0) return undefined;
  const last = gaps.find(({ to }) => to === undefined);
  return {
    replicas: gaps.reduce((most, { replicas = 0 }) => Math.max(most, replicas), 0),
    seconds: gaps.reduce((sum, { from, to = end }) => sum + to - from, 0) / 1000,
    open: last !== undefined,
    ...(last ? { atEnd: last.replicas ?? 0 } : {}),
  };
}
