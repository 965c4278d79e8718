// Follows control planes of 1,000, 10,000 and 100,000 bindings as controller run does: bindings that an event does not concern must not
// make it cost more. Fails if an event is missed or a decision is missing, never on time.
//   --clusters 500  --events 20000  --sizes 1000,10000,100000
import { parseArgs } from 'node:util';
import { printTable, readable, runChild } from '../measure.ts';
import type { Followed } from './follow.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '500' },
    events: { type: 'string', default: '20000' },
    sizes: { type: 'string', default: '1000,10000,100000' },
  },
});
const followed = values.sizes
  .split(',')
  .map((bindings) =>
    runChild<Followed>('bench/controller/follow.ts', [
      ...['--bindings', bindings, '--clusters', values.clusters, '--events', values.events],
    ]),
  );
const [first] = followed as [Followed, ...Followed[]];
console.log(`  ${values.clusters} clusters; 100 of them fail at once`);
printTable([
  ['bindings', 'bytes each', 'events per second', 'cost of an event', 'pairs on failed', 'decided', 'CPU'],
  ...followed.map(({ bindings, bytes, events, pairs, decided, failure }) => [
    ...[readable(bindings), readable(bytes), readable(events), `${readable(first.events / events)}×`],
    ...[readable(pairs), readable(decided), `${readable(failure)} s`],
  ]),
]);
process.exitCode = followed.every(({ pairs, decided }) => pairs === decided) ? 0 : 1;
