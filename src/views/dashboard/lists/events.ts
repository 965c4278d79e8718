import type { Feed } from '../../../analysis/overview/feed.ts';
import type { ConcernedWorkloads, OverviewEvent } from '../../../analysis/overview/overviewEvents.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asGood, plain, asStrong, asWarning } from '../../../presentation/words.ts';
import { relativeTime } from '../../words/duration.ts';
import { plural } from '../../words/amounts.ts';
import { ownerText, workloadName } from '../../words/names.ts';
import type { List } from '../list.ts';
import type { Place } from '../place.ts';
import { ESTIMATED } from '../../screen/timeWords.ts';
import { lossCount } from '../../words/outcomeWords.ts';
import { shortTaint } from './clusters.ts';
import { recordedEventRows, type RecordedEventRow } from './recordedEvents.ts';

/** An event: reconstructed from the state, or recorded. */
type Event = OverviewEvent | RecordedEventRow;

/**
 * Past events and due ones, newest first, one line per cause. For the time of a recording these are the recorded
 * events; before and after it, those reconstructed from the state.
 */
export const eventList: List<Event> = {
  name: 'events',
  one: 'event',
  none: 'Nothing has happened.',
  items: (feed, cluster) => {
    const all = eventsOf(feed);
    return cluster === undefined ? all : all.filter((one) => clustersOf(one).includes(cluster));
  },
  key: ({ id }) => id,
  text: (one) => `${clustersOf(one).join(' ')} ${plain(whatWords(one))}`,
  columns: [
    { name: 'WHEN', words: ({ time }, { now }) => whenWords(time, now), order: ({ time }) => -time },
    { name: 'TIME', words: ({ time }) => asFaint(rfc3339(time)), order: ({ time }) => -time, leaves: 2 },
    {
      name: 'CLUSTER',
      words: (one) => clustersOf(one).join(', '),
      order: (one) => clustersOf(one).join(', '),
      least: 10,
      leaves: 1,
    },
    { name: 'WHAT', words: whatWords, order: (one) => plain(whatWords(one)), least: 60 },
  ],
  about: (one, { now }) => ({
    title: [asStrong(clustersOf(one).join(', ')), clustersOf(one).length > 0 ? '  ' : '', whatWords(one)],
    facts: [['when', `${rfc3339(one.time)}, ${relativeTime(one.time, now)}`]],
    next: placeOf(one) ? [['Enter', 'what it is about']] : [],
  }),
  opens: placeOf,
};

function eventsOf({ events, history }: Feed): readonly Event[] {
  if (!history) return events;
  const { start, end } = history;
  const isRecorded = ({ time }: OverviewEvent) => time >= start && time <= end;
  const [due, before] = [events.filter(({ time }) => time > end), events.filter(({ time }) => time < start)];
  const drains = events.filter((one) => isRecorded(one) && one.type === 'drain');
  const within = [...recordedEventRows(history), ...drains].sort((a, b) => b.time - a.time);
  return [...due, ...within, ...before];
}

function whenWords(time: number, now: number): Words {
  const text = relativeTime(time, now);
  return time > now ? asStrong(text) : text;
}

function clustersOf(one: Event): string[] {
  if ('clusters' in one) return one.clusters;
  return 'cluster' in one ? [one.cluster] : [];
}

function whatWords(one: Event): Words {
  switch (one.type) {
    case 'recorded':
      return [one.isBad ? asBad(one.words) : one.words, one.actor === '' ? '' : asFaint(` by ${one.actor}`)];
    case 'readiness': {
      const because = one.reason ? asFaint(` (${one.reason})`) : '';
      return [one.status === 'True' ? asGood('is Ready') : asBad(`is not Ready: ${one.status}`), because];
    }
    case 'taint':
      return ['gets taint ', asWarning(shortTaint(one.taint)), asFaint(` by ${ownerText(one)}`)];
    case 'evictions':
      return [
        asWarning(concerned(one.workloads, 'is evicted', 'are evicted')),
        asFaint(` by ${one.producer}, ${one.reason}`),
      ];
    case 'deadlines':
      return [
        `the deadline of ${concerned(one.workloads, '', '').trimEnd()}${one.assumed ? ESTIMATED : ''}`,
        one.lost > 0 ? [': ', lossCount(one.lost, one.uncertain)] : '',
      ];
    case 'unplaced':
      return asBad(`${concerned(one.workloads, 'cannot', 'cannot')} be scheduled: ${one.reason}`);
    case 'drain':
      return [asWarning('a drain begins'), one.by === null ? '' : asFaint(` by ${one.by}`)];
  }
}

/** "shop/deployment/cart is evicted", "12 workloads are evicted" */
function concerned({ count, first }: ConcernedWorkloads, does: string, many: string): string {
  return count === 1 ? `${workloadName(first)} ${does}` : `${plural(count, 'workload')} ${many}`;
}

function placeOf(one: Event): Place | undefined {
  switch (one.type) {
    case 'recorded':
      return one.opens;
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
      return one.workloads.count === 1
        ? { view: 'workload', key: one.workloads.key }
        : { view: 'workloads', unplaced: one.reason };
    case 'drain':
      return { view: 'drains' };
  }
}
