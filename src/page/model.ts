import { CERTAINTIES, type ReportData, type ReportedWorkload } from '../views/report/reportData.ts';

/** A lane of a workload: a cluster, or the workload as a whole; with the indexes of its spans in the lists of spans. */
export interface Lane {
  /** -1: the workload as a whole */
  cluster: number;
  spans: number[];
}

/** A workload with its lanes. */
export interface Row {
  workload: ReportedWorkload;
  /** lanes in which something happens come first; the details show all of them */
  lanes: Lane[];
  /** something happens to it */
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
  let next = 0;
  const rows = data.workloads.map((workload): Row => {
    const lanes = new Map<number, Lane>();
    let first = Infinity;
    let eventful = false;
    for (const end = next + workload.spans; next < end; next++) {
      const lane = lanes.get(cluster[next]!) ?? { cluster: cluster[next]!, spans: [] };
      lanes.set(lane.cluster, lane);
      lane.spans.push(next);
      if (to[next]! < 0 && !isWhole(next)) continue;
      eventful = true;
      first = Math.min(first, isWhole(next) ? from[next]! : to[next]!);
    }
    const happens = ({ spans, cluster: where }: Lane) => where < 0 || spans.length > 1 || to[spans[0]!]! >= 0;
    const all = [...lanes.values()];
    const { kind, namespace, name } = workload;
    const places = all.flatMap(({ cluster: at }) => (at < 0 ? [] : [data.clusters[at]!.name]));
    return {
      workload,
      lanes: [...all.filter(happens), ...all.filter((lane) => !happens(lane))],
      eventful,
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

/** What a span says in a sentence, without its evidence. */
export function spanText({ phases, spans, length }: ReportData, at: number): string {
  const [from, to, replicas, ready] = [spans.from[at]!, spans.to[at]!, spans.replicas[at]!, spans.ready[at]!];
  const { name, text } = phases[spans.phase[at]!]!;
  const until = to < 0 ? 'to the end' : `until T+${durationText(to)}`;
  const lasts = durationText((to < 0 ? length : to) - from);
  const count =
    replicas <= 0
      ? ''
      : name === 'gap'
        ? `, ${replicas} missing`
        : ready < 0
          ? ''
          : `, ${ready} of ${replicas} ready`;
  return `${text} from T+${durationText(from)} ${until} (${lasts})${count}`;
}

/** "estimate", or nothing if it is certain. */
export function certaintyText({ spans }: ReportData, at: number): string {
  const certainty = CERTAINTIES[spans.certainty[at]!]!;
  return certainty === 'certain' ? '' : certainty;
}
