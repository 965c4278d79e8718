import type { PaneContent, AnyList, List, ListContext } from './list.ts';
import { clusterList } from './lists/clusters.ts';
import { eventList } from './lists/events.ts';
import { workloadList } from './lists/workloads.ts';
import { LIST_NAMES, type ListName, type Place } from './place.ts';
import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import { bySeverity, evictionTasks } from '../screen/evictionTasks.ts';
import type { DrainUnderWay } from '../../analysis/drain/drainsUnderWay.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asStrong, asWarning } from '../../presentation/words.ts';
import { ESTIMATED } from '../screen/timeWords.ts';
import { age, relativeTime } from '../words/duration.ts';
import { placementText, workloadName } from '../words/names.ts';
import { outcomeTone } from '../words/outcomeWords.ts';
import { isOneOf } from '../../kubernetes/json.ts';

const evictionList: List<EvictionTaskExplanation> = {
  ...evictionTasks,
  name: 'evictions',
  none: 'No evictions are in flight.',
  items: ({ overview }, cluster) =>
    bySeverity(
      (overview?.evictions ?? []).filter((task) => cluster === undefined || task.fromCluster === cluster),
    ),
  namespace: ({ binding }) => binding.namespace,
  about: aboutEviction,
  opens: ({ binding }) => ({ view: 'eviction', key: snapshotKey(binding) }),
  object: ({ binding }) => ({
    view: 'object',
    object: binding,
    field: 'spec.gracefulEvictionTasks',
  }),
};

function aboutEviction(task: EvictionTaskExplanation, { now }: ListContext): PaneContent {
  const {
    workload,
    fromCluster,
    toClusters,
    outcome,
    certainty,
    dependsOn,
    verdict,
    deadline,
    deadlineAssumed,
  } = task;
  const doubt = certainty === 'certain' ? '' : ` (${certainty})`;
  return {
    title: [
      asStrong(workloadName(workload)),
      `  ${fromCluster} → `,
      toClusters.length === 0 ? asBad('nowhere') : placementText(toClusters),
    ],
    facts: [
      ['waits for', task.waitingFor ?? (verdict === 'ends-now' ? 'nothing: it ends now' : '')],
      [
        'deadline',
        deadline === null
          ? 'none'
          : [
              `${relativeTime(instant(deadline), now)}, at ${deadline}${deadlineAssumed ? ESTIMATED : ''}; then `,
              outcomeTone(outcome, `${outcome}${doubt}`),
            ],
      ],
      ['then', task.consequence],
      [certainty, certainty === 'certain' ? '' : `depends on ${dependsOn.join('; ')}`],
      [
        'evicted',
        `by ${task.producer}, ${task.reason}${task.createdAt === null ? '' : `, ${relativeTime(instant(task.createdAt), now)}`}`,
      ],
    ],
    next: NEXT_OF_EVICTION[verdict] ?? [['Enter', 'the task in full, and what ends it']],
  };
}

const NEXT_OF_EVICTION: Partial<Record<EvictionTaskExplanation['verdict'], PaneContent['next']>> = {
  stuck: [['Enter twice', 'why nothing replaces it, and what would help']],
  overdue: [[':failover', 'whether karmada-controller-manager is running']],
  held: [['a', 'release or complete it, if actions are allowed']],
};

const drainList: List<DrainUnderWay> = {
  name: 'drains',
  one: 'drain',
  none: 'No drain is running.',
  items: ({ overview }) => overview?.drains ?? [],
  key: ({ clusters }) => clusters.join(','),
  text: ({ clusters, by }) => `${clusters.join(' ')} ${by ?? ''}`,
  columns: [
    {
      name: 'DRAIN OF',
      words: ({ clusters }) => clusters.join(', '),
      order: ({ clusters }) => clusters.join(', '),
      least: 14,
    },
    {
      name: 'SINCE',
      words: ({ started }, { now }) => (started === null ? asFaint('unknown') : age(instant(started), now)),
      order: ({ started }) => (started === null ? 0 : instant(started)),
    },
    {
      name: 'GONE',
      words: (drain) => goneWords(drain, asFaint('unknown: its mark has no count')),
      short: (drain) => goneWords(drain, '?'),
      order: ({ workloads, gone }) => (gone === null ? -1 : gone / Math.max(1, workloads!)),
      least: 8,
    },
    {
      name: 'REMAINING',
      words: ({ waiting }) => String(waiting),
      order: ({ waiting }) => -waiting,
      right: true,
    },
    {
      name: 'LEAVING',
      words: ({ leaving }) => String(leaving),
      order: ({ leaving }) => -leaving,
      right: true,
    },
    {
      name: 'HELD',
      words: ({ held }) => (held === 0 ? asFaint('0') : asWarning(String(held))),
      order: ({ held }) => -held,
      right: true,
      leaves: 2,
    },
    {
      name: 'LAST EVICTION',
      words: ({ lastEviction }, { now }) =>
        lastEviction === null ? asFaint('none') : relativeTime(instant(lastEviction), now),
      order: ({ lastEviction }) => (lastEviction === null ? 0 : -instant(lastEviction)),
      leaves: 3,
    },
    {
      name: 'BY',
      words: ({ by }) => by ?? asFaint('unknown'),
      order: ({ by }) => by ?? '',
      least: 8,
      leaves: 1,
    },
  ],
  about: ({ clusters, by, started, waiting, leaving, held, ...drain }, { now }) => ({
    title: [asStrong(`drain of ${clusters.join(', ')}`), by === null ? '' : asFaint(`  by ${by}`)],
    facts: [
      ['gone', goneWords({ clusters, by, started, waiting, leaving, held, ...drain }, 'unknown')],
      ['progress', `${leaving} leaving, ${held} of them held; ${waiting} remaining`],
      ['since', started === null ? '' : `${started}, ${relativeTime(instant(started), now)}`],
    ],
    next: [
      ['Enter', 'the remaining workloads'],
      ['B', 'cancel it, if actions are allowed'],
    ],
  }),
  opens: ({ clusters: [cluster] }) => (cluster === undefined ? undefined : { view: 'workloads', cluster }),
  object: ({ clusters: [name] }) =>
    name === undefined ? undefined : { view: 'object', object: { kind: 'Cluster', name } },
};

/** "12 of 80": how many of the initial workloads have left. */
function goneWords({ workloads, gone }: DrainUnderWay, unknown: Words): Words {
  return gone === null ? unknown : `${gone} of ${workloads}`;
}

export const DASHBOARD_LISTS: Readonly<Record<ListName, AnyList>> = {
  clusters: clusterList,
  evictions: evictionList,
  workloads: workloadList,
  events: eventList,
  drains: drainList,
};

/** The list at a place; undefined if the place is a page. */
export function listOf(place: Place): AnyList | undefined {
  return isList(place) ? DASHBOARD_LISTS[place.view] : undefined;
}

export function isList(place: Place): place is Extract<Place, { view: ListName }> {
  return isOneOf(LIST_NAMES, place.view);
}
