import type { History } from '../../analysis/history/history.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { Block } from '../../presentation/model.ts';
import { asWarning } from '../../presentation/words.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { listed, plural } from '../words/amounts.ts';
import { evictionTable, historySteps, missingTable, newestIncident } from '../timeline/timelineAnswer.ts';
import {
  type TimelineInput,
  doubtText,
  knownFrom,
  minutesText,
  timelineDocument,
  worstEvictions,
  worstWorkloads,
} from '../timeline/timelineWords.ts';
import type { ViewNames } from '../answer.ts';
import { reportPage } from './reportPage.ts';

interface HistorySubject {
  /** the kind of page: "Timeline", "Drain" */
  kind: string;
  /** the title: "Drain of member1" */
  title: string;
}

const EVERYTHING: HistorySubject = { kind: 'Timeline', title: 'What happened' };

/** A history, recorded or reconstructed from a state, as a page for a browser. */
export function historyReport(
  input: TimelineInput,
  names: ViewNames,
  { kind, title }: HistorySubject = EVERYTHING,
): Generator<string> {
  const { history, karmadaVersion, assumptions } = input;
  const { start, end, seen, spans, doubts } = history;
  return reportPage({
    kind,
    // a single state shows only how the bars end
    shown: { title, start: seen ? start : end, end, spans },
    outcomes: [],
    fates: [],
    byClock: true,
    readyKnown: seen,
    placed: new Map(),
    capacity: new Map(),
    verdict: historyVerdict(history, title),
    basis: `${knownFrom(history)[0]}, of Karmada ${karmadaVersion}.`,
    summary: [
      historySteps(
        { ...input, history: input.isChosen ? history : newestIncident(history) },
        { wide: false },
      ),
    ],
    placement: [],
    tables: {
      id: 'evictions',
      title: 'Evictions and downtime',
      blocks: [...evictionTable({ ...history, evictions: worstEvictions(input) }), ...missingTable(history)],
    },
    assumptions: [
      ...doubts.map((doubt): Block => ({ type: 'paragraph', words: asWarning(doubtText(doubt)) })),
      ...assumptionBlocks(assumptions, { wide: true, names }),
    ],
    document: timelineDocument(input),
    file: 'timeline.json',
  });
}

/**
 * "What happened: member1 was not Ready; 12 evictions of 11 workloads from member1, 2 of them not over yet; 3 workloads lacked ready
 * replicas, 12.5 replica-minutes of downtime, 1 of them still at the end."
 */
export function historyVerdict(history: History, title = EVERYTHING.title): string {
  const failed = history.seen ? failureTexts(history) : stillFailedTexts(history);
  const parts = [...failed, evictionText(history), ...missingTexts(history)];
  return `${title}: ${parts.join('; ')}.`;
}

function failureTexts({ clusters }: History): string[] {
  const failed = clusters.filter(({ flaps }) => flaps > 0);
  if (failed.length === 0) return [];
  const times = failed.reduce((sum, { flaps }) => sum + flaps, 0);
  const were = failed.length === 1 ? 'was' : 'were';
  const often = times > failed.length ? `, ${times} times${failed.length === 1 ? '' : ' together'}` : '';
  return [`${names(failed.map(({ name }) => name))} ${were} not Ready${often}`];
}

/** A single state shows only the last change of each condition. */
function stillFailedTexts({ events }: History): string[] {
  const ready = new Map<string, string>();
  for (const { type, object, message = '' } of events) {
    const status = type === 'ConditionChanged' ? /^Ready=(\w+)/.exec(message)?.[1] : undefined;
    if (status !== undefined && object.kind === 'Cluster') ready.set(object.name, status);
  }
  const failed = [...ready].flatMap(([name, status]) => (status === 'True' ? [] : [name]));
  return failed.length === 0 ? [] : [`${names(failed)} ${failed.length === 1 ? 'is' : 'are'} not Ready`];
}

function evictionText({ evictions: all, seen, start }: History): string {
  // those in progress at the start of a recording began before it
  const evictions = seen ? all.filter(({ evicted = start }) => evicted >= start) : all;
  // a single state does not show finished ones
  if (evictions.length === 0) return seen ? 'nothing was evicted' : 'no eviction is on record';
  const workloads = new Set(evictions.map(({ workload }) => objectKey(workload)));
  const from = [...new Set(evictions.map((one) => one.from))];
  // a single state shows only some finished ones
  const open = seen
    ? evictions.filter(({ ended, gone, scheduled, purgeMode }) => {
        // a directly purged copy is gone before its replacement is up
        const isGone = gone !== undefined && (purgeMode !== 'Directly' || scheduled !== undefined);
        return ended === undefined && !isGone;
      }).length
    : 0;
  const over =
    open === 0 ? '' : open === evictions.length ? ', not over yet' : `, ${open} of them not over yet`;
  const count = `${plural(evictions.length, 'eviction')} of ${plural(workloads.size, 'workload')} from ${names(from)}`;
  return seen ? `${count}${over}` : `${count} ${evictions.length === 1 ? 'is' : 'are'} still on record`;
}

function missingTexts(history: History): string[] {
  const missing = worstWorkloads(history).filter(
    ({ missingReplicaMinutes = 0 }) => missingReplicaMinutes > 0,
  );
  if (missing.length === 0) return [];
  const minutes = missing.reduce((sum, one) => sum + (one.missingReplicaMinutes ?? 0), 0);
  const open = missing.filter(({ gap }) => gap?.open === true).length;
  const still =
    open === 0 ? '' : missing.length === 1 ? ' (still at the end)' : ` (${open} still at the end)`;
  return [
    `${plural(missing.length, 'workload')} lacked ready replicas${still}, ${minutesText(minutes)} replica-minutes of downtime`,
  ];
}

const names = (all: string[]) => listed(all, 3, all.length === 2 ? ' and ' : ', ');
