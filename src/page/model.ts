import {
  CERTAINTIES,
  type ReportData,
  type ReportedCluster,
  type ReportedWorkload,
} from '../views/report/reportData.ts';

/** The phase of a lane over a period. */
export interface Span {
  phase: ReportData['phases'][number];
  from: number;
  /** -1: it is still open when the simulation ends */
  to: number;
  /** -1: unknown */
  replicas: number;
  ready: number;
  certainty: (typeof CERTAINTIES)[number];
  /** why it began */
  reasons: readonly string[];
}

/** A lane of a workload: a cluster, or the workload as a whole. */
export interface Lane {
  /** about the workload as a whole; each such phase has its own lane */
  whole: boolean;
  /** the name of the cluster or of the phase */
  label: string;
  spans: Span[];
}

export interface Row {
  workload: ReportedWorkload;
  /** absent: it was not judged */
  outcome: ReportData['outcomes'][number] | undefined;
  /** lanes with events come first; the details show all of them */
  lanes: Lane[];
  /** something happens to it, or it needs attention */
  eventful: boolean;
  /** the text that a filter searches, in lower case */
  text: string;
  /** its first event, in milliseconds */
  first: number;
}

interface Step {
  time: number;
  ready: number;
}

/** The ready replicas of a cluster over time. */
export interface ReadinessOverTime extends Omit<ReportedCluster, 'times' | 'ready'> {
  steps: [Step, ...Step[]];
}

export interface Model {
  data: ReportData;
  rows: Row[];
  courses: ReadinessOverTime[];
}

/** What the page draws, with the report's indexes resolved. */
export function modelOf(data: ReportData): Model {
  const reasons = data.reasons.map((places) => places.map((place) => entry(data.texts, place)));
  let next = 0;
  const rows = data.workloads.map((workload): Row => {
    const lanes = new Map<string, Lane>();
    let first = Infinity;
    for (const end = next + workload.spans; next < end; next++) {
      const span = spanAt(data, reasons, next);
      const where = entry(data.spans.cluster, next);
      const whole = where < 0;
      const label = whole ? span.phase.text : entry(data.clusters, where).name;
      const key = whole ? ` ${label}` : String(where);
      const lane = lanes.get(key) ?? { whole, label, spans: [] };
      lanes.set(key, lane);
      lane.spans.push(span);
      // spans that begin at the very end were only detected then: they are no changes
      if (span.from >= data.length) continue;
      if (['gap', 'scheduling'].includes(span.phase.name) || span.from > 0)
        first = Math.min(first, span.from);
      else if (span.to >= 0) first = Math.min(first, span.to);
    }
    const happens = ({ spans, whole }: Lane) =>
      whole || spans.length > 1 || spans.some(({ from, to }) => from > 0 || to >= 0);
    const outcome = workload.outcome === undefined ? undefined : entry(data.outcomes, workload.outcome);
    const all = [...lanes.values()];
    const isOdd = outcome
      ? outcome.tone !== 'plain'
      : all.some(({ spans }) => spans.some(({ phase }) => phase.name !== 'ready'));
    const { kind, namespace, name } = workload;
    const places = all.flatMap(({ whole, label }) => (whole ? [] : [label]));
    return {
      workload,
      outcome,
      lanes: [...all.filter(happens), ...all.filter((lane) => !happens(lane))],
      eventful: first < Infinity || isOdd,
      first,
      text: [kind, namespace, name, `${namespace}/${name}`, ...places].join(' ').toLowerCase(),
    };
  });
  const courses = data.clusters.map(({ times, ready, ...cluster }): ReadinessOverTime => {
    const step = (at: number) => ({ time: entry(times, at), ready: entry(ready, at) });
    return { ...cluster, steps: [step(0), ...times.slice(1).map((_, at) => step(at + 1))] };
  });
  return { data, rows, courses };
}

function spanAt({ phases, spans }: ReportData, reasons: readonly string[][], at: number): Span {
  return {
    phase: entry(phases, entry(spans.phase, at)),
    from: entry(spans.from, at),
    to: entry(spans.to, at),
    replicas: entry(spans.replicas, at),
    ready: entry(spans.ready, at),
    certainty: entry(CERTAINTIES, entry(spans.certainty, at)),
    reasons: entry(reasons, entry(spans.reason, at)),
  };
}

/** The entry that an index of a report refers to. */
function entry<T>(list: readonly T[], at: number): T {
  const found = list[at];
  if (found === undefined) throw new Error(`its data ends before ${at}`);
  return found;
}

/** "35.1s", "3m12s", "2h5m": milliseconds in at most two units. */
function durationText(milliseconds: number): string {
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 100) / 10}s`;
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const begin = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(begin, begin + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count}${unit}`).join('');
}

/**
 * A time on the page: "T+1m9s", or in UTC "09:31:09", with the date if the report spans several days.
 * @param milliseconds since the start of the report
 * @param fine show tenths of seconds
 */
export function timeText({ byClock, start, length }: ReportData, milliseconds: number, fine = false): string {
  if (!byClock) return `T+${durationText(milliseconds)}`;
  const text = new Date(start + milliseconds).toISOString();
  const day = length > 86_400_000 ? `${text.slice(5, 10)} ` : '';
  return `${day}${text.slice(11, fine ? 21 : 19)}`;
}

/** A span in one sentence, without its evidence. */
export function spanText(data: ReportData, span: Span): string {
  const { phase, from, to } = span;
  const { length } = data;
  if (length === 0) return instantText(span);
  const until = to < 0 ? 'to the end' : `until ${timeText(data, to)}`;
  const lasts = durationText((to < 0 ? length : to) - from);
  return `${phase.text} from ${timeText(data, from)} ${until} (${lasts})${countText(span)}`;
}

/** A span at one instant: "evicting, 0 of 6 ready". */
export function instantText(span: Span): string {
  return `${span.phase.text}${countText(span)}`;
}

function countText({ phase, replicas, ready }: Span): string {
  if (replicas <= 0) return '';
  if (phase.name === 'gap') return `, ${replicas} missing`;
  return ready < 0 ? '' : `, ${ready} of ${replicas} ready`;
}

/** The initially visible time: all of it, or, if most of it is uneventful, the eventful part. */
export function openingView({ data: { length }, rows }: Model): { from: number; to: number } {
  let [first, last] = [Infinity, 0];
  for (const { eventful, lanes } of rows)
    if (eventful)
      for (const { from, to } of lanes.flatMap((lane) => lane.spans))
        for (const time of [from, to])
          if (time > 0 && time < length) [first, last] = [Math.min(first, time), Math.max(last, time)];
  if (last === 0) return { from: 0, to: length };
  const lasts = Math.max(last - first, 10_000);
  const [from, to] = [Math.max(0, first - lasts / 4), Math.min(length, last + lasts / 4)];
  return to - from < length / 3 ? { from, to } : { from: 0, to: length };
}

const MARKS = { bad: '✕ ', warn: '! ', plain: '' };

/** "✕ lost": an outcome with a mark, for readers who see no colours. */
export function outcomeText(outcome: Row['outcome']): string {
  return outcome ? `${MARKS[outcome.tone]}${outcome.text}` : '';
}

/** The clusters of its copies at the end. */
export function afterText({ workload, outcome }: Row): string {
  return workload.after || (outcome ? 'nowhere' : '');
}

/** "Deployment in shop" */
export function kindText({ workload: { kind, namespace } }: Row): string {
  return namespace === '' ? kind : `${kind} in ${namespace}`;
}
