import type { FailoverState } from '../../analysis/explanation/failoverSwitch.ts';
import type { FailoverStatus } from '../../analysis/explanation/failoverStatus.ts';
import type { TaintRule } from '../../analysis/explanation/taintRules.ts';
import { paceInWords } from '../../karmada/taints/evictionPace.ts';
import type { EvictionPace } from '../../karmada/controllers/controller.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { countTrouble, type WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import { asBad, asGood, joined, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { plural } from '../words/amounts.ts';
import { placementText, shortWorkloadName, workloadName } from '../words/names.ts';
import { failoverStateWords } from '../words/failoverState.ts';
import { stateWords, troubleCounts } from '../words/workloadState.ts';
import { REPORTED_RESOURCES } from '../../analysis/forecast/headroom.ts';
import { freeOf } from '../words/freeShare.ts';
import { nextStep } from '../words/nextStep.ts';
import { waitingSummaryBlock } from '../eviction/waitingEvictions.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

export interface Head {
  status: FailoverStatus;
  /** gates and flags that control failover, each with the source of its value */
  switches: AnsweredAssumption[];
  /** all assumptions, including the instant */
  assumptions: AnsweredAssumption[];
  /** epoch milliseconds */
  now: number;
}

/** The part of the status above the clusters. */
export function failoverStatusHead(head: Head, shown: Shown): Block[] {
  return [...verdictBlocks(head, shown), ...ruleBlocks(head, shown), ...assumptionLine(head, shown)];
}

/** How many workloads are listed, the worst first, unless all are requested. */
const MAX_LISTED = 10;

/** Workloads in trouble now. */
export function troubleBlocks(trouble: readonly WorkloadSummary[] = [], wide: boolean): Block[] {
  if (trouble.length === 0) return [];
  const shown = wide ? trouble : trouble.slice(0, MAX_LISTED);
  const table: Block = {
    type: 'table',
    columns: [{ name: 'WORKLOAD' }, { name: 'CLUSTERS' }, { name: 'NOW', wraps: 40 }],
    rows: shown.map((one) => [
      shortWorkloadName(one.workload),
      placementText(one.clusters) || asBad('nowhere'),
      stateWords(one),
    ]),
    narrowing: [{ fold: { NOW: '' } }, { cut: 'WORKLOAD', to: 16 }],
  };
  const rest = trouble.length - shown.length;
  const more: Block[] =
    rest === 0 ? [] : [{ type: 'paragraph', words: `and ${plural(rest, 'workload')} more: -o wide` }];
  return [{ type: 'section', blocks: [table, ...more] }];
}

/** Workloads in trouble, the verdict, the pace and the queue of evictions. */
export function verdictBlocks({ status, now }: Head, shown: Shown): Block[] {
  return [
    {
      type: 'section',
      blocks: [failoverVerdict(status.failover, status.evictionPace), totalsBlock(status)],
    },
    ...nextSteps(status, shown),
    ...failoverReasons(status.failover),
    ...troubleBlocks(status.trouble, shown.wide),
    ...(status.evictionPace ? [paceBlock(status.evictionPace)] : []),
    ...waitingSummaryBlock(status.evictionQueue, now),
  ];
}

/** "5 clusters, 1 not Ready; 33 replicas of 14 workloads …": the totals. */
function totalsBlock({ clusters, trouble }: FailoverStatus): Block {
  const notReady = clusters.filter(({ ready }) => ready.status !== 'True').length;
  const evicting = clusters.reduce((sum, one) => sum + one.evicting, 0);
  const free = REPORTED_RESOURCES.flatMap((resource) => {
    const known = clusters.flatMap(({ headroom }) => headroom.filter((one) => one.resource === resource));
    const total = known.reduce((sum, { allocatable }) => sum + allocatable, 0);
    if (total === 0) return [];
    const left = known.reduce((sum, one) => sum + one.free, 0);
    return [left < 0 ? asBad(freeOf(resource, left, total)) : freeOf(resource, left, total)];
  });
  const counts = troubleCounts(countTrouble(trouble ?? []));
  return {
    type: 'paragraph',
    words: [
      joined(
        [
          plural(clusters.length, 'cluster'),
          ...(notReady > 0 ? [asBad(`${notReady} not Ready`)] : []),
          ...counts,
          ...(evicting > 0 ? [asWarning(plural(evicting, 'eviction'))] : []),
          ...(free.length > 0 ? [['free: ', joined(free, ', ')]] : []),
        ],
        '; ',
      ),
      '.',
    ],
  };
}

/**
 * The command that explains the worst: a workload in trouble, otherwise the cluster whose loss would cost most; without
 * simulated losses, an audit.
 */
