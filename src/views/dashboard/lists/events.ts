import type { Concerned, Happening } from '../../../engine/overview/happenings.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import type { Words } from '../../../presentation/model.ts';
import { bad, faint, good, plain, strong, warn } from '../../../presentation/words.ts';
import { relativeTime } from '../../relativeTime.ts';
import { plural } from '../../plural.ts';
import { ownerText } from '../../taintOwner.ts';
import { workloadName } from '../../workloadName.ts';
import type { List } from '../list.ts';
import type { Place } from '../place.ts';
import { shortTaint } from './clusters.ts';

/** What has happened and what is due, newest first, one line for each cause. */
export const eventList: List<Happening> = {
  name: 'events',
  one: 'event',
  none: 'Nothing has happened.',
  items: ({ happenings }, cluster) =>
    cluster === undefined ? happenings : happenings.filter((one) => clustersOf(one).includes(cluster)),
  key: ({ id }) => id,
  text: (one) => `${clustersOf(one).join(' ')} ${plain(whatWords(one))}`,
  columns: [
    { name: 'WHEN', words: ({ time }, { now }) => whenWords(time, now), order: ({ time }) => -time },
    { name: 'TIME', words: ({ time }) => faint(rfc3339(time)), order: ({ time }) => -time, leaves: 2 },
    {
      name: 'CLUSTER',
      words: (one) => clustersOf(one).join(', '),
      order: (one) => clustersOf(one).join(', '),
      least: 10,
      leaves: 1,
    },
    { name: 'WHAT', words: whatWords, order: (one) => plain(whatWords(one)), least: 24 },
  ],
  opens: placeOf,
};

function whenWords(time: number, now: number): Words {
  const text = relativeTime(time, now);
  return time > now ? strong(text) : text;
}

function clustersOf(one: Happening): string[] {
  if ('clusters' in one) return one.clusters;
  return 'cluster' in one ? [one.cluster] : [];
}

function whatWords(one: Happening): Words {
  switch (one.type) {
    case 'readiness': {
      const because = one.reason ? faint(` (${one.reason})`) : '';
      return [one.status === 'True' ? good('is Ready') : bad(`is not Ready: ${one.status}`), because];
    }
    case 'taint':
      return ['gets taint ', warn(shortTaint(one.taint)), faint(` by ${ownerText(one)}`)];
    case 'evictions':
      return [
        warn(concerned(one.workloads, 'is evicted', 'are evicted')),
        faint(` by ${one.producer}, ${one.reason}`),
      ];
    case 'deadlines':
      return [
        `the deadline of ${concerned(one.workloads, '', '').trimEnd()}`,
        one.lost > 0 ? bad(`, ${one.lost} lost then`) : '',
      ];
    case 'unplaced':
      return bad(`${concerned(one.workloads, 'finds', 'find')} no place: ${one.reason}`);
    case 'drain':
      return [warn('a drain begins'), one.by === null ? '' : faint(` by ${one.by}`)];
  }
}

/** "shop/deployment/cart is evicted", "12 workloads are evicted" */
function concerned({ count, first }: Concerned, does: string, many: string): string {
  return count === 1 ? `${workloadName(first)} ${does}` : `${plural(count, 'workload')} ${many}`;
}

function placeOf(one: Happening): Place | undefined {
  switch (one.type) {
    case 'readiness':
      return { view: 'object', object: { kind: 'Cluster', name: one.cluster }, field: 'status.conditions' };
    case 'taint':
      return { view: 'object', object: { kind: 'Cluster', name: one.cluster }, field: 'spec.taints' };
    case 'evictions':
    case 'deadlines':
      return one.workloads.count === 1
        ? { view: 'eviction', key: one.workloads.key }
        : { view: 'evictions', cluster: one.cluster };
    case 'unplaced':
      return { view: 'workload', key: one.workloads.key };
    case 'drain':
      return { view: 'drains' };
  }
}
