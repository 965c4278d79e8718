import type { ClusterStatus } from '../../../analysis/explanation/failoverStatus.ts';
import { compareCosts, type CostOfLoss } from '../../../analysis/forecast/costOfLoss.ts';
import type { Headroom } from '../../../analysis/forecast/headroom.ts';
import type { Feed } from '../../../analysis/overview/feed.ts';
import { instant } from '../../../kubernetes/time.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, plain, asStrong, asWarning } from '../../../presentation/words.ts';
import { plural } from '../../words/amounts.ts';
import { age, lasting, relativeTime } from '../../words/duration.ts';
import { costTexts, lossCount } from '../../words/outcomeWords.ts';
import { ownerText } from '../../words/names.ts';
import { freeOf } from '../../words/freeShare.ts';
import { ESTIMATED } from '../../screen/timeWords.ts';
import { forecastWords, emptyClusterText } from '../../status/clusterTable.ts';
import type { PaneContent, List, ListContext } from '../list.ts';
import type { WhatIf } from '../whatIf.ts';

const number = (pick: (cluster: ClusterStatus) => number) => ({
  words: (cluster: ClusterStatus): Words => {
    const count = pick(cluster);
    return count === 0 ? asFaint('0') : String(count);
  },
  order: (cluster: ClusterStatus) => -pick(cluster),
  right: true as const,
});

/** Clusters: troubled ones first, then those whose loss would cost most. */
export const clusterList: List<ClusterStatus> = {
  name: 'clusters',
  one: 'cluster',
  none: 'There are no clusters.',
  items: (feed) => byTrouble(feed),
  key: ({ name }) => name,
  text: (cluster, context) =>
    [
      cluster.name,
      cluster.region ?? '',
      plain(readyWords(cluster)),
      plain(taintWords(cluster)),
      plain(riskWords(cluster, context)),
    ].join(' '),
  columns: [
    {
      name: 'CLUSTER',
      words: ({ name }, { marks }) => [markOf(name, marks), name],
      order: ({ name }) => name,
      least: 12,
    },
    {
      name: 'READY',
      words: readyWords,
      order: ({ ready }) => (ready.status === 'True' ? 1 : 0),
    },
    {
      name: 'SINCE',
      words: ({ ready }, { now }) => (ready.since ? age(instant(ready.since), now) : asFaint('unknown')),
      order: ({ ready }) => (ready.since ? -instant(ready.since) : 0),
      leaves: 4,
    },
    { name: 'REGION', words: ({ region }) => region ?? '', order: ({ region }) => region ?? '', leaves: 9 },
    { name: 'WORKLOADS', ...number(({ workloads }) => workloads), leaves: 5 },
    { name: 'REPLICAS', ...number(({ replicas }) => replicas), leaves: 6 },
    {
      name: 'EVICTING',
      words: ({ evicting }) => (evicting === 0 ? asFaint('0') : asWarning(String(evicting))),
      order: ({ evicting }) => -evicting,
      right: true,
    },
    {
      name: 'IF IT FAILS',
      words: (cluster, context) => riskWords(cluster, context),
      order: ({ name }, { feed }) => {
        const cost = feed.forecasts.get(name)?.costIfItFails;
        return cost ? -(cost.lost * 1e9 + cost.blocked * 1e6 + cost.missingForGood * 1e3 + cost.moves) : 1;
      },
      least: 22,
      leaves: 2,
    },
    {
      name: 'TAINTS',
      words: (cluster, { marks }) => {
        const marked = markedTaints(cluster.name, marks);
        const own = cluster.taints.length > 0 || marked.length === 0 ? [taintWords(cluster)] : [];
        return joined([...own, ...marked], ', ');
      },
      order: ({ taints }) => -taints.length,
      least: 16,
      leaves: 3,
    },
  ],
  about: aboutCluster,
  opens: ({ name }) => ({ view: 'workloads', cluster: name }),
  object: ({ name }) => ({ view: 'object', object: { kind: 'Cluster', name } }),
};

function byTrouble({ overview, forecasts }: Feed): ClusterStatus[] {
  const trouble = ({ ready, evicting, taints, deleting }: ClusterStatus) =>
    (ready.status === 'True' ? 0 : 8) +
    (evicting > 0 ? 4 : 0) +
    (deleting ? 2 : 0) +
    (taints.length > 0 ? 1 : 0);
  return (overview?.status.clusters ?? []).toSorted((a, b) => {
    const [costA, costB] = [forecasts.get(a.name)?.costIfItFails, forecasts.get(b.name)?.costIfItFails];
    return trouble(b) - trouble(a) || (costA && costB ? compareCosts(costA, costB) : 0);
  });
}

