import type { FailoverState } from '../../analysis/explanation/failoverSwitch.ts';
import type { FailoverStatus } from '../../analysis/explanation/failoverStatus.ts';
import type { TaintRule } from '../../analysis/explanation/taintRules.ts';
import { paceInWords } from '../../karmada/taints/evictionPace.ts';
import type { EvictionPace } from '../../karmada/controllers/controller.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { countTrouble, type WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import { bad, good, joined, warn } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { plural } from '../words/amounts.ts';
import { placementText, resourceName } from '../words/names.ts';
import { stateWords, troubleCounts } from '../words/workloadState.ts';
import { waitingSummaryBlock } from '../eviction/waitingEvictions.ts';

/** What the head of the status shows. */
export interface Head {
  status: FailoverStatus;
  /** gates and flags that decide about failover, each with the source of its value */
  switches: AnsweredAssumption[];
  /** everything that was assumed, the instant included */
  assumptions: AnsweredAssumption[];
  /** epoch milliseconds */
  now: number;
}

/** What the status shows before the clusters. */
export function failoverStatusHead(head: Head, shown: Shown): Block[] {
  return [...verdictBlocks(head, shown), ...ruleBlocks(head, shown), ...assumed(head, shown)];
}

/** So many workloads are listed, the worst first, unless all are asked for. */
const MOST_LISTED = 10;

/** Which workloads something is wrong with now. */
export function troubleBlocks(trouble: readonly WorkloadSummary[] = [], wide: boolean): Block[] {
  if (trouble.length === 0) return [];
  const shown = wide ? trouble : trouble.slice(0, MOST_LISTED);
  const table: Block = {
    type: 'table',
    columns: [{ name: 'NAMESPACE' }, { name: 'WORKLOAD' }, { name: 'CLUSTERS' }, { name: 'NOW', wraps: 40 }],
    rows: shown.map((one) => [
      one.workload.namespace ?? '',
      resourceName(one.workload),
      placementText(one.clusters) || 'none',
      stateWords(one),
    ]),
    narrowing: [{ fold: { NOW: '' } }, { cut: 'WORKLOAD', to: 16 }],
  };
  const rest = trouble.length - shown.length;
  const more: Block[] =
    rest === 0 ? [] : [{ type: 'paragraph', words: `and ${plural(rest, 'workload')} more: -o wide` }];
  const title: Words = [joined(troubleCounts(countTrouble(trouble)), ', '), '.'];
  return [{ type: 'section', title, blocks: [table, ...more] }];
}

/** Workloads in trouble, the verdict, the pace and the queue of evictions. */
export function verdictBlocks({ status, now }: Head, shown: Shown): Block[] {
  return [
    ...troubleBlocks(status.trouble, shown.wide),
    failoverVerdict(status.failover, status.evictionPace),
    ...(status.evictionPace ? [paceBlock(status.evictionPace)] : []),
    ...waitingSummaryBlock(status.evictionQueue, now),
  ];
}

/** What failover rests on: the rules of taints, then the gates and flags. */
export function ruleBlocks({ status, switches }: Head, shown: Shown): Block[] {
  return [ruleTable(status.taintRules, shown), switchTable(switches, shown)];
}

/** The pace with the share of faulty clusters, to compare with unhealthy-cluster-threshold. */
export function paceDocument(pace: EvictionPace) {
  const { mode, rate, faulty, clusters, reason } = pace;
  const share = clusters === 0 ? 0 : Math.round((faulty.length / clusters) * 10_000) / 10_000;
  return { mode, rate, faulty, clusters, share, reason };
}

/** "The eviction queue lets 0.1 evictions per second go: 12 of 20 clusters are faulty, more than 55%." */
export function paceBlock(pace: EvictionPace): Block {
  const tone = { normal: good, slow: warn, paused: bad }[pace.mode];
  return { type: 'paragraph', words: ['The eviction queue ', tone(paceInWords(pace)), `: ${pace.reason}.`] };
}

/** The assumptions that matter here and that the table of switches does not show. */
const ASSUMED: ReadonlySet<string> = new Set(['now', 'karmadaVersion', 'workloadReadyAfter']);

/** The block of the assumptions that matter here. */
export function assumed({ assumptions }: Head, shown: Shown): Block[] {
  return assumptionBlocks(
    assumptions.filter(({ name }) => ASSUMED.has(name)),
    shown,
  );
}

