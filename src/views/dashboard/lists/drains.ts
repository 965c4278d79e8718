import type { DrainUnderWay } from '../../../analysis/drain/drainsUnderWay.ts';
import { instant } from '../../../kubernetes/time.ts';
import type { Words } from '../../../presentation/model.ts';
import { faint, warn } from '../../../presentation/words.ts';
import { duration } from '../../words/duration.ts';
import type { List } from '../list.ts';

/** Drains that are not finished. */
export const drainList: List<DrainUnderWay> = {
  name: 'drains',
  one: 'drain',
  none: 'No drain is under way.',
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
      words: ({ started }, { now }) =>
        started === null ? faint('unknown') : duration(Math.max(0, now - instant(started))),
      order: ({ started }) => (started === null ? 0 : instant(started)),
    },
    {
      name: 'GONE',
      words: (drain) => goneWords(drain, faint('unknown, as its mark does not say how many there were')),
      short: (drain) => goneWords(drain, '?'),
      order: ({ workloads, gone }) => (gone === null ? -1 : gone / Math.max(1, workloads!)),
      least: 8,
    },
    {
      name: 'STILL THERE',
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
      words: ({ held }) => (held === 0 ? faint('0') : warn(String(held))),
      order: ({ held }) => -held,
      right: true,
      leaves: 2,
    },
    {
      name: 'LAST EVICTION',
      words: ({ lastEviction }, { now }) =>
        lastEviction === null ? faint('none') : `${duration(Math.max(0, now - instant(lastEviction)))} ago`,
      order: ({ lastEviction }) => (lastEviction === null ? 0 : -instant(lastEviction)),
      leaves: 3,
    },
    {
      name: 'BY',
      words: ({ by }) => by ?? faint('unknown'),
      order: ({ by }) => by ?? '',
      least: 8,
      leaves: 1,
    },
  ],
  opens: ({ clusters: [cluster] }) => (cluster === undefined ? undefined : { view: 'workloads', cluster }),
  object: ({ clusters: [name] }) =>
    name === undefined ? undefined : { view: 'object', object: { kind: 'Cluster', name } },
};

/** "12 of 80": how many of the workloads with which it began have left. */
function goneWords({ workloads, gone }: DrainUnderWay, unknown: Words): Words {
  return gone === null ? unknown : `${gone} of ${workloads}`;
}