function aboutCluster(cluster: ClusterStatus, { feed, now }: ListContext): PaneContent {
  const { name, region, ready, workloads, replicas, evicting, headroom } = cluster;
  const isReady = ready.status === 'True';
  const since = ready.since ? ` ${lasting(instant(ready.since), now)}` : '';
  return {
    title: [
      asStrong(name),
      '  ',
      (isReady ? asGood : asBad)(`${isReady ? 'Ready' : 'not Ready'}${since}`),
      asFaint(region ? `  ${region}` : ''),
    ],
    facts: [
      ['why', isReady ? '' : joined([ready.reason ?? '', ready.message ?? ''], ': ')],
      ['deadline', deadlineOf(name, feed, now)],
      ['if it fails', riskWords(cluster, { feed }, true)],
      ['taints', taintWords(cluster)],
      [
        'on it',
        `${plural(workloads, 'workload')}, ${plural(replicas, 'replica')}${evicting > 0 ? `; ${evicting} being evicted` : ''}`,
      ],
      [
        'free',
        headroom
          .map((one) => freeText(one))
          .filter((text) => text !== '')
          .join(', '),
      ],
    ],
    next: [
      ...(evicting > 0 ? [['Tab', 'its evictions'] as const] : []),
      ['Enter', 'its workloads'],
      ['w', 'each workload if it fails'],
    ],
  };
}

/** "in 8m37s, for 5 workloads: 1 lost": the first deadline of the evictions from a cluster. */
function deadlineOf(cluster: string, { events }: Feed, now: number): Words {
  const due = events.find((one) => one.type === 'deadlines' && one.cluster === cluster && one.time > now);
  if (due?.type !== 'deadlines') return '';
  const { time, workloads, assumed, lost, uncertain } = due;
  return [
    `${relativeTime(time, now)}${assumed ? ESTIMATED : ''}, for ${plural(workloads.count, 'workload')}`,
    lost === 0 ? '' : [': ', lossCount(lost, uncertain)],
  ];
}

/** "4 replicas down permanently, 20 replica-minutes of downtime" */
export function costWords(cost: CostOfLoss): Words {
  return joined(costTexts(cost), ', ');
}

/** "62% of cpu" */
function freeText({ resource, allocatable, free }: Headroom): string {
  return allocatable > 0 ? freeOf(resource, free, allocatable) : '';
}

function readyWords({ ready, deleting }: ClusterStatus): Words {
  const words = ready.status === 'True' ? asGood('True') : asBad(ready.status ?? 'absent');
  return deleting ? [words, asWarning(', deleting')] : words;
}

/** "not-ready:NoExecute (policy a)": Karmada's own taints without their prefix. */
function taintWords({ taints }: ClusterStatus): Words {
  return joined(
    taints.map((one): Words => [
      one.effect === 'NoExecute' ? asWarning(shortTaint(one.taint)) : shortTaint(one.taint),
      asFaint(` ${ownerText(one)}`),
    ]),
    ', ',
  );
}

/** Whether a cluster is marked: it fails, or its taints change. */
function markOf(cluster: string, { failing, taints }: WhatIf): Words {
  if (failing.includes(cluster)) return asBad('✗ ');
  return taints.some((mark) => mark.cluster === cluster) ? asWarning('± ') : '';
}

function markedTaints(cluster: string, { taints }: WhatIf): Words[] {
  return taints
    .filter((mark) => mark.cluster === cluster)
    .map((mark) => asStrong(`${mark.removed ? '−' : '+'}${shortTaint(formatTaint(mark.taint))}`));
}

/** A taint without the prefix of Karmada's own ones. */
export function shortTaint(taint: string): string {
  return taint.replace(/^cluster\.karmada\.io\//, '');
}

/** The cell of `failover status`. */
function riskWords(
  { name, evicting }: Pick<ClusterStatus, 'name' | 'evicting'>,
  { feed }: Pick<ListContext, 'feed'>,
  whole = false,
): Words {
  const forecast = feed.forecasts.get(name);
  if (!forecast) return asFaint(feed.computing ? 'computing...' : '');
  const isEmpty = Object.keys(forecast.ifItFails).length === 0;
  return isEmpty
    ? asFaint(emptyClusterText(evicting))
    : forecastWords({ ...forecast, evicting }, false, whole);
}
