import { documentSummary } from '../documentSummary.ts';
import type { EvictionTimes, History, HistoryGap } from '../../analysis/history/history.ts';
import { EVICTION_REASON_TAINT_UNTOLERATED } from '../../karmada/api/names.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { Basis } from '../../karmada/configuration/assumptions.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Span } from '../../simulator/timeline/span.ts';
import { duration } from '../words/duration.ts';
import { placementText } from '../words/names.ts';

/** A history: the input of every form of the answer. */
export interface TimelineInput extends Basis {
  history: History;
  /** one workload was requested: each of its steps is shown */
  single: boolean;
  /** draw bars for each workload instead of steps */
  gantt?: boolean;
  /** a time range was chosen: all of it is shown, not only the newest incident */
  isChosen?: boolean;
  /** the rank of a workload by its state at the end, the worst first */
  stateRank?: (workload: ObjectIdentity) => number;
  /** the evictions are in the requested order */
  ordered?: boolean;
}

/** The source of a history, in full and short: "Recorded from … over 1h", "Reconstructed from the state of …". */
export function knownFrom({ seen, twoStates, start, end }: History): [string, string] {
  const over = duration(end - start);
  if (seen) return [`Recorded from ${rfc3339(start)} over ${over}`, `Recorded over ${over}`];
  return twoStates
    ? [
        `Reconstructed from the states of ${rfc3339(start)} and ${rfc3339(end)}`,
        'Reconstructed from 2 states',
      ]
    : [`Reconstructed from the state of ${rfc3339(end)}`, 'Reconstructed from 1 state'];
}

/** "10:00:05 to 10:00:09: No updates were received of Work: …" */
export function doubtText({ text, from, to }: HistoryGap): string {
  if (from === undefined) return text;
  return `${rfc3339(from)}${to === undefined ? ' on' : ` to ${rfc3339(to)}`}: ${text}`;
}

/** A table's text for an event that happened unseen, or did not happen. */
const UNKNOWN = 'unknown';

/** The duration of a step: "31s", "0.4s"; "" if one of its ends was not observed. */
function tookText(from: number | undefined, to: number | undefined): string {
  if (from === undefined || to === undefined) return '';
  const took = to - from;
  return took < 10_000 ? `${(Math.max(0, Math.round(took / 100)) / 10).toString()}s` : duration(took);
}

/**
 * The placement of an evicted workload: the present one while its task exists, otherwise its replacement; empty if
 * nowhere.
 */
export function toText(
  { to, placedNow, evicted = 0 }: EvictionTimes,
  { seen, start }: Pick<History, 'seen' | 'start'>,
): string {
  const isSeen = seen && evicted >= start;
  return placementText(placedNow ?? to) || (placedNow ? 'nowhere' : isSeen ? '' : UNKNOWN);
}

/**
 * The names and times of the steps of an eviction, in order: "31s", ">31s" if it began before the observed period,
 * "unknown" if it happened unseen, "" if it has not happened.
 */
export function stepTimes(
  course: EvictionTimes,
  history: Pick<History, 'seen' | 'start'>,
): readonly (readonly [name: string, took: string])[] {
  const { reason, to, placedNow, detected, tainted, evicted, scheduled, ready, gone, ended } = course;
  const { seen, start } = history;
  const isSeen = seen && evicted !== undefined && evicted >= start;
  const isPlaced = to.length > 0 || toText(course, history) === UNKNOWN;
  const isByTaint = reason === EVICTION_REASON_TAINT_UNTOLERATED;
  /** for a step that may have begun before the observed period */
  const since = (from: number | undefined, until: number | undefined) =>
    seen && from === undefined && until !== undefined && until > start
      ? `>${tookText(start, until)}`
      : tookText(from, until);
  const unknown = isSeen ? '' : UNKNOWN;
  return [
    ['DETECTED TO TAINT', tookText(detected, tainted) || (isByTaint ? unknown : '')],
    ['TAINT TO EVICTION', isByTaint ? since(tainted, evicted) || UNKNOWN : tookText(tainted, evicted)],
    ['TO PLACEMENT', tookText(evicted, scheduled) || (isPlaced ? UNKNOWN : '')],
    ['TO READY', tookText(evicted, ready) || unknown],
    ['TO END OF TASK', since(evicted, ended) || (placedNow || seen ? '' : UNKNOWN)],
    // a task may end long before: an unreachable member keeps its copy, and Karmada the Work
    ['TO OLD COPY GONE', since(evicted, gone) || (placedNow || seen ? '' : UNKNOWN)],
  ];
}

