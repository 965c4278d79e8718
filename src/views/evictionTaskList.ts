import type { EvictionTaskExplanation } from '../engine/explanation/tasks/evictionTask.ts';
import type { EvictionVerdict } from '../engine/explanation/tasks/taskWait.ts';
import type { Outcome } from '../engine/verdicts/outcome.ts';
import { objectKey } from '../engine/objects/identities.ts';
import { instant, rfc3339 } from '../kubernetes/time.ts';
import { inOrder, type Answer, type TextOptions } from './answer.ts';
import { assumptionText, type AnsweredAssumption } from './assumptions.ts';
import { duration } from './duration.ts';
import { evidenceText } from './evidence.ts';
import { objectText } from './objectText.ts';
import { outcomeDocument, outcomeStyle, possibleEndsText } from './outcomeWords.ts';
import { placementText } from './placement.ts';
import { relativeTime } from './relativeTime.ts';
import type { Style } from './style.ts';
import { columns, table } from './table.ts';

export interface EvictionTaskListInput {
  items: EvictionTaskExplanation[];
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
  /** print each task in full instead of a table */
  detailed: boolean;
  /** what was asked about, where that is not everything: "in namespace shop" */
  asked?: string;
}

/** A task as documents print it. */
export function evictionTaskDocument({ flapping, deletedReady, ...task }: EvictionTaskExplanation) {
  return { ...task, ...outcomeDocument({ flapping, deletedReady }) };
}

/** Eviction tasks: a table of all of them, or those of one workload in full. */
export function evictionTaskList(input: EvictionTaskListInput): Answer {
  const { items, now, karmadaVersion, assumptions, detailed, asked = '' } = input;
  return {
    document: {
      kind: 'EvictionTaskList',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      items: items.map(evictionTaskDocument),
    },
    list: {
      field: 'items',
      inOrder: (positions) => evictionTaskList({ ...input, items: inOrder(items, positions) }),
    },
    names: () => [...new Set(items.map(({ binding }) => `${binding.kind.toLowerCase()}/${binding.name}`))],
    text(options) {
      if (items.length === 0)
        return options.noHeaders ? '' : `${`No evictions in flight ${asked}`.trimEnd()}.`;
      const body = detailed ? detailText(items, now, options) : tableText(items, now, options);
      const assumed = assumptionText(assumptions, options.style, options.wide);
      return assumed && !options.noHeaders ? `${body}\n\n${assumed}` : body;
    },
  };
}

const HEADERS = ['NAMESPACE', 'WORKLOAD', 'FROM', 'TO', 'MODE', 'AGE', 'DEADLINE', 'OUTCOME', 'VERDICT'];
const WIDE_HEADERS = ['REPLICAS', 'REASON', 'PRODUCER', 'BINDING', 'STALE HEALTH', 'CERTAINTY'];

/** The names of the columns of a table of tasks; wide ones come before the last. */
export function evictionTaskHeaders(wide: boolean): string[] {
  return [...HEADERS.slice(0, -1), ...(wide ? WIDE_HEADERS : []), 'VERDICT'];
}

/** A line of such a table; of a task that is over nothing is foreseen. */
export function evictionTaskCells(
  item: Omit<EvictionTaskExplanation, 'outcome'> & { outcome: Outcome | null },
  now: number,
  { style, wide }: Pick<TextOptions, 'style' | 'wide'>,
): string[] {
  return [
    item.binding.namespace ?? '',
    `${item.workload.kind}/${item.workload.name}`,
    item.fromCluster,
    placementText(item.toClusters),
    item.purgeMode ?? '',
    item.ageSeconds === null ? '' : duration(item.ageSeconds * 1000),
    item.deadline === null ? '' : relativeTime(instant(item.deadline), now),
    outcomeText(item, style),
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
    verdictText(item, style),
  ];
}

function tableText(items: EvictionTaskExplanation[], now: number, options: TextOptions): string {
  const { style, wide, noHeaders } = options;
  const rows = items.map((item) => evictionTaskCells(item, now, { style, wide }));
  const headers = evictionTaskHeaders(wide);
  const lines = table(headers, rows, { noHeaders });
  return noHeaders ? lines : `${lines}\n\n${summary(items, style)}`;
}

