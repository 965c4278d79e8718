import { REPORTED_RESOURCES } from '../../analysis/forecast/headroom.ts';
import type {
  BindingOnCluster,
  ClusterStatus,
  ClusterTaint,
} from '../../analysis/explanation/failoverStatus.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Block, Column, Narrowing, Words } from '../../presentation/model.ts';
import { asBad, asGood, isEmpty, joined, asStrong, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { plural } from '../words/amounts.ts';
import { lasting, relativeTime } from '../words/duration.ts';
import { freeShare } from '../words/freeShare.ts';
import { ownerText, shortWorkloadName } from '../words/names.ts';
import {
  costTexts,
  downText,
  outcomeCounts,
  downWords,
  outcomeTone,
  possibleEndsText,
  workloadsDownText,
} from '../words/outcomeWords.ts';

/** One line per cluster; `now` is epoch milliseconds. Without `wide`, uninformative columns are left out. */
export function clusterTable(
  clusters: ClusterStatus[],
  now: number,
  { wide }: Shown,
  selective?: boolean,
): Block {
  if (clusters.length === 0) return { type: 'paragraph', words: 'There are no clusters.' };
  const forecast = clusters.some(({ ifItFails }) => ifItFails !== null);
  const rows = clusters.map((cluster) =>
    clusterCells(cluster, { forecast, selective }, now, wide).toSpliced(BEFORE_FREE, 0, freeText(cluster)),
  );
  const columns = clusterColumns(forecast, wide).toSpliced(BEFORE_FREE, 0, { name: 'FREE CPU/MEM/PODS' });
  const says = (name: string) =>
    wide || (name === 'EVICTING' ? clusters.some(({ evicting }) => evicting > 0) : true);
  const kept = columns
    .map(({ name }, at) => ({ name, at }))
    .filter(({ name, at }) => says(name) && (wide || rows.some((row) => !isEmpty(row[at]!))));
  return {
    type: 'table',
    columns: kept.map(({ at }) => columns[at]!),
    rows: rows.map((row) => kept.map(({ at }) => row[at]!)),
    narrowing: [
      { fold: { TAINTS: 'taints' } },
      ...(clusters.every(({ ready, deleting }) => ready.status === 'True' && !deleting)
        ? [{ drop: ['READY'] }]
        : []),
      { drop: ['REPLICAS'] },
      { drop: ['WORKLOADS'] },
      { drop: ['EVICTING'] },
      ...clusterNarrowing.slice(1),
    ],
  };
}

/** The columns for the workloads on a cluster precede it. */
const BEFORE_FREE = 5;

/** "37%/over/88%": free cpu, memory and pods; nothing if the cluster reports none. */
function freeText({ headroom }: ClusterStatus): string {
  if (headroom.length === 0) return '';
  return REPORTED_RESOURCES.map((resource) => {
    const one = headroom.find((each) => each.resource === resource);
    return one && one.allocatable > 0 ? shortShare(one.free, one.allocatable) : '?';
  }).join('/');
}

/** "over": more is requested than allocatable. */
function shortShare(free: number, allocatable: number): string {
  return free < 0 ? 'over' : freeShare(free, allocatable);
}

/** The columns of that table: with a forecast only if there is one. */
export function clusterColumns(forecast: boolean, wide: boolean): Column[] {
  return [
    ...['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS', 'EVICTING'].map((name) => ({ name })),
    ...(wide ? ['MODE', 'REGION', 'SINCE'].map((name) => ({ name })) : []),
    ...(forecast ? [{ name: 'IF IT FAILS', wraps: 30 }] : []),
    { name: 'TAINTS', wraps: 40 },
  ];
}

/** Taints and forecasts move below the row; then figures implied by other columns are left out. */
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
    ...(forecast ? [forecastWords(cluster, selective, wide)] : []),
    cluster.taints.map((one) => `${one.taint} (${originText(one)})`).join(', '),
  ];
}

function statusWords({ status }: ClusterStatus['ready']): Words {
  return status === 'True' ? asGood('True') : asBad(status ?? 'absent');
}

function readyWords({ ready, deleting }: ClusterStatus): Words {
  return deleting ? [statusWords(ready), ', deleting'] : statusWords(ready);
}

/** "12m ago": how long before `now`, in epoch milliseconds, a time in RFC 3339 was. */
function since(time: string, now: number): string {
  return relativeTime(instant(time), now);
}

/** The most outcomes in a cell; further ones are benign or rare. */
const MAX_PARTS = 2;

