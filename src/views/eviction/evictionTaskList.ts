import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import type { WaitingEvictions } from '../../analysis/explanation/waitingEvictions.ts';
import type { EvictionVerdict } from '../../analysis/explanation/tasks/taskWait.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Column, Narrowing, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { UNVERIFIED } from '../screen/timeWords.ts';
import { age, duration, relativeTime } from '../words/duration.ts';
import { evidenceWords } from '../words/evidence.ts';
import { objectText, placementText, resourceName, shortWorkloadName, workloadName } from '../words/names.ts';
import {
  downWords,
  evictionLosses,
  outcomeDocument,
  outcomeTone,
  possibleEndsText,
  severityOf,
} from '../words/outcomeWords.ts';
import { plural } from '../words/amounts.ts';
import { nextStep } from '../words/nextStep.ts';
import { waitingBlocks, waitingDocument } from './waitingEvictions.ts';

interface EvictionTaskListInput extends DatedBasis {
  items: EvictionTaskExplanation[];
  /** in versions with one eviction queue: its waiting workloads */
  queue?: WaitingEvictions | undefined;
  /** print each task in full instead of a table */
  detailed: boolean;
  /** the selection, if it is not everything: "in namespace shop" */
  asked?: string;
  /** the tasks are in the requested order; otherwise the worst come first in texts */
  ordered?: boolean;
}

/** A task in documents. */
export function evictionTaskDocument({ flapping, deletedReady, ...task }: EvictionTaskExplanation) {
  return { ...task, ...outcomeDocument({ flapping, deletedReady }) };
}

/** Eviction tasks: a table of all, or those of one workload in full. */
export function evictionTaskList(input: EvictionTaskListInput): Answer {
  const { items, queue, now, karmadaVersion, assumptions, detailed, asked = '' } = input;
  return {
    document: {
      kind: 'EvictionTaskList',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      summary: documentSummary({ evictions: items }, { verdicts: items.map(({ verdict }) => verdict) }),
      items: items.map(evictionTaskDocument),
      ...(queue && { queue: waitingDocument(queue) }),
    },
    list: {
      field: 'items',
      inOrder: (positions) => evictionTaskList({ ...input, items: inOrder(items, positions), ordered: true }),
    },
    names: () => [...new Set(items.map(({ binding }) => resourceName(binding)))],
    presentation(shown) {
      const { noHeaders } = shown;
      const waiting = waitingBlocks(queue, now, shown);
      const none = noHeaders ? [] : [paragraph(`${`No evictions in flight ${asked}`.trimEnd()}.`)];
      if (items.length === 0 && waiting.length === 0)
        return { blocks: noHeaders ? [] : [...none, ...nextStep(['status'], shown)] };
      const sorted = input.ordered ? items : worstFirst(items);
      const tasks = [
        ...(noHeaders || items.length === 0 ? [] : [paragraph(summary(sorted))]),
        ...(noHeaders ? [] : nextSteps(sorted, detailed, shown)),
        ...(detailed
          ? sorted.map((item) => evictionTaskDetail(item, now))
          : [evictionTaskTable(sorted, now, shown)]),
      ];
      const body = [...(items.length === 0 ? none : tasks), ...waiting];
      return { blocks: noHeaders ? body : [...body, ...assumptionBlocks(assumptions, shown)] };
    },
  };
}

const paragraph = (words: Words): Block => ({ type: 'paragraph', words });

const WIDE_COLUMNS = ['REPLICAS', 'REASON', 'PRODUCER', 'BINDING', 'STALE HEALTH', 'CERTAINTY'];

/** The columns of a table of tasks; wide ones come before the last. */
export function evictionTaskColumns(wide: boolean): Column[] {
  return [
    { name: 'WORKLOAD' },
    { name: 'FROM' },
    { name: 'TO', wraps: 12 },
    { name: 'MODE' },
    { name: 'AGE' },
    { name: 'DEADLINE' },
    { name: 'OUTCOME', wraps: 18 },
    ...(wide ? WIDE_COLUMNS.map((name) => ({ name })) : []),
    { name: 'VERDICT', wraps: 30 },
  ];
}

