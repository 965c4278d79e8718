import { CERTAINTIES, type ReportData, type ReportedWorkload } from '../views/report/reportData.ts';

/** A lane of a workload: a cluster, or what is said of it as a whole; with the indexes of its spans in the lists of spans. */
export interface Lane {
  /** -1: the workload as a whole; each of its phases has a lane */
  cluster: number;
  /** the name of the cluster or of the phase */
  label: string;
  spans: number[];
}

/** A workload with its lanes. */
export interface Row {
  workload: ReportedWorkload;
  /** lanes in which something happens come first; the details show all of them */
  lanes: Lane[];
  /** something happens to it, or somebody has to see to it */
  eventful: boolean;
  /** the text that a filter searches, in lower case */
  text: string;
  /** when something happens first, in milliseconds */
  first: number;
}

export interface Model {
  data: ReportData;
  rows: Row[];
}

/** The rows of a report. */
export function modelOf(data: ReportData): Model {
  const { cluster, phase, from, to } = data.spans;
  const isWhole = (at: number) => ['gap', 'scheduling'].includes(data.phases[phase[at]!]!.name);
  const isOdd = (at: number) => data.phases[phase[at]!]!.name !== 'ready';
  let next = 0;
  const rows = data.workloads.map((workload): Row => {
    const lanes = new Map<string, Lane>();
    let first = Infinity;
    for (const end = next + workload.spans; next < end; next++) {
      const where = cluster[next]!;
      const label = where < 0 ? data.phases[phase[next]!]!.text : data.clusters[where]!.name;
      const key = where < 0 ? ` ${label}` : String(where);
      const lane = lanes.get(key) ?? { cluster: where, label, spans: [] };
      lanes.set(key, lane);
      lane.spans.push(next);
      // what begins at the very end is how it was found then, no change
      if (from[next]! >= data.length) continue;
      if (isWhole(next) || from[next]! > 0) first = Math.min(first, from[next]!);
      else if (to[next]! >= 0) first = Math.min(first, to[next]!);
    }
    const happens = ({ spans, cluster: where }: Lane) =>
      where < 0 || spans.length > 1 || from[spans[0]!]! > 0 || to[spans[0]!]! >= 0;
    const { outcome } = workload;
    const isJudgedBad = outcome !== undefined && data.outcomes[outcome]!.tone !== 'plain';
    const isUnjudgedOddity =
      outcome === undefined && [...lanes.values()].some((lane) => lane.spans.some(isOdd));
    const all = [...lanes.values()];
    const { kind, namespace, name } = workload;
    const places = all.flatMap(({ cluster: at }) => (at < 0 ? [] : [data.clusters[at]!.name]));
    return {
      workload,
      lanes: [...all.filter(happens), ...all.filter((lane) => !happens(lane))],
      eventful: first < Infinity || isJudgedBad || isUnjudgedOddity,
      first,
      text: [kind, namespace, name, `${namespace}/${name}`, ...places].join(' ').toLowerCase(),
    };
  });
  return { data, rows };
}

/** "35.1s", "3m12s", "2h5m": milliseconds in at most two units. */
export function durationText(milliseconds: number): string {
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
 * A time on the page: "T+1m9s", or in UTC "09:31:09", with the day if the report is longer than one.
 *
 * @param milliseconds since the start of the report
 * @param fine tenths of seconds are of interest
 */
export function timeText({ byClock, start, length }: ReportData, milliseconds: number, fine = false): string {
  if (!byClock) return `T+${durationText(milliseconds)}`;
  const text = new Date(start + milliseconds).toISOString();
  const day = length > 86_400_000 ? `${text.slice(5, 10)} ` : '';
  return `${day}${text.slice(11, fine ? 21 : 19)}`;
}

/** What a span says in a sentence, without its evidence. */
export function spanText(data: ReportData, at: number): string {
  const { phases, spans, length } = data;
  if (length === 0) return instantText(data, at);
  const [from, to] = [spans.from[at]!, spans.to[at]!];
  const { text } = phases[spans.phase[at]!]!;
  const until = to < 0 ? 'to the end' : `until ${timeText(data, to)}`;
  const lasts = durationText((to < 0 ? length : to) - from);
  return `${text} from ${timeText(data, from)} ${until} (${lasts})${countText(data, at)}`;
}

/** What a span says of an instant: "evicting, 0 of 6 ready". */
export function instantText(data: ReportData, at: number): string {
  return `${data.phases[data.spans.phase[at]!]!.text}${countText(data, at)}`;
}

function countText({ phases, spans }: ReportData, at: number): string {
  const [replicas, ready] = [spans.replicas[at]!, spans.ready[at]!];
  if (replicas <= 0) return '';
  if (phases[spans.phase[at]!]!.name === 'gap') return `, ${replicas} missing`;
  return ready < 0 ? '' : `, ${ready} of ${replicas} ready`;
}

/** "estimate", or nothing if it is certain. */
export function certaintyText({ spans }: ReportData, at: number): string {
  const certainty = CERTAINTIES[spans.certainty[at]!]!;
  return certainty === 'certain' ? '' : certainty;
}

/** What of the time is shown at first: the whole, or, if most of it passes in silence, the part in which something happens. */
export function openingView({ data: { spans, length }, rows }: Model): { from: number; to: number } {
  let [first, last] = [Infinity, 0];
  for (const { eventful, lanes } of rows)
    if (eventful)
      for (const at of lanes.flatMap((lane) => lane.spans))
        for (const time of [spans.from[at]!, spans.to[at]!])
          if (time > 0 && time < length) [first, last] = [Math.min(first, time), Math.max(last, time)];
  if (last === 0) return { from: 0, to: length };
  const lasts = Math.max(last - first, 10_000);
  const [from, to] = [Math.max(0, first - lasts / 4), Math.min(length, last + lasts / 4)];
  return to - from < length / 3 ? { from, to } : { from: 0, to: length };
}
