import type {
  BindingOnCluster,
  ClusterStatus,
  ClusterTaint,
  FailoverStatus,
  TaintRule,
} from '../engine/explanation/failoverStatus.ts';
import type { TaintOrigin } from '../engine/explanation/taintOrigin.ts';
import type { FailoverState } from '../engine/explanation/failoverSwitch.ts';
import { instant, rfc3339 } from '../kubernetes/time.ts';
import { inOrder, type Answer, type TextOptions } from './answer.ts';
import { assumptionText, type AnsweredAssumption } from './assumptions.ts';
import { outcomeCount, outcomeStyle, possibleEndsText, SEVERITY } from './outcomeWords.ts';
import { relativeTime } from './relativeTime.ts';
import type { Style } from './style.ts';
import { columns, table } from './table.ts';

export interface FailoverStatusInput {
  status: FailoverStatus;
  /** gates and flags that decide about failover, each with where its value is known from */
  switches: AnsweredAssumption[];
  /** everything that was assumed, the instant included */
  assumptions: AnsweredAssumption[];
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  /** one cluster was asked for: it is printed in full */
  detailed: boolean;
}

/** The state of failover: the switches, who taints what, and the clusters. */
export function failoverStatusAnswer(input: FailoverStatusInput): Answer {
  const { status, switches, assumptions, now, karmadaVersion, detailed } = input;
  return {
    document: {
      kind: 'FailoverStatus',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      failover: status.failover,
      switches,
      taintRules: status.taintRules,
      clusters: status.clusters,
    },
    list: {
      field: 'clusters',
      inOrder: (positions) =>
        failoverStatusAnswer({
          ...input,
          status: { ...status, clusters: inOrder(status.clusters, positions) },
        }),
    },
    names: () => status.clusters.map(({ name }) => `cluster/${name}`),
    text(options) {
      const { style, noHeaders } = options;
      if (noHeaders) return clusterTable(status.clusters, now, options);
      const parts = detailed
        ? [
            failoverVerdict(status.failover, style),
            ...status.clusters.map((one) => clusterDetails(one, now, options)),
          ]
        : [
            failoverVerdict(status.failover, style),
            switchTable(switches),
            ruleTable(status.taintRules, options),
            clusterTable(status.clusters, now, options),
          ];
      return [...parts, ...assumedText(assumptions, style)].join('\n\n');
    },
  };
}

/** All that is said of failover before the clusters. */
export function failoverStatusHead(
  { status, switches, assumptions }: Omit<FailoverStatusInput, 'now' | 'karmadaVersion' | 'detailed'>,
  options: TextOptions,
): string {
  return [
    failoverVerdict(status.failover, options.style),
    switchTable(switches),
    ruleTable(status.taintRules, options),
    ...assumedText(assumptions, options.style),
  ].join('\n\n');
}

/** The table of switches says where theirs are known from. */
function assumedText(assumptions: AnsweredAssumption[], style: Style): string[] {
  const others = assumptions.filter(({ name }) => name === 'now' || name === 'karmadaVersion');
  const assumed = assumptionText(others, style);
  return assumed ? [assumed] : [];
}

const VERDICTS: Record<FailoverState, string> = {
  on: 'on: workloads leave a cluster that fails',
  partly: 'on for some of the clusters',
  'by-hand': 'only by hand: workloads leave a cluster when a person gives it a NoExecute taint',
  off: 'off: workloads stay on a cluster that fails',
};

/** Whether failover is on, and why not. */
export function failoverVerdict(
  { state, certainty, missing, reasons }: FailoverStatus['failover'],
  style: Style,
): string {
  const paint = state === 'on' ? style.good : state === 'off' ? style.bad : style.warn;
  const [head, ...rest] = VERDICTS[state].split(':');
  const known = certainty === 'certain' ? '' : style.warn(', as far as is known');
  const title = `Cluster failover is ${paint(head!)}${known}${rest.length > 0 ? `:${rest.join(':')}` : ''}.`;
  const unknown = missing === undefined ? [] : [`  - ${style.warn('unknown')}: ${missing}`];
  return [title, ...reasons.map((reason) => `  - ${reason}`), ...unknown].join('\n');
}

function switchTable(switches: AnsweredAssumption[]): string {
  const rows = switches.map(({ name, value, source }) => [name, String(value), source]);
  return table(['GATE OR FLAG', 'VALUE', 'KNOWN FROM'], rows);
}

function ruleTable(rules: TaintRule[], { wide }: TextOptions): string {
  const rows = rules.flatMap(({ by, taints, addedWhen, removedWhen, clusters }) =>
    taints.map((taint) => [
      taint,
      addedWhen.join(' and ') || 'never',
      removedWhen.join(' and ') || 'never',
      clusters === null ? 'all' : listed(clusters, wide),
      typeof by === 'string' ? 'Karmada itself' : `${by.kind} ${by.name}`,
    ]),
  );
  return table(['TAINT', 'ADDED WHEN', 'REMOVED WHEN', 'CLUSTERS', 'BY'], rows);
}

function listed(names: string[], all: boolean): string {
  if (names.length === 0) return 'none';
  return all || names.length <= 3 ? names.join(',') : `${names.slice(0, 3).join(',')}+${names.length - 3}`;
}

function clusterTable(clusters: ClusterStatus[], now: number, options: TextOptions): string {
  const { wide, noHeaders } = options;
  if (clusters.length === 0) return noHeaders ? '' : 'There are no clusters.';
  const forecast = clusters.some(({ ifItFails }) => ifItFails !== null);
  const rows = clusters.map((cluster) => clusterCells(cluster, forecast, now, options));
  return table(clusterHeaders(forecast, wide), rows, { noHeaders });
}

