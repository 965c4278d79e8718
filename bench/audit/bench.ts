// Audits a control plane with one thread and with one per core: both must print the same bytes, and each contingency of a sample must match
// a simulation of it alone. Then it combines all pairs of a smaller control plane and compares a sample with simulations of all bindings.
//   --bindings 6000 (up to 5000 it also searches what would help)  --clusters 40  --seed 1  --sample 3  --pairs  --couples 2000
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { Audit } from '../../src/analysis/audit/audit.ts';
import { BIN, measureNode, printTable, readable, runChild, type Usage } from '../measure.ts';
import { stateFile } from '../stateFile.ts';
import type { Pairs } from './pairs.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '6000' },
    clusters: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '3' },
    pairs: { type: 'boolean', default: false },
    couples: { type: 'string', default: '2000' },
  },
});
const { file } = await stateFile({
  bindings: Number(values.bindings),
  clusters: Number(values.clusters),
  seed: Number(values.seed),
  works: false,
});
const directory = mkdtempSync(join(tmpdir(), 'audit-'));
let different = 0;

function answer(name: string, ...argv: string[]): { usage: Usage; text: string } {
  const output = join(directory, name);
  const usage = measureNode([BIN, ...argv, '--state', file, '-o', 'json'], output);
  if (usage.status !== 0) throw new Error(`${argv.join(' ')} ended with ${usage.status}`);
  return { usage, text: readFileSync(output, 'utf8') };
}

const audited = (threads: number) =>
  answer(
    `threads-${threads}`,
    ...['failover', 'audit', '--threads', String(threads), ...(values.pairs ? ['--pairs'] : [])],
  );
const threads = Math.max(2, availableParallelism());
const [one, many] = [audited(1), audited(threads)];
const { contingencies } = JSON.parse(one.text) as Pick<Audit, 'contingencies'>;
const row = (name: string, { wall, cpu, peak }: Usage) => [
  name,
  readable(contingencies.length),
  `${readable(wall)} s`,
  `${readable(cpu)} s`,
  `${readable(contingencies.length / cpu)}`,
  `${readable(peak)} MiB`,
];
console.log(
  `  ${readable(Number(values.bindings))} bindings on ${values.clusters} clusters, reading included`,
);
printTable([
  ['', 'contingencies', 'wall', 'CPU', 'per second of CPU', 'peak memory'],
  row('one thread', one.usage),
  row(`${threads} threads`, many.usage),
]);
if (one.text !== many.text) {
  console.log('  with more threads the answer differs');
  different++;
}

const step = Math.max(1, Math.floor(contingencies.length / Number(values.sample)));
for (let at = 0; at < contingencies.length; at += step) {
  const { name, clusters, outcomes } = contingencies[at]!;
  const { text } = answer('alone', 'failover', 'simulate', ...clusters.flatMap((each) => ['--fail', each]));
  const counts: Record<string, number> = {};
  for (const { before, outcome } of (JSON.parse(text) as Pick<Simulation, 'workloads'>).workloads)
    if (before.some((target) => clusters.includes(target.name))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const texts = [outcomes, counts].map((each) => JSON.stringify(Object.entries(each).sort()));
  if (texts[0] !== texts[1]) {
    console.log(`  ${name}: the audit says ${texts[0]}, a simulation alone ${texts[1]}`);
    different++;
  }
}
rmSync(directory, { recursive: true });

const smaller = { bindings: Number(values.couples), clusters: Number(values.clusters) };
const { file: couples } = await stateFile({ ...smaller, seed: Number(values.seed), works: false });
const found = runChild<Pairs>('bench/audit/pairs.ts', ['--state', couples]);
console.log(`  pairs of ${smaller.clusters} clusters with ${readable(smaller.bindings)} bindings`);
printTable([
  [
    'pairs',
    'combined',
    'CPU of single failures',
    'CPU of pairs',
    'peak memory',
    'compared',
    'downtimes apart',
  ],
  [
    readable(found.pairs),
    `${readable((100 * found.combined) / found.pairs)} %`,
    `${readable(found.cpu.singles)} s`,
    `${readable(found.cpu.pairs)} s`,
    `${readable(found.peak)} MiB`,
    readable(found.compared),
    `${readable(found.apart.median)} to ${readable(found.apart.most)} s`,
  ],
]);
for (const text of found.different) console.log(`  ${text}`);
different += found.different.length;
console.log(different === 0 ? '  all come to the same' : `  ${different} differ`);
process.exitCode = different === 0 ? 0 : 1;