function outcomeText(
  { outcome, possibleEnds }: Parameters<typeof evictionTaskCells>[0],
  style: Style,
): string {
  if (outcome === null) return '';
  return [
    outcomeStyle(outcome, style)(outcome),
    ...possibleEndsText({ outcome, possibleEnds }).map(style.warn),
  ].join(', ');
}

function verdictText(
  item: Pick<EvictionTaskExplanation, 'verdict' | 'waitingFor' | 'toClusters'>,
  style: Style,
): string {
  const { verdict, waitingFor, toClusters } = item;
  const stale = toClusters.some((one) => one.stale && one.health) ? ' (by stale health)' : '';
  switch (verdict) {
    case 'ends-now':
      return `${style.good('ends now')}${stale}`;
    case 'held':
      return `${style.warn('held')}, waits for ${waitingFor}`;
    case 'stuck':
      return `${style.bad('stuck')}, waits for ${waitingFor}`;
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
];

function summary(items: EvictionTaskExplanation[], style: Style): string {
  const counts = VERDICTS.map(([verdict, name]) => {
    const count = items.filter((item) => item.verdict === verdict).length;
    return count > 0 ? `${count} ${name}` : '';
  }).filter((text) => text !== '');
  const lost = items.filter(({ outcome }) => outcome === 'lost');
  const workloads = new Set(lost.map(({ binding }) => objectKey(binding))).size;
  const total = `${items.length} ${items.length === 1 ? 'eviction' : 'evictions'}: ${counts.join(', ')}.`;
  if (lost.length === 0) return total;
  const first = lost[0]!;
  const example = `eviction inspect ${first.workload.kind.toLowerCase()}/${first.workload.name}`;
  const what = `${workloads} ${workloads === 1 ? 'workload' : 'workloads'} will be lost`;
  return `${total} ${style.bad(what)}; see ${example}.`;
}

function detailText(items: EvictionTaskExplanation[], now: number, { style }: TextOptions): string {
  return items
    .map((item) => {
      const title = `${style.strong(objectText(item.workload))}   ${objectText(item.binding)}`;
      return `${title}\n${columns(fields(item, now, style), 2)}`;
    })
    .join('\n\n');
}

function fields(item: EvictionTaskExplanation, now: number, style: Style): string[][] {
  const evidence = item.evidence.map((one, index) => [
    index === 0 ? 'evidence' : '',
    evidenceText(one, item.binding, style),
  ]);
  const to = item.toClusters.map(
    (target) => `${placementText([target])} (${healthText(target.health, target.stale)})`,
  );
  const from = placementText([
    { name: item.fromCluster, ...(item.replicas === null ? {} : { replicas: item.replicas }) },
  ]);
  const fromHealth = healthText(item.fromHealth, item.staleHealth.includes(item.fromCluster));
  return [
    ['from', `${from} (${fromHealth})`],
    ['to', to.length > 0 ? to.join(', ') : style.bad('nowhere')],
    ['task', [item.purgeMode, item.reason, `by ${item.producer}`].filter((part) => part !== null).join(', ')],
    ['created', timeText(item.createdAt, now, 'not yet stamped')],
    ['deadline', timeText(item.deadline, now, 'none')],
    ['verdict', verdictText(item, style)],
    ...(item.endsAt === null ? [] : [['ends', timeText(item.endsAt, now, '')]]),
    [
      'outcome',
      `${outcomeStyle(item.outcome, style)(item.outcome)}: ${placementText(item.after) || 'nowhere'}`,
    ],
    ['then', [item.consequence, ...possibleEndsText(item)].join('; ')],
    ...doubtLines(item, style),
    ...evidence,
  ];
}

/** How sure it is what becomes of the workload. */
function doubtLines({ certainty, dependsOn }: EvictionTaskExplanation, style: Style): string[][] {
  if (certainty === 'certain') return [];
  return dependsOn.map((what, index) => [index === 0 ? style.warn(certainty) : '', `depends on ${what}`]);
}

function healthText(health: string | null, stale: boolean): string {
  if (health === null) return 'nothing reported';
  return stale ? `${health} when last heard of` : health;
}

function timeText(time: string | null, now: number, absent: string): string {
  return time === null ? absent : `${rfc3339(instant(time))}, ${relativeTime(instant(time), now)}`;
}