/** Worst first: "2 lost, 5 move; 3 uncertain", as a whole with the replicas that go missing. */
export function forecastWords(
  {
    ifItFails: forecast,
    uncertainIfItFails: uncertain,
    costIfItFails: cost,
    evicting,
  }: Pick<ClusterStatus, 'ifItFails' | 'uncertainIfItFails' | 'costIfItFails' | 'evicting'>,
  selective = false,
  whole = true,
): Words {
  if (forecast === null) return '';
  const parts = outcomeCounts(forecast);
  if (parts.length === 0) return emptyClusterText(evicting, selective);
  const doubt = uncertain ? asWarning(`; ${uncertain} uncertain`) : '';
  if (whole) return [joined([joined(parts, ', '), ...(cost ? costTexts(cost) : [])], '; '), doubt];
  // in a table the worst must fit one line; "stays" and "blocked" alone would not look like a loss
  const stays = Object.keys(forecast).every((outcome) => outcome === 'stays' || outcome === 'tolerates');
  const down = cost
    ? [workloadsDownText(cost, ''), stays ? downText(cost) : ''].map((text) => asBad(text))
    : [];
  return [joined([joined(parts.slice(0, MAX_PARTS), ', '), ...down], '; '), doubt];
}

/** @param evicting how many old copies are evicted from it, with or without its failure */
export function emptyClusterText(evicting: number, selective = false): string {
  if (evicting > 0) return 'only old copies on it';
  return selective ? 'nothing selected on it' : 'nothing on it';
}

/** Who added a taint. */
function originText({ note, ...taint }: ClusterTaint): string {
  return note ? `${ownerText(taint)}, ${note}` : ownerText(taint);
}

/**
 * "frankfurt is Ready: 12 workloads, 33 replicas, 1 eviction. If it fails: 2 lost, 5 move; 3 uncertain.": its totals.
 */
export function clusterVerdict(cluster: ClusterStatus, selective?: boolean): Block {
  const { name, ready, deleting, workloads, replicas, evicting, ifItFails } = cluster;
  const runs = joined(
    [
      plural(workloads, 'workload'),
      plural(replicas, 'replica'),
      ...(evicting > 0 ? [asWarning(plural(evicting, 'eviction'))] : []),
    ],
    ', ',
  );
  const isReady = ready.status === 'True';
  const when = isReady ? ' If it fails: ' : ' If it stays not Ready: ';
  const forecast: Words = ifItFails === null ? '' : [when, forecastWords(cluster, selective), '.'];
  return {
    type: 'paragraph',
    words: [
      asStrong(name),
      ' is ',
      isReady ? 'Ready' : asBad('not Ready'),
      deleting ? ' and being deleted: ' : ': ',
      runs,
      '.',
      forecast,
    ],
  };
}

/** One cluster in full, with its workloads; `now` is epoch milliseconds. */
export function clusterDetails(cluster: ClusterStatus, now: number): Block[] {
  const { ready, taints, bindings = [] } = cluster;
  const why = [ready.reason, ready.message].filter((text) => text !== undefined).join(': ');
  const cause: [Words, Words][] = why ? [['', why]] : [];
  const entries: [Words, Words][] = [
    [
      'ready',
      [
        statusWords(ready),
        ready.since ? ` ${lasting(instant(ready.since), now)}` : '',
        cluster.deleting ? ', deleting' : '',
      ],
    ],
    ...cause,
    ['mode', `${cluster.syncMode}${cluster.region ? `, region ${cluster.region}` : ''}`],
    ...deletionEntries(cluster, now),
    ...taintEntries(taints, now),
  ];
  return [
    {
      type: 'section',
      title: asStrong(`Cluster ${cluster.name}`),
      blocks: [{ type: 'keyValues', entries }],
    },
    bindingTable(bindings),
  ];
}

/** Since when it has been terminating, and what that waits for. */
function deletionEntries({ deletion }: ClusterStatus, now: number): [Words, Words][] {
  if (!deletion) return [];
  const { since: deleted, waitsFor } = deletion;
  const waits = waitsFor.map((words, index): [Words, Words] => [index === 0 ? 'waits for' : '', words]);
  return [
    ['deleted', [asWarning(since(deleted, now)), waits.length === 0 ? ', no known blocker' : '']],
    ...waits,
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
      { name: 'WORKLOAD' },
      { name: 'REPLICAS' },
      { name: 'HEALTH', wraps: 16 },
      ...(forecast ? [{ name: 'IF IT FAILS', wraps: 30 }] : []),
      { name: 'NOTE' },
    ],
    rows: bindings.map(({ workload, replicas, health, stale, evicting, left, ifItFails }) => [
      shortWorkloadName(workload),
      replicas === null ? '' : String(replicas),
      health === null ? 'nothing reported' : stale ? asWarning(`${health} when last reported`) : health,
      ...(forecast ? [bindingForecastWords(ifItFails)] : []),
      evicting ? asWarning('evicting') : left ? asWarning('moved; its Work is still here') : '',
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
  const doubt = certainty === 'certain' ? '' : asWarning(` (${certainty})`);
  const ends = possibleEndsText(forecast).map((text) => `, ${text}`);
  return [downWords(forecast) || outcomeTone(outcome, outcome), doubt, ...ends];
}