export function clusterHeaders(forecast: boolean, wide: boolean): string[] {
  return [
    ...['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS', 'EVICTING'],
    ...(wide ? ['MODE', 'REGION', 'SINCE'] : []),
    ...(forecast ? ['IF IT FAILS'] : []),
    'TAINTS',
  ];
}

/** A cluster's line of the table; `now` is epoch milliseconds. */
export function clusterCells(
  cluster: ClusterStatus,
  forecast: boolean,
  now: number,
  { style, wide }: Pick<TextOptions, 'style' | 'wide'>,
): string[] {
  return [
    cluster.name,
    readyText(cluster, style),
    String(cluster.workloads),
    String(cluster.replicas),
    String(cluster.evicting),
    ...(wide
      ? [cluster.syncMode, cluster.region ?? '', cluster.ready.since ? since(cluster.ready.since, now) : '']
      : []),
    ...(forecast ? [forecastText(cluster, style)] : []),
    cluster.taints.map(({ taint, ...origin }) => `${taint} (${originText(origin)})`).join(', '),
  ];
}

function readyText({ ready, deleting }: ClusterStatus, style: Style): string {
  const text = ready.status === 'True' ? style.good('True') : style.bad(ready.status ?? 'absent');
  return deleting ? `${text}, deleting` : text;
}

function since(time: string, now: number): string {
  return relativeTime(instant(time), now);
}

/** From what is well to what is not: "5 move, 2 lost; 3 not certain". */
function forecastText(
  { ifItFails: forecast, uncertainIfItFails: uncertain }: ClusterStatus,
  style: Style,
): string {
  if (forecast === null) return '';
  const parts = SEVERITY.toReversed().flatMap((outcome) => {
    const count = forecast[outcome] ?? 0;
    const text = outcomeCount(outcome, count).replace(/ (is|are) /, ' ');
    return count === 0 ? [] : [outcomeStyle(outcome, style)(text)];
  });
  const doubt = uncertain ? style.warn(`; ${uncertain} not certain`) : '';
  return parts.length > 0 ? `${parts.join(', ')}${doubt}` : 'nothing on it';
}

function originText({ owner, policies, note }: TaintOrigin): string {
  const who = {
    'cluster-controller': 'Karmada itself',
    policy: policies?.length === 1 ? `policy ${policies[0]}` : `policies ${policies?.join(', ')}`,
    cordon: 'cordon',
    person: 'a person',
  }[owner];
  return note ? `${who}, ${note}` : who;
}

function clusterDetails(cluster: ClusterStatus, now: number, { style }: TextOptions): string {
  const { ready, taints, bindings = [], ifItFails } = cluster;
  const why = [ready.reason, ready.message].filter((text) => text !== undefined).join(': ');
  const lines = [
    ['ready', `${readyText(cluster, style)}${ready.since ? `, since ${since(ready.since, now)}` : ''}`],
    ...(why ? [['', why]] : []),
    ['mode', `${cluster.syncMode}${cluster.region ? `, region ${cluster.region}` : ''}`],
    ...(taints.length === 0 ? [['taints', 'none']] : taints.map((taint, i) => taintLine(taint, i, now))),
    ['carries', `${count(cluster.workloads, 'workload')}, ${count(cluster.replicas, 'replica')}`],
    ['evicting', count(cluster.evicting, 'workload')],
    ...(ifItFails === null ? [] : [['if it fails', forecastText(cluster, style)]]),
  ];
  const title = `${style.strong(`Cluster ${cluster.name}`)}\n${columns(lines, 2)}`;
  return bindings.length === 0 ? title : `${title}\n\n${bindingTable(bindings, style)}`;
}

function taintLine({ taint, since: added, ...origin }: ClusterTaint, index: number, now: number): string[] {
  const when = added ? `, ${since(added, now)}` : '';
  return [index === 0 ? 'taints' : '', `${taint} by ${originText(origin)}${when}`];
}

function bindingTable(bindings: BindingOnCluster[], style: Style): string {
  const forecast = bindings.some(({ ifItFails }) => ifItFails !== null);
  const rows = bindings.map(({ workload, replicas, health, stale, evicting, ifItFails }) => [
    workload.namespace ?? '',
    `${workload.kind}/${workload.name}`,
    replicas === null ? '' : String(replicas),
    health === null ? '' : stale ? style.warn(`${health} when last heard of`) : health,
    ...(forecast ? [bindingForecastText(ifItFails, style)] : []),
    evicting ? style.warn('being evicted') : '',
  ]);
  const headers = [
    'NAMESPACE',
    'WORKLOAD',
    'REPLICAS',
    'HEALTH',
    ...(forecast ? ['IF IT FAILS'] : []),
    'NOTE',
  ];
  return table(headers, rows);
}

/** "moves (estimate), may end on dublin×3 or tokyo×3" */
function bindingForecastText(forecast: BindingOnCluster['ifItFails'], style: Style): string {
  if (forecast === null) return '';
  const { outcome, certainty } = forecast;
  const doubt = certainty === 'certain' ? '' : style.warn(` (${certainty})`);
  const ends = possibleEndsText(forecast).map((text) => `, ${text}`);
  return `${outcomeStyle(outcome, style)(outcome)}${doubt}${ends.join('')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