/** The steps of all evictions as columns; a column without any known time is empty. */
export function stepColumns(history: History): { name: string; times: string[] }[] {
  const rows = history.evictions.map((course) => stepTimes(course, history));
  return (rows[0] ?? []).map(([name], column) => {
    const times = rows.map((steps) => steps[column]?.[1] ?? '');
    return {
      name,
      times: times.every((time) => time === '' || time === UNKNOWN) ? times.map(() => '') : times,
    };
  });
}

/** The workloads that lacked replicas or returned to a cluster, the worst first. */
export function worstWorkloads({ workloads }: Pick<History, 'workloads'>): History['workloads'] {
  return workloads
    .filter(({ missingReplicaMinutes = 0, returns }) => missingReplicaMinutes > 0 || returns > 0)
    .sort((a, b) => (b.missingReplicaMinutes ?? 0) - (a.missingReplicaMinutes ?? 0));
}

/** Evictions of the workloads with the most downtime first, then by the state of their workloads at the end. */
export function worstEvictions({
  history,
  stateRank = () => 0,
  ordered,
}: Pick<TimelineInput, 'history' | 'stateRank' | 'ordered'>): EvictionTimes[] {
  const { evictions } = history;
  if (ordered) return evictions;
  const places = new Map(worstWorkloads(history).map(({ workload }, at) => [objectKey(workload), at]));
  const place = ({ workload }: EvictionTimes) => places.get(objectKey(workload)) ?? places.size;
  return evictions.toSorted((a, b) => place(a) - place(b) || stateRank(a.workload) - stateRank(b.workload));
}

/** "12.5" */
export function minutesText(minutes: number | undefined): string {
  return minutes === undefined ? UNKNOWN : (Math.round(minutes * 10) / 10).toString();
}

/** The history, for json and yaml. */
export function timelineDocument({
  history,
  karmadaVersion,
  assumptions,
}: Omit<TimelineInput, 'single' | 'gantt'>) {
  const { seen, twoStates, start, end, events, evictions, workloads, clusters, spans, doubts } = history;
  return {
    kind: 'Timeline' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    source: seen ? 'recording' : twoStates ? 'states' : 'state',
    start: rfc3339Milliseconds(start),
    end: rfc3339Milliseconds(end),
    summary: documentSummary({ events, evictions, workloads }),
    assumptions,
    doubts: doubts.map(doubtDocument),
    events: events.map(({ time, until, since, ...event }) => ({
      ...instants({ time, until, since }),
      ...event,
    })),
    evictions: evictions.map(evictionDocument),
    workloads,
    clusters,
    spans: spans.map(spanDocument),
  };
}

/** The unknowns, for json and yaml. */
export function doubtDocument({ text, from, to, kinds }: HistoryGap) {
  return { text, ...instants({ from, to }), ...(kinds ? { kinds } : {}) };
}

function evictionDocument({ workload, from, reason, purgeMode, to, placedNow, ...times }: EvictionTimes) {
  return {
    workload,
    from,
    to,
    ...(reason === undefined ? {} : { reason }),
    ...(purgeMode === undefined ? {} : { purgeMode }),
    ...(placedNow === undefined ? {} : { placedNow }),
    ...instants(times),
  };
}

function spanDocument({ from, to, evidence: _, ...span }: Span) {
  return { ...span, ...instants({ from, to }) };
}

/** Times as RFC 3339; unknown ones have no field. */
function instants(times: Record<string, number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) =>
      time === undefined ? [] : [[name, rfc3339Milliseconds(time)]],
    ),
  );
}