export function nextSteps({ trouble, clusters }: FailoverStatus, shown: Shown): Block[] {
  const [worst] = trouble ?? [];
  if (worst) return nextStep(['explain', workloadName(worst.workload)], shown);
  const [only, ...others] = clusters;
  const costliest = others.length === 0 ? only : clusters.find(({ rank }) => rank === 1);
  return costliest && costliest.workloads > 0
    ? nextStep(['simulate', shown.names.fails(costliest.name)], shown)
    : nextStep(['audit'], shown);
}

/** The basis of failover: the rules of taints, then the gates and flags. */
export function ruleBlocks({ status, switches }: Head, shown: Shown): Block[] {
  return [
    { type: 'section', detail: 'taint rules', blocks: [ruleTable(status.taintRules, shown)] },
    { type: 'section', detail: 'gates and flags', blocks: [switchTable(switches, shown)] },
  ];
}

/** The pace with the fraction of faulty clusters, to compare with unhealthy-cluster-threshold. */
export function paceDocument(pace: EvictionPace) {
  const { mode, rate, faulty, clusters, reason } = pace;
  const share = clusters === 0 ? 0 : Math.round((faulty.length / clusters) * 10_000) / 10_000;
  return { mode, rate, faulty, clusters, share, reason };
}

/** "The eviction queue evicts 0.1 workloads per second: 12 of 20 clusters are faulty, more than 55%." */
export function paceBlock(pace: EvictionPace): Block {
  const tone = { normal: asGood, slow: asWarning, paused: asBad }[pace.mode];
  return { type: 'paragraph', words: ['The eviction queue ', tone(paceInWords(pace)), `: ${pace.reason}.`] };
}

/** The assumptions that matter here and are not in the table of gates and flags. */
const ASSUMED: ReadonlySet<string> = new Set([
  'now',
  'karmadaVersion',
  'ClusterTaintPolicies',
  'workloadReadyAfter',
]);

/** The block of the assumptions that matter here. */
export function assumptionLine({ assumptions }: Head, shown: Shown): Block[] {
  return assumptionBlocks(
    assumptions.filter(({ name }) => ASSUMED.has(name)),
    shown,
  );
}

const MEANINGS: Record<FailoverState, string> = {
  on: 'workloads leave a cluster that fails',
  partly: '',
  'by-hand': 'workloads leave a cluster only if an operator adds a EFFECTS taint',
  off: 'workloads stay on a cluster that fails',
  unknown: 'the assumed gates and flags contradict the objects',
};

/** Whether failover is on. */
export function failoverVerdict(
  failover: FailoverStatus['failover'],
  evictionPace: EvictionPace | undefined,
): Block {
  // in versions with a paced eviction queue, PreferNoExecute evicts, too
  const effects = evictionPace ? 'NoExecute or PreferNoExecute' : 'NoExecute';
  const meaning = MEANINGS[failover.state].replace('EFFECTS', effects);
  const words = ['Cluster failover is ', failoverStateWords(failover), meaning && `: ${meaning}`, '.'];
  return { type: 'paragraph', words };
}

/** Why failover is not on, or not known to be. */
export function failoverReasons({ missing, reasons, inferred = [] }: FailoverStatus['failover']): Block[] {
  const unknown: Words[] = missing === undefined ? [] : [[asWarning('unknown'), `: ${missing}`]];
  const nodes = [...inferred, ...reasons, ...unknown].map((words) => ({ mark: '-', words }));
  return nodes.length === 0 ? [] : [{ type: 'tree', nodes }];
}

/** The gates and flags, grouped by source; with `wide` one by one. */
function switchTable(switches: AnsweredAssumption[], { wide }: Shown): Block {
  if (wide)
    return {
      type: 'table',
      columns: [{ name: 'GATE OR FLAG' }, { name: 'VALUE' }, { name: 'SOURCE', wraps: 24 }],
      rows: switches.map(({ name, value, source }) => [name, String(value), source]),
      narrowing: [{ fold: { SOURCE: '' } }],
    };
  const bySource = groupedBy(switches, ({ source }) => shortSource(source));
  return {
    type: 'table',
    columns: [
      { name: 'SOURCE', wraps: 24 },
      { name: 'GATES AND FLAGS', wraps: 40 },
    ],
    rows: [...bySource].map(([source, values]) => [
      source,
      values.map(({ name, value }) => `${name}=${String(value)}`).join(', '),
    ]),
  };
}

/** "Deployment karmada-system/karmada-webhook" if its flag is set, "default of v1.18.2" if not. */
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

/** Workloads in trouble in documents. */
export function troubleDocument(trouble: readonly WorkloadSummary[]) {
  return trouble.map(({ key: _key, ...one }) => one);
}
