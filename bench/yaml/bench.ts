// The cost of a large YAML List: our reader and a whole command, each against js-yaml 4.
//   --megabytes N   --rounds N
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateState } from '../generate.ts';
import {
  BIN,
  cacheDirectory,
  hasCommand,
  measureNode,
  median,
  printTable,
  readable,
  runChild,
  type Usage,
} from '../measure.ts';
import { yamlList } from './listText.ts';
import type { Parse } from './parse.ts';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '20' }, rounds: { type: 'string', default: '3' } },
});
const bytes = Number(values.megabytes) * 1e6;
const file = join(cacheDirectory(), `list-${values.megabytes}.yaml`);
const { objects } = generateState({ bindings: Math.ceil(bytes / 5000), clusters: 100, seed: 1, works: true });
writeFileSync(file, yamlList(objects, bytes));

const theirs: Parse[] = [];
const ours: Parse[] = [];
const command: Usage[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  theirs.push(runChild('bench/yaml/jsYaml.ts', [file]));
  ours.push(runChild('bench/yaml/ours.ts', [file]));
  if (hasCommand('eviction', 'inspect')) {
    const output = join(cacheDirectory(), 'tasks.json');
    command.push(measureNode([BIN, 'eviction', 'inspect', '--state', file, '-o', 'json'], output));
  }
}
if (ours[0]!.objects !== theirs[0]!.objects) {
  console.log(`  we read ${ours[0]!.objects} objects, js-yaml ${theirs[0]!.objects}`);
  process.exitCode = 1;
}
const reference = median(theirs.map(({ cpu }) => cpu));
const row = (name: string, runs: { cpu: number; peak: number }[], target: string) => {
  const cpu = median(runs.map((run) => run.cpu));
  const peak = Math.max(...runs.map((run) => run.peak));
  return [name, `${readable(cpu)} s`, `${readable(cpu / reference)}×`, target, `${readable(peak)} MiB`];
};
console.log(`  ${values.megabytes} MB, ${theirs[0]!.objects} objects`);
printTable([
  ['', 'CPU', 'ratio', 'target', 'peak memory'],
  row('js-yaml 4 alone', theirs, ''),
  row('our reader', ours, '3×'),
  ...(command.every(({ status }) => status === 0) && command.length > 0
    ? [row('eviction inspect', command, '3×')]
    : []),
]);
if (command.length === 0) console.log('  no command measured: dist is not built (npm run build)');
else if (command.some(({ status }) => status !== 0)) console.log('  the command failed');
