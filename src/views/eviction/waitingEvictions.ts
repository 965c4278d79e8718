import type {
  WaitingEviction,
  WaitingEvictions,
  WaitingSummary,
} from '../../analysis/explanation/waitingEvictions.ts';
import { paceInWords } from '../../karmada/taints/evictionPace.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { plural } from '../words/amounts.ts';
import { relativeTime } from '../words/duration.ts';

/** The eviction queue in documents. */
export function waitingDocument({ pace, items, certainty, missing }: WaitingEvictions) {
  const { mode, rate, reason } = pace;
  return { pace: { mode, rate, reason }, items, certainty, ...(missing !== undefined && { missing }) };
}

/** The evictions that wait for their turn: a table; nothing if none waits. */
export function waitingBlocks(queue: WaitingEvictions | undefined, now: number, shown: Shown): Block[] {
  if (!queue || queue.items.length === 0) return [];
  const { pace } = queue;
  const table: Block = {
    type: 'table',
    columns: [
      { name: 'NAMESPACE' },
      { name: 'WORKLOAD' },
      { name: 'QUEUED FROM' },
      { name: 'POSITION' },
      { name: 'SINCE' },
      { name: 'LEAVES' },
      { name: 'WAITS FOR', wraps: 30 },
    ],
    rows: queue.items.map((item) => cells(item, now)),
    narrowing: [
      { fold: { 'WAITS FOR': '' } },
      { drop: ['SINCE'] },
      { cut: 'WORKLOAD', to: 16 },
      { fold: { 'QUEUED FROM': 'from', POSITION: 'position', LEAVES: 'leaves' } },
    ],
  };
  if (shown.noHeaders) return [table];
  return [
    {
      type: 'paragraph',
      words: [`In the eviction queue, which ${paceInWords(pace)} (${pace.reason})`, doubt(queue), ':'],
    },
    table,
  ];
}

function cells(item: WaitingEviction, now: number): Words[] {
  const { binding, workload, cluster, state, position, since, waitsFor, reason } = item;
  return [
    binding.namespace ?? '',
    `${workload.kind}/${workload.name}`,
    cluster,
    state === 'waiting' ? (position === null ? '?' : String(position)) : state,
    since === null ? '' : relativeTime(instant(since), now),
    leavesWords(item, now),
    WAITS[waitsFor] ?? reason,
  ];
}

/** The rows do not repeat what the heading already says. */
const WAITS: Partial<Record<WaitingEviction['waitsFor'], string>> = {
  rate: 'its turn',
  'secondary-rate': 'its turn',
  threshold: 'fewer faulty clusters',
};

function leavesWords({ expected, waitsFor, state, position }: WaitingEviction, now: number): Words {
  if (expected !== null) return relativeTime(instant(expected), now);
  if (waitsFor === 'pre-scheduling') return 'not at all';
  if (waitsFor === 'toleration') return 'after the year 9999';
  return asWarning(state === 'waiting' && position === null ? '?' : 'not in this state');
}

/** "40 workloads wait in the eviction queue (estimate): member1 30, member2 10; the last has its turn in 1m20s." */
export function waitingSummaryBlock(summary: WaitingSummary | undefined, now: number): Block[] {
  if (!summary || summary.clusters.length === 0) return [];
  const { waiting, clusters, lastTurn } = summary;
  const of = (state: 'waiting' | 'tolerating' | 'abandoned') =>
    clusters.flatMap((one) => (one[state] > 0 ? [`${one.cluster} ${one[state]}`] : []));
  const count = (state: 'tolerating' | 'abandoned') => clusters.reduce((sum, one) => sum + one[state], 0);
  const parts = [
    ...(waiting > 0
      ? [
          `${plural(waiting, 'workload')} ${waiting === 1 ? 'waits' : 'wait'} in the eviction queue (${of('waiting').join(', ')})${
            lastTurn === null ? '' : `, and the last leaves ${relativeTime(instant(lastTurn), now)}`
          }`,
        ]
      : []),
    ...(count('tolerating') > 0
      ? [`${plural(count('tolerating'), 'workload')} still tolerated (${of('tolerating').join(', ')})`]
      : []),
    ...(count('abandoned') > 0
      ? [`${plural(count('abandoned'), 'eviction')} abandoned (${of('abandoned').join(', ')})`]
      : []),
  ];
  return [{ type: 'paragraph', words: [parts.join('; '), doubt(summary), '.'] }];
}

function doubt({ certainty, missing }: Pick<WaitingSummary, 'certainty' | 'missing'>): Words {
  return certainty === 'certain' ? '' : [' (', asWarning('estimate'), `: certainty needs ${missing ?? ''})`];
}
