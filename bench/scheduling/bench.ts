// How many bindings we schedule per second of CPU time, against Karmada's own scheduler on the same input.
//   --workload DIR   another directory than bench/data, of the same form
//   --rounds N       how often each side is measured, in turns; the median counts
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, printTable, readable, runChild } from '../measure.ts';
import type { OurRate } from './ours.ts';
import { findReference } from './reference.ts';

const { values } = parseArgs({
  options: { workload: { type: 'string', default: 'bench/data' }, rounds: { type: 'string', default: '3' } },
});
const workload = resolve(values.workload);
const rounds = Number(values.rounds);
const reference = findReference();
console.log(`  1,000 bindings, one after the other; ${reference.note}`);

const rows = [['clusters', 'ours/s', 'first pass/s', 'Karmada/s', 'ratio', 'without its copies/s', 'ratio']];
let different = 0;
for (const clusters of [100, 500]) {
  const ours: OurRate[] = [];
  const theirs: number[] = [];
  const theirsWithoutCopies: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(runChild('bench/scheduling/ours.ts', ['--workload', workload, '--clusters', String(clusters)]));
    theirs.push(reference.rate(workload, clusters, true).bindingsPerCpuSecond);
    theirsWithoutCopies.push(reference.rate(workload, clusters, false).bindingsPerCpuSecond);
  }
  const rate = median(ours.map(({ bindingsPerCpuSecond }) => bindingsPerCpuSecond));
  const first = median(ours.map(({ firstPass }) => firstPass));
  different += ours[0]!.differentAnswers;
  rows.push([
    String(clusters),
    readable(rate),
    readable(first),
    readable(median(theirs)),
    `${readable(rate / median(theirs))}×`,
    readable(median(theirsWithoutCopies)),
    `${readable(rate / median(theirsWithoutCopies))}×`,
  ]);
}
printTable(rows);
console.log(different === 0 ? '  every answer is Karmada’s' : `  ${different} answers differ from Karmada’s`);
process.exitCode = different === 0 ? 0 : 1;
