// npm run replay -- DIR [--every SECONDS] [--report FILE] [--quiet]: simulates each recording of DIR (or DIR itself) from
// its start and from its quiet moments and compares, binding by binding.
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRecording } from './compareRecording.ts';
import { isRecording, readRecording } from './recording.ts';
import { describeRecording, describeTotals, totals, type ComparedRecording } from './report.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '10' },
    report: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const [directory] = positionals;
if (!directory) {
  console.error('usage: npm run replay -- DIR [--every SECONDS] [--report FILE] [--quiet]');
  process.exit(2);
}

const folders = isRecording(directory)
  ? [directory]
  : readdirSync(directory)
      .sort()
      .map((name) => join(directory, name))
      .filter(isRecording);
const recordings: ComparedRecording[] = [];
for (const folder of folders) {
  const starts = compareRecording(readRecording(folder), Number(values.every));
  const compared = { name: basename(folder), starts };
  recordings.push(compared);
  if (!values.quiet) for (const line of describeRecording(compared)) console.log(line);
}
const all = totals(recordings);
for (const line of describeTotals(all)) console.log(line);
if (values.report) writeFileSync(values.report, JSON.stringify({ totals: all, recordings }, undefined, 1));
console.log(`${all.bindings.passed} passed, ${all.bindings.failed} failed`);
process.exitCode = all.bindings.failed > 0 || all.bindings.passed === 0 ? 1 : 0;