/** How such a table becomes narrower: the purge mode and the age matter least. */
export const evictionTaskNarrowing: readonly Narrowing[] = [
  { fold: { VERDICT: '' } },
  { fold: Object.fromEntries(WIDE_COLUMNS.map((name) => [name, name.toLowerCase()])) },
  { drop: ['MODE'] },
  { drop: ['AGE'] },
  { cut: 'WORKLOAD', to: 16 },
  { fold: { FROM: 'from', TO: 'to' } },
];

/** A line of such a table; an ended task has no forecast. */
export function evictionTaskCells(
  item: Omit<EvictionTaskExplanation, 'outcome'> & { outcome: Outcome | null },
  now: number,
  wide: boolean,
): Words[] {
  return [
    shortWorkloadName(item.workload),
    item.fromCluster,
    placementText(item.toClusters) || asBad('nowhere'),
    item.purgeMode ?? '',
    item.ageSeconds === null ? '' : age(now - item.ageSeconds * 1000, now),
    deadlineText(item, now),
    outcomeWords(item, wide),
    ...(wide
      ? [
          String(item.replicas ?? ''),
          item.reason,
          item.producer,
          item.binding.name,
          item.staleHealth.join(','),
          item.certainty,
        ]
      : []),
    verdictWords(item),
  ];
}

/** A waiting or held task may have no deadline: by its settings, or because the version has none. */
function deadlineText(
  { deadline, deadlineAssumed, verdict, outcome }: Parameters<typeof evictionTaskCells>[0],
  now: number,
): Words {
  if (deadline !== null) {
    const time = instant(deadline);
    const words = time < now ? asBad(`overdue ${duration(now - time)}`) : relativeTime(time, now);
    return [words, deadlineAssumed ? asWarning(UNVERIFIED) : ''];
  }
  const waits = verdict === 'waiting' || verdict === 'stuck' || verdict === 'held';
  return outcome !== null && waits ? 'none' : '';
}

function evictionTaskTable(items: EvictionTaskExplanation[], now: number, { wide }: Shown): Block {
  return {
    type: 'table',
    columns: evictionTaskColumns(wide),
    rows: items.map((item) => evictionTaskCells(item, now, wide)),
    narrowing: evictionTaskNarrowing,
  };
}

/** By the outcome of the workload. */
function worstFirst(items: readonly EvictionTaskExplanation[]): EvictionTaskExplanation[] {
  return [...items].sort((a, b) => severityOf(a) - severityOf(b));
}

/** "lost (estimate)"; a wide table has a separate column for the certainty. */
function outcomeWords(
  { outcome, certainty, possibleEnds, down }: Parameters<typeof evictionTaskCells>[0],
  wide: boolean,
): Words {
  if (outcome === null) return '';
  const ends = possibleEndsText({ outcome, possibleEnds }).map(asWarning);
  const doubt = wide || certainty === 'certain' ? '' : asFaint(` (${certainty})`);
  const unready = down && outcome !== 'lost' ? [asBad('down')] : [];
  return joined([[outcomeTone(outcome, outcome), doubt], ...unready, ...ends], ', ');
}

/** "stuck, waits for a cluster": the state of a task, and why. */
export function verdictWords({
  verdict,
  waitingFor,
  toClusters,
}: Pick<EvictionTaskExplanation, 'verdict' | 'waitingFor' | 'toClusters'>): Words {
  const stale = toClusters.some((one) => one.stale && one.health) ? ' (by stale health)' : '';
  switch (verdict) {
    case 'ends-now':
      return [asGood('ends now'), stale];
    case 'overdue':
      return [asBad('overdue'), ': is karmada-controller-manager running?'];
    case 'held':
      return [asWarning('held'), `, waits for ${waitingFor}`];
    case 'stuck':
      return [asBad('stuck'), `, waits for ${waitingFor}`];
    default:
      return `${verdict === 'new' ? 'new, ' : ''}waits for ${waitingFor}${stale}`;
  }
}

const VERDICTS: [EvictionVerdict, string][] = [
  ['new', 'new'],
  ['waiting', 'waiting'],
  ['stuck', 'stuck'],
  ['held', 'held'],
  ['ends-now', 'about to end'],
  ['overdue', 'overdue'],
];

