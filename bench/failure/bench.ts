// Loads a generated control plane of many bindings and simulates the failure of the cluster that runs a fifth of them: time, peak memory,
// and how both grow with ten times as many bindings.
//   --bindings 10000,100000  --clusters 500  --works  --seed 1
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BIN,
  cacheDirectory,
  hasCommand,
  measureNode,
  printTable,
  readable,
  type Usage,
} from '../measure.ts';
import { stateFile } from '../stateFile.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000,100000' },
    clusters: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    works: { type: 'boolean', default: false },
  },
});

if (!hasCommand('failover', 'simulate')) {
  console.log('  nothing measured: there is no command "failover simulate" here (is dist built?)');
} else {
  const rows = [['bindings', 'file', 'time', 'growth', 'CPU', 'growth', 'peak memory', 'growth', 'moved']];
  let previous: Usage | undefined;
  for (const bindings of values.bindings.split(',').map(Number)) {
    const { file, failing } = await stateFile({
      bindings,
      clusters: Number(values.clusters),
      seed: Number(values.seed),
      works: values.works,
    });
    const output = join(cacheDirectory(), 'simulation.json');
    const args = [BIN, 'failover', 'simulate', '--state', file, '--fail', failing, '-o', 'json'];
    const usage = measureNode(args, output);
    if (usage.status !== 0) {
      console.log(`  the simulation of ${bindings} bindings ended with ${usage.status}`);
      process.exitCode = 1;
      break;
    }
    const growth = (now: number, before: number | undefined) =>
      before === undefined ? '' : `×${readable(now / before)}`;
    rows.push([
      readable(bindings),
      `${readable(statSync(file).size / 1e6)} MB`,
      `${readable(usage.wall)} s`,
      growth(usage.wall, previous?.wall),
      `${readable(usage.cpu)} s`,
      growth(usage.cpu, previous?.cpu),
      `${readable(usage.peak)} MiB`,
      growth(usage.peak, previous?.peak),
      movedWorkloads(output),
    ]);
    rmSync(output);
    previous = usage;
  }
  printTable(rows);
}

/** How many workloads moved, according to the simulation. */
function movedWorkloads(output: string): string {
  const { workloads } = JSON.parse(readFileSync(output, 'utf8')) as { workloads: { outcome: string }[] };
  const moved = workloads.filter(({ outcome }) => outcome === 'moves').length;
  return readable(moved);
}
