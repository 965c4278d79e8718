import type {
  BindingOnCluster,
  ClusterStatus,
  ClusterTaint,
  FailoverStatus,
} from '../../engine/explanation/failoverStatus.ts';
import type { TaintRule } from '../../engine/explanation/taintRules.ts';
import type { DrainUnderWay } from '../../engine/drain/drainsUnderWay.ts';
import type { FailoverState } from '../../engine/explanation/failoverSwitch.ts';
import { paceInWords, type EvictionPace } from '../../engine/taints/evictionPace.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Column, Narrowing, Words } from '../../presentation/model.ts';
import { bad, good, joined, strong, warn } from '../../presentation/words.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { outcomeTone, possibleEndsText, SEVERITY, shortOutcomeCount } from '../words/outcomeWords.ts';
import { duration } from '../words/duration.ts';
import { relativeTime } from '../words/relativeTime.ts';
import { waitingSummaryBlock } from '../eviction/waitingEvictions.ts';
import { ownerText } from '../words/taintOwner.ts';
import { plural } from '../words/plural.ts';

export interface FailoverStatusInput {
  status: FailoverStatus;
  /** drains that are not finished */
  drains: DrainUnderWay[];
  /** gates and flags that decide about failover, each with the source of its value */
  switches: AnsweredAssumption[];
  /** everything that was assumed, the instant included */
  assumptions: AnsweredAssumption[];
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  /** one cluster was asked for: it is printed in full */
  detailed: boolean;
  /** only some of the workloads are counted */
  selective?: boolean;
  /** the clusters are in the order that was asked for; else texts begin with the one whose loss would cost most */
  ordered?: boolean;
}

/** The state of failover: the switches, who taints what, and the clusters. */
export function failoverStatusAnswer(input: FailoverStatusInput): Answer {
  const { status, drains, switches, assumptions, now, karmadaVersion, detailed, ordered, selective } = input;
  return {
    document: {
      kind: 'FailoverStatus',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      failover: status.failover,
      ...(status.evictionPace && { evictionPace: paceDocument(status.evictionPace) }),
      ...(status.evictionQueue && { evictionQueue: status.evictionQueue }),
      switches,
      taintRules: status.taintRules,
      drains,
      clusters: status.clusters,
    },
    list: {
      field: 'clusters',
      inOrder: (positions) =>
        failoverStatusAnswer({
          ...input,
          ordered: true,
          status: { ...status, clusters: inOrder(status.clusters, positions) },
        }),
    },
    names: () => status.clusters.map(({ name }) => `cluster/${name}`),
    presentation(shown) {
      const clusters = clusterTable(
        ordered ? status.clusters : byRank(status.clusters),
        now,
        shown,
        selective,
      );
      if (shown.noHeaders) return { blocks: status.clusters.length === 0 ? [] : [clusters] };
      const underWay = drains.map((drain) => drainBlock(drain, now));
      if (!detailed)
        return { blocks: [...headBlocks(input, shown), ...underWay, clusters, ...assumed(input, shown)] };
      const details = status.clusters.flatMap((one) => clusterDetails(one, now, selective));
      const ofThese = underWay.filter((_, at) =>
        drains[at]!.clusters.some((name) => status.clusters.some((one) => one.name === name)),
      );
      return {
        blocks: [
          failoverVerdict(status.failover, status.evictionPace),
          ...ofThese,
          ...details,
          ...assumed(input, shown),
        ],
      };
    },
  };
}