function summary(items: EvictionTaskExplanation[]): Words {
  const counts = VERDICTS.map(([verdict, name]) => {
    const count = items.filter((item) => item.verdict === verdict).length;
    return count > 0 ? `${count} ${name}` : '';
  }).filter((text) => text !== '');
  const total = `${plural(items.length, 'eviction')}: ${counts.join(', ')}.`;
  const losses = evictionLosses(items);
  return losses.length === 0 ? total : [total, ' ', joined(losses, ', '), '.'];
}

/**
 * The command that shows the worst task in full; if it is already shown, the one that ends a held task, otherwise the one that explains the
 * workload.
 */
function nextSteps(items: readonly EvictionTaskExplanation[], isDetailed: boolean, shown: Shown): Block[] {
  const worst =
    items.find(({ outcome, down }) => outcome === 'lost' || down) ??
    items.find(({ verdict }) => verdict === 'stuck' || verdict === 'overdue') ??
    items.find(({ verdict }) => verdict === 'held') ??
    items[0];
  if (!worst) return [];
  const name = workloadName(worst.workload);
  if (!isDetailed) return nextStep(['eviction', 'inspect', name], shown);
  if (worst.verdict !== 'held') return nextStep(['explain', name], shown);
  const { leaving, planOnly } = shown.names;
  return nextStep(['eviction', 'release', name, leaving(worst.fromCluster), planOnly], shown);
}

/** A task in full, with the evidence. */
export function evictionTaskDetail(item: EvictionTaskExplanation, now: number): Block {
  return {
    type: 'section',
    title: { type: 'heading', parts: [asStrong(objectText(item.workload)), objectText(item.binding)] },
    blocks: [{ type: 'keyValues', entries: fields(item, now) }],
  };
}

function fields(item: EvictionTaskExplanation, now: number): [Words, Words][] {
  const evidence = item.evidence.map((one, index): [Words, Words] => [
    index === 0 ? 'evidence' : '',
    evidenceWords(one, item.binding),
  ]);
  const to = item.toClusters.map(
    (target) => `${placementText([target])} (${healthText(target.health, target.stale)})`,
  );
  const from = placementText([
    { name: item.fromCluster, ...(item.replicas === null ? {} : { replicas: item.replicas }) },
  ]);
  const fromHealth = healthText(item.fromHealth, item.staleHealth.includes(item.fromCluster));
  const ends: [Words, Words][] = item.endsAt === null ? [] : [['ends', timeText(item.endsAt, now, '')]];
  return [
    ['from', `${from} (${fromHealth})`],
    ['to', to.length > 0 ? to.join(', ') : asBad('nowhere')],
    ['task', [item.purgeMode, item.reason, `by ${item.producer}`].filter((part) => part !== null).join(', ')],
    ['created', timeText(item.createdAt, now, 'no creationTimestamp yet')],
    [
      'deadline',
      [
        timeText(item.deadline, now, 'none'),
        item.deadlineAssumed ? asWarning(', if graceful-eviction-timeout is its default') : '',
      ],
    ],
    ['verdict', verdictWords(item)],
    ...ends,
    [
      'outcome',
      [
        downWords(item) || outcomeTone(item.outcome, item.outcome),
        `: ${placementText(item.after) || 'nowhere'}`,
      ],
    ],
    ['then', [item.consequence, ...possibleEndsText(item)].join('; ')],
    ...doubtEntries(item),
    ...evidence,
  ];
}

/** The certainty of the workload's outcome. */
function doubtEntries({ certainty, dependsOn }: EvictionTaskExplanation): [Words, Words][] {
  if (certainty === 'certain') return [];
  return dependsOn.map((what, index) => [index === 0 ? asWarning(certainty) : '', `depends on ${what}`]);
}

function healthText(health: string | null, stale: boolean): string {
  if (health === null) return 'nothing reported';
  return stale ? `${health} when last reported` : health;
}

function timeText(time: string | null, now: number, absent: string): string {
  return time === null ? absent : `${rfc3339(instant(time))}, ${relativeTime(instant(time), now)}`;
}
