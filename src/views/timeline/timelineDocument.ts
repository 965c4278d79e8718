import type { Doubt, EvictionCourse, History } from '../../analysis/history/history.ts';
import type { Span } from '../../simulator/timeline/span.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/answeredAssumption.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';

interface Told {
  history: History;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
}

/** What happened, for json and yaml. */
export function timelineDocument({ history, karmadaVersion, assumptions }: Told) {
  const { seen, start, end, events, evictions, workloads, clusters, spans, doubts } = history;
  return {
    kind: 'Timeline' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    source: seen ? 'recording' : 'state',
    start: rfc3339Milliseconds(start),
    end: rfc3339Milliseconds(end),
    assumptions,
    doubts: doubts.map(doubtDocument),
    events: events.map(({ time, until, ...event }) => ({ ...instants({ time, until }), ...event })),
    evictions: evictions.map(evictionDocument),
    workloads,
    clusters,
    spans: spans.map(spanDocument),
  };
}

/** What is not known, for json and yaml. */
export function doubtDocument({ text, from, to, kinds }: Doubt) {
  return { text, ...instants({ from, to }), ...(kinds ? { kinds } : {}) };
}

function evictionDocument({ workload, from, reason, purgeMode, to, ...times }: EvictionCourse) {
  return {
    workload,
    from,
    to,
    ...(reason === undefined ? {} : { reason }),
    ...(purgeMode === undefined ? {} : { purgeMode }),
    ...instants(times),
  };
}

function spanDocument({ from, to, evidence: _, ...span }: Span) {
  return { ...span, ...instants({ from, to }) };
}

/** Times as RFC 3339, and no field for those that are not known. */
function instants(times: Record<string, number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) =>
      time === undefined ? [] : [[name, rfc3339Milliseconds(time)]],
    ),
  );
}
