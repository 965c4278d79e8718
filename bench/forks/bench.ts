// Fails each cluster of a control plane in turn: simulations forked from one start, against reading the world again for each. Measures
// simulations per second of CPU time. A sample of the clusters is simulated both ways, with equal results.
//   --bindings 10000  --clusters 100  --seed 1  --sample 5
import { parseArgs } from 'node:util';
import { printTable, readable, runChild } from '../measure.ts';
import { stateFile } from '../stateFile.ts';
import type { Failures } from './failures.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '5' },
  },
});
const { file } = await stateFile({
  bindings: Number(values.bindings),
  clusters: Number(values.clusters),
  seed: Number(values.seed),
  works: false,
});
const forked = runChild<Failures>('bench/forks/failures.ts', ['--state', file]);
const fresh = runChild<Failures>('bench/forks/failures.ts', ['--state', file, '--fresh', values.sample]);

const rate = ({ answers, cpu }: Failures) => Object.keys(answers).length / cpu;
const row = (name: string, of: Failures) => [
  name,
  readable(Object.keys(of.answers).length),
  `${readable(of.cpu)} s`,
  readable(rate(of)),
  `${readable(rate(of) / rate(fresh))}×`,
  `${readable(of.peak)} MiB`,
];
console.log(
  `  ${readable(Number(values.bindings))} bindings on ${values.clusters} clusters, each of which fails`,
);
printTable([
  ['', 'simulations', 'CPU', 'per second', 'ratio', 'peak memory'],
  row('the world read again', fresh),
  row('forked from one start', forked),
]);
const different = Object.entries(fresh.answers).filter(
  ([cluster, answer]) => forked.answers[cluster] !== answer,
);
console.log(
  different.length === 0
    ? `  both come to the same, of ${Object.keys(fresh.answers).length} clusters that were compared`
    : `  they differ: ${different.map(([cluster]) => cluster).join(', ')}`,
);
process.exitCode = different.length === 0 ? 0 : 1;
