// The checks of `doctor` on a large control plane: CPU time, against reading the same state in the same process; medians. Then the whole
// command with all findings, and with the first one only: remedies are simulated only for findings that are shown. Fails if an answer differs.
//   --bindings 10000  --clusters 100  --seed 1  --runs 3
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BIN, hasCommand, measureNode, median, printTable, readable, runChild } from '../measure.ts';
import { stateFile } from '../stateFile.ts';
import type { CheckTimes } from './checks.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '3' },
  },
});
const { file } = await stateFile({
  bindings: Number(values.bindings),
  clusters: Number(values.clusters),
  seed: Number(values.seed),
  works: false,
});
const runs = Array.from({ length: Number(values.runs) }, () =>
  runChild<CheckTimes>('bench/doctor/checks.ts', ['--state', file]),
);
const reading = median(runs.map((one) => one.reading));
const row = (name: string, cpu: number) => [name, `${readable(cpu)} s`, `${(cpu / reading).toFixed(2)}×`];
const rows = [
  ['', 'CPU', 'ratio'],
  row('reading', reading),
  row('bounds', median(runs.map(({ bounds }) => bounds))),
  row('other checks', median(runs.map(({ others }) => others))),
];
if (hasCommand('doctor')) {
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  const [first, all] = (['--limit=1', '--limit=0'] as const).map((limit) => {
    const output = join(directory, limit);
    const { status, cpu } = measureNode([BIN, 'doctor', '--state', file, limit], output);
    if (status !== 0) throw new Error(`doctor ended with ${status}`);
    return { cpu, verdict: readFileSync(output, 'utf8').split('\n')[0] };
  });
  rmSync(directory, { recursive: true });
  rows.push(row('doctor --limit=1', first!.cpu), row('doctor --limit=0', all!.cpu));
  if (first!.verdict !== all!.verdict) process.exitCode = 1;
}
if (new Set(runs.map(({ findings }) => findings)).size > 1) process.exitCode = 1;
console.log(`  ${readable(Number(values.bindings))} bindings on ${values.clusters} clusters`);
printTable(rows);
if (process.exitCode === 1) console.log('  the answers differ');