/** The cluster whose loss would cost most first; by name if nothing tells. */
function byRank(clusters: ClusterStatus[]): ClusterStatus[] {
  return clusters.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** "Drain of frankfurt, begun 12m ago by anna@bastion-1: 4 workloads are still there, 3 on their way out (3 held)" */
function drainBlock(drain: DrainUnderWay, now: number): Block {
  const { clusters, started, by, method, waiting, leaving, held, lastEviction } = drain;
  const begun = started === null ? '' : `, begun ${relativeTime(instant(started), now)}`;
  const who = by === null ? '' : ` by ${by}`;
  const how = method === 'taint' ? ', by a NoExecute taint' : '';
  const holding = held === 0 ? '' : ` (${held} held)`;
  const last = lastEviction === null ? '' : `, the last evicted ${relativeTime(instant(lastEviction), now)}`;
  return {
    type: 'paragraph',
    words: [
      warn(`Drain of ${clusters.join(', ')}`),
      `${begun}${who}${how}: ${plural(waiting, 'workload')} still there, ${leaving} on the way out${holding}${last}.`,
    ],
  };
}

type Head = Pick<FailoverStatusInput, 'status' | 'switches' | 'assumptions'> & {
  /** epoch milliseconds */
  now: number;
};

/** What the status shows before the clusters. */
export function failoverStatusHead(head: Head, shown: Shown): Block[] {
  return [...headBlocks(head, shown), ...assumed(head, shown)];
}

function headBlocks({ status, switches, now }: Head, shown: Shown): Block[] {
  return [
    failoverVerdict(status.failover, status.evictionPace),
    ...(status.evictionPace ? [paceBlock(status.evictionPace)] : []),
    ...waitingSummaryBlock(status.evictionQueue, now),
    switchTable(switches),
    ruleTable(status.taintRules, shown),
  ];
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

function assumed({ assumptions }: Head, shown: Shown): Block[] {
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
};

/** Whether failover is on, and why not. */
export function failoverVerdict(
  { state, certainty, missing, reasons }: FailoverStatus['failover'],
  evictionPace: EvictionPace | undefined,
): Block {
  const tone = state === 'on' ? good : state === 'off' ? bad : warn;
  // in versions that have an eviction queue with a pace, PreferNoExecute evicts, too
  const effects = evictionPace ? 'NoExecute or PreferNoExecute' : 'NoExecute';
  const [head, ...rest] = VERDICTS[state].replace('EFFECTS', effects).split(':');
  const known = certainty === 'certain' ? '' : warn(', as far as is known');
  const title: Words = [
    'Cluster failover is ',
    tone(head!),
    known,
    rest.length > 0 ? `:${rest.join(':')}` : '',
    '.',
  ];
  const unknown: Words[] = missing === undefined ? [] : [[warn('unknown'), `: ${missing}`]];
  const nodes = [...reasons, ...unknown].map((words) => ({ mark: '-', words }));
  return { type: 'section', title, blocks: nodes.length === 0 ? [] : [{ type: 'tree', nodes }] };
}

function switchTable(switches: AnsweredAssumption[]): Block {
  return {
    type: 'table',
    columns: [{ name: 'GATE OR FLAG' }, { name: 'VALUE' }, { name: 'KNOWN FROM', wraps: 40 }],
    rows: switches.map(({ name, value, source }) => [name, String(value), source]),
    narrowing: [{ drop: ['KNOWN FROM'] }],
  };
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

function clusterTable(clusters: ClusterStatus[], now: number, { wide }: Shown, selective?: boolean): Block {
  if (clusters.length === 0) return { type: 'paragraph', words: 'There are no clusters.' };
  const forecast = clusters.some(({ ifItFails }) => ifItFails !== null);
  return {
    type: 'table',
    columns: clusterColumns(forecast, wide),
    rows: clusters.map((cluster) => clusterCells(cluster, { forecast, selective }, now, wide)),
    narrowing: clusterNarrowing,
  };
}

export function clusterColumns(forecast: boolean, wide: boolean): Column[] {
  return [
    ...['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS', 'EVICTING'].map((name) => ({ name })),
    ...(wide ? ['MODE', 'REGION', 'SINCE'].map((name) => ({ name })) : []),
    ...(forecast ? [{ name: 'IF IT FAILS', wraps: 24 }] : []),
    { name: 'TAINTS', wraps: 40 },
  ];
}

/** Taints and forecasts move below the row; then figures that other columns imply are left out. */
export const clusterNarrowing: readonly Narrowing[] = [
  { fold: { TAINTS: 'taints' } },
  { fold: { 'IF IT FAILS': 'if it fails' } },
  { fold: { MODE: 'mode', REGION: 'region', SINCE: 'since' } },
  { cut: 'CLUSTER', to: 16 },
];

/** A cluster's line of the table; `now` is epoch milliseconds. */
export function clusterCells(
  cluster: ClusterStatus,
  { forecast, selective }: { forecast: boolean; selective?: boolean | undefined },
  now: number,
  wide: boolean,
): Words[] {
  return [
    cluster.name,
    readyWords(cluster),
    String(cluster.workloads),
    String(cluster.replicas),
    String(cluster.evicting),
    ...(wide
      ? [cluster.syncMode, cluster.region ?? '', cluster.ready.since ? since(cluster.ready.since, now) : '']
      : []),
    ...(forecast ? [forecastWords(cluster, selective)] : []),
    cluster.taints.map((one) => `${one.taint} (${originText(one)})`).join(', '),
  ];
}

function readyWords({ ready, deleting }: ClusterStatus): Words {
  const words = ready.status === 'True' ? good('True') : bad(ready.status ?? 'absent');
  return deleting ? [words, ', deleting'] : words;
}

function since(time: string, now: number): string {
  return relativeTime(instant(time), now);
}

/** From bad to good: "2 lost, 5 move; 3 not certain". */
function forecastWords(
  { ifItFails: forecast, uncertainIfItFails: uncertain, costIfItFails: cost }: ClusterStatus,
  selective = false,
): Words {
  if (forecast === null) return '';
  const parts = SEVERITY.flatMap((outcome) => {
    const count = forecast[outcome] ?? 0;
    return count === 0 ? [] : [outcomeTone(outcome, shortOutcomeCount(outcome, count))];
  });
  if (parts.length === 0) return selective ? 'nothing selected on it' : 'nothing on it';
  const { missingForGood: forGood = 0, missingReplicaMinutes: minutes = 0 } = cost ?? {};
  const missing = [
    ...(forGood === 0 ? [] : [`${plural(forGood, 'replica')} missing for good`]),
    ...(minutes === 0 ? [] : [`${plural(minutes, 'replica-minute')} missing`]),
  ].map((text) => `; ${text}`);
  const doubt = uncertain ? warn(`; ${uncertain} not certain`) : '';
  return [joined(parts, ', '), ...missing, doubt];
}

function originText({ note, ...taint }: ClusterTaint): string {
  return note ? `${ownerText(taint)}, ${note}` : ownerText(taint);
}

function clusterDetails(cluster: ClusterStatus, now: number, selective?: boolean): Block[] {
  const { ready, taints, bindings = [], ifItFails } = cluster;
  const why = [ready.reason, ready.message].filter((text) => text !== undefined).join(': ');
  const entries: [Words, Words][] = [
    [
      'ready',
      [readyWords(cluster), ready.since ? ` for ${duration(Math.max(0, now - instant(ready.since)))}` : ''],
    ],
    ...(why ? [['', why] as [Words, Words]] : []),
    ['mode', `${cluster.syncMode}${cluster.region ? `, region ${cluster.region}` : ''}`],
    ...taintEntries(taints, now),
    ['carries', `${plural(cluster.workloads, 'workload')}, ${plural(cluster.replicas, 'replica')}`],
    ['evicting', plural(cluster.evicting, 'workload')],
    ...(ifItFails === null ? [] : [['if it fails', forecastWords(cluster, selective)] as [Words, Words]]),
  ];
  return [
    {
      type: 'section',
      title: strong(`Cluster ${cluster.name}`),
      blocks: [{ type: 'keyValues', entries }],
    },
    bindingTable(bindings),
  ];
}

function taintEntries(taints: ClusterTaint[], now: number): [Words, Words][] {
  if (taints.length === 0) return [['taints', 'none']];
  return taints.map((one, index) => {
    const when = one.since ? `, ${since(one.since, now)}` : '';
    return [index === 0 ? 'taints' : '', `${one.taint} by ${originText(one)}${when}`];
  });
}

function bindingTable(bindings: BindingOnCluster[]): Block {
  const forecast = bindings.some(({ ifItFails }) => ifItFails !== null);
  return {
    type: 'table',
    columns: [
      { name: 'NAMESPACE' },
      { name: 'WORKLOAD' },
      { name: 'REPLICAS' },
      { name: 'HEALTH', wraps: 16 },
      ...(forecast ? [{ name: 'IF IT FAILS', wraps: 24 }] : []),
      { name: 'NOTE' },
    ],
    rows: bindings.map(({ workload, replicas, health, stale, evicting, ifItFails }) => [
      workload.namespace ?? '',
      `${workload.kind}/${workload.name}`,
      replicas === null ? '' : String(replicas),
      health === null ? '' : stale ? warn(`${health} when last reported`) : health,
      ...(forecast ? [bindingForecastWords(ifItFails)] : []),
      evicting ? warn('being evicted') : '',
    ]),
    narrowing: [
      { fold: { NOTE: '' } },
      { fold: { 'IF IT FAILS': 'if it fails' } },
      { cut: 'WORKLOAD', to: 16 },
    ],
  };
}

/** "moves (estimate), may end on dublin×3 or tokyo×3" */
function bindingForecastWords(forecast: BindingOnCluster['ifItFails']): Words {
  if (forecast === null) return '';
  const { outcome, certainty } = forecast;
  const doubt = certainty === 'certain' ? '' : warn(` (${certainty})`);
  const ends = possibleEndsText(forecast).map((text) => `, ${text}`);
  return [outcomeTone(outcome, outcome), doubt, ...ends];
}