const VERDICTS: Record<FailoverState, string> = {
  on: 'on: workloads leave a cluster that fails',
  partly: 'on for some of the clusters',
  'by-hand': 'only by hand: workloads leave a cluster when a person gives it a EFFECTS taint',
  off: 'off: workloads stay on a cluster that fails',
  unknown: 'UNKNOWN: what is assumed of gates and flags does not fit what the objects show',
};

/** Whether failover is on, and why not. */
export function failoverVerdict(
  { state, certainty, missing, reasons, inferred = [] }: FailoverStatus['failover'],
  evictionPace: EvictionPace | undefined,
): Block {
  const tone = state === 'on' ? good : state === 'off' ? bad : warn;
  // in versions that have an eviction queue with a pace, PreferNoExecute evicts, too
  const effects = evictionPace ? 'NoExecute or PreferNoExecute' : 'NoExecute';
  const [head, ...rest] = VERDICTS[state].replace('EFFECTS', effects).split(':');
  const known = certainty === 'certain' || state === 'unknown' ? '' : warn(', as far as is known');
  const title: Words = [
    'Cluster failover is ',
    tone(head!),
    known,
    rest.length > 0 ? `:${rest.join(':')}` : '',
    '.',
  ];
  const unknown: Words[] = missing === undefined ? [] : [[warn('unknown'), `: ${missing}`]];
  const nodes = [...inferred, ...reasons, ...unknown].map((words) => ({ mark: '-', words }));
  return { type: 'section', title, blocks: nodes.length === 0 ? [] : [{ type: 'tree', nodes }] };
}

/** The gates and flags, by where they are known from; with `wide` one by one. */
function switchTable(switches: AnsweredAssumption[], { wide }: Shown): Block {
  if (wide)
    return {
      type: 'table',
      columns: [{ name: 'GATE OR FLAG' }, { name: 'VALUE' }, { name: 'KNOWN FROM' }],
      rows: switches.map(({ name, value, source }) => [name, String(value), source]),
    };
  const bySource = new Map<string, string[]>();
  for (const { name, value, source } of switches) {
    const known = shortSource(source);
    bySource.set(known, [...(bySource.get(known) ?? []), `${name}=${String(value)}`]);
  }
  return {
    type: 'table',
    columns: [
      { name: 'KNOWN FROM', wraps: 24 },
      { name: 'GATES AND FLAGS', wraps: 40 },
    ],
    rows: [...bySource].map(([source, values]) => [source, values.join(', ')]),
  };
}

/** "Deployment karmada-system/karmada-webhook" of one that sets a flag, "default of v1.18.2" of one that does not. */
function shortSource(source: string): string {
  return source.replace(/, --[\w-]+$/, '').replace(/^(default of \S+), \S+ \S+ does not set it$/, '$1');
}

function ruleTable(rules: TaintRule[], { wide }: Shown): Block {
  return {
    type: 'table',
    columns: [
      { name: 'TAINT' },
      { name: 'ADDED WHEN', wraps: 16 },
      { name: 'REMOVED WHEN', wraps: 16 },
      { name: 'CLUSTERS', wraps: 10 },
      { name: 'BY', wraps: 20 },
    ],
    rows: rules.flatMap(({ by, taints, addedWhen, removedWhen, clusters }) =>
      taints.map((taint) => [
        taint,
        addedWhen.join(' and ') || 'never',
        removedWhen.join(' and ') || 'never',
        clusters === null ? 'all' : listed(clusters, wide),
        typeof by === 'string' ? 'Karmada itself' : `${by.kind} ${by.name}`,
      ]),
    ),
    narrowing: [
      { fold: { CLUSTERS: 'on', BY: 'by' } },
      { fold: { 'ADDED WHEN': 'added when', 'REMOVED WHEN': 'removed when' } },
    ],
  };
}

function listed(names: string[], all: boolean): string {
  if (names.length === 0) return 'none';
  return all || names.length <= 3 ? names.join(',') : `${names.slice(0, 3).join(',')}+${names.length - 3}`;
}

/** Workloads in trouble as documents show them. */
export function troubleDocument(trouble: readonly WorkloadSummary[]) {
  return trouble.map(({ key: _key, ...one }) => one);
}
