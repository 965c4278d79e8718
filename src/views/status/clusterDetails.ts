import type {
  BindingOnCluster,
  ClusterStatus,
  ClusterTaint,
} from '../../analysis/explanation/failoverStatus.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { strong, warn } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import { outcomeTone, possibleEndsText } from '../words/outcomeWords.ts';
import { plural } from '../words/plural.ts';
import { forecastWords, originText, readyWords, since } from './clusterTable.ts';

/** One cluster in full, with its workloads; `now` is epoch milliseconds. */
export function clusterDetails(cluster: ClusterStatus, now: number, selective?: boolean): Block[] {
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
