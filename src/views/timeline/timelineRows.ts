import type { HistoryEvent } from '../../analysis/history/history.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { TimelineEventType } from '../../simulator/simulation/timeline/timelineEvent.ts';
import { objectText } from '../words/names.ts';
import { plural } from '../words/amounts.ts';
import { eventWords } from '../words/timelineEvent.ts';

/** A line of a history: one event, or many with one cause. Times are epoch milliseconds. */
export interface TimelineRow {
  time: number;
  /** when the last of these events happened */
  until: number;
  actor: string;
  words: string;
  isBad: boolean;
  /** the event, or the first of them */
  first: HistoryEvent;
  /** how many workloads are affected; 0 for a cluster */
  count: number;
}

/** Milliseconds within which events of one kind share a line. */
const TOGETHER = 60_000;

/**
 * Events that many workloads have at once. Other events of bindings and Works get their own lines, and only on request.
 */
const GROUPED: Partial<Record<TimelineEventType, (workloads: string, cluster: string) => string>> = {
  Evicted: (workloads, cluster) => `${workloads} evicted from ${cluster}`,
  Scheduled: (workloads) => `${workloads} rescheduled`,
  ScheduleFailed: (workloads) => `${workloads} not placed`,
  TaskEnded: (workloads, cluster) => `evictions of ${workloads} from ${cluster} ended`,
  WorkRemoved: (workloads, cluster) => `${workloads} gone from ${cluster}`,
  EvictionFailed: (workloads, cluster) => `evictions of ${workloads} from ${cluster} could not be written`,
  WorksFailed: (workloads) => `Works of ${workloads} could not be written`,
  WaitsForDirectPurge: (workloads) => `${workloads} waiting for the old copy to be deleted`,
};
const BAD: ReadonlySet<TimelineEventType> = new Set([
  'ScheduleFailed',
  'TaintClusterFailed',
  'TaintsFailed',
  'EvictionFailed',
  'WorksFailed',
]);

/**
 * Events as lines. With `all`, each event has its own, except for repeated identical failures; otherwise events with
 * one cause share a line.
 */
export function timelineRows(events: readonly HistoryEvent[], all: boolean): TimelineRow[] {
  return all ? withoutRepeats(events.map(alone)) : together(events);
}

/** Controllers retry failures many times: one line shows the count. */
function withoutRepeats(lines: readonly TimelineRow[]): TimelineRow[] {
  const kept: { line: TimelineRow; words: string; times: number }[] = [];
  for (const line of lines) {
    const last = kept.at(-1);
    const isSame = last && line.isBad && last.line.actor === line.actor && last.words === line.words;
    if (!isSame) kept.push({ line, words: line.words, times: 1 });
    else {
      last.times++;
      last.line = { ...last.line, until: line.until, words: `${last.words}, ${last.times} times` };
    }
  }
  return kept.map(({ line }) => line);
}

function alone(event: HistoryEvent): TimelineRow {
  const { time, until = time, object, controller, type, count: said = 1 } = event;
  const what = object.kind === 'Cluster' ? object.name : objectText(object);
  const times = said > 1 ? `, ${said} times` : '';
  const words = `${what} ${eventWords({ ...event, evidence: [] })}${times}${sinceText(event)}`;
  const count = object.kind === 'Cluster' ? 0 : 1;
  return { time, until, actor: controller, words, isBad: BAD.has(type), first: event, count };
}

/** A note that the time is unknown, for events derived from two states. */
function sinceText({ since }: HistoryEvent): string {
  return since === undefined ? '' : `, at an unknown time since ${rfc3339(since)}`;
}

interface Group extends TimelineRow {
  type: TimelineEventType;
  cluster: string;
  workloads: Set<string>;
}

function together(events: readonly HistoryEvent[]): TimelineRow[] {
  const lines: (TimelineRow | Group)[] = [];
  const open = new Map<string, Group>();
  for (const event of events) {
    const { time, type, object, cluster = '', controller } = event;
    if (object.kind === 'Cluster') {
      lines.push(alone(event));
      continue;
    }
    if (!GROUPED[type]) continue;
    const key = `${type} ${type === 'Scheduled' ? '' : cluster} ${controller} ${event.since ?? ''}`;
    const known = open.get(key);
    const workload = `${object.namespace ?? ''}/${object.name}`;
    if (known && time - known.until <= TOGETHER) {
      known.until = Math.max(known.until, event.until ?? time);
      known.workloads.add(workload);
      continue;
    }
    const group: Group = {
      ...alone(event),
      type,
      cluster,
      workloads: new Set([workload]),
    };
    open.set(key, group);
    lines.push(group);
  }
  for (const line of lines)
    if ('workloads' in line && line.workloads.size > 1) {
      line.count = line.workloads.size;
      line.words = GROUPED[line.type]!(plural(line.count, 'workload'), line.cluster) + sinceText(line.first);
    }
  return lines;
}
