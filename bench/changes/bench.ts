// Changes every template, or every policy, of a control plane in one scenario: CPU time, and how it grows when there are twice as many.
// Indexes find what each change affects, so the time grows no faster than the number of changes.
//   --workloads 5000,10000,20000
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { controlPlane, type Changed } from './controlPlane.ts';

const { values } = parseArgs({ options: { workloads: { type: 'string', default: '5000,10000,20000' } } });
const counts = values.workloads.split(',').map(Number);

if (!hasCommand('failover', 'simulate'))
  console.log('  nothing measured: there is no command "failover simulate" here (is dist built?)');
else
  for (const changed of ['templates', 'policies'] as const) {
    const rows = [[changed, 'CPU', 'growth', 'peak memory', 'bindings that followed']];
    let previous: Usage | undefined;
    for (const count of counts) {
      const { usage, followed } = measured(count, changed);
      rows.push([
        readable(count),
        `${readable(usage.cpu)} s`,
        previous ? `×${readable(usage.cpu / previous.cpu)}` : '',
        `${readable(usage.peak)} MiB`,
        readable(followed),
      ]);
      if (followed !== count) process.exitCode = 1;
      previous = usage;
    }
    printTable(rows);
  }

function measured(count: number, changed: Changed): { usage: Usage; followed: number } {
  const [state, scenario, output] = ['state', 'scenario', 'simulation'].map((name) =>
    join(cacheDirectory(), `changes-${process.pid}-${name}.json`),
  ) as [string, string, string];
  const made = controlPlane(count, changed);
  writeFileSync(state, JSON.stringify(made.state));
  writeFileSync(scenario, JSON.stringify(made.scenario));
  const args = [BIN, 'failover', 'simulate', '--state', state, '--scenario', scenario, '-o', 'json'];
  const usage = measureNode(args, output);
  const { events } = JSON.parse(readFileSync(output, 'utf8')) as {
    events: { type: string; object: object }[];
  };
  const followed = new Set(
    events.flatMap(({ type, object }) => (type === 'BindingFollowed' ? [JSON.stringify(object)] : [])),
  );
  for (const file of [state, scenario, output]) rmSync(file);
  return { usage, followed: followed.size };
}
