// npm run replay -- DIR [--every SECONDS] [--report FILE] [--quiet]: simulates each recording of DIR (or DIR itself)
// from its start and from its quiet moments and compares, binding by binding.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOptions } from '../commandOptions.ts';
import { isRecording } from './recording.ts';
import { median } from './replay.ts';
import { replayAll } from './replayAll.ts';

/** The limits for the recordings of the tests. */
const MAX_SECONDS_OFF = 1.5;

const USAGE = 'usage: npm run replay -- DIR [--every SECONDS] [--report FILE] [--quiet]';
const { positionals, values } = commandOptions(USAGE, {
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '10' },
    report: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const [directory] = positionals;
if (!directory) {
  console.error(USAGE);
  process.exit(2);
}

const folders = isRecording(directory)
  ? [directory]
  : readdirSync(directory)
      .sort()
      .map((name) => join(directory, name))
      .filter(isRecording);
const summary = (line: string) => console.log(line);
const all = replayAll(folders, Number(values.every), {
  detail: values.quiet ? () => undefined : summary,
  summary,
});
if (values.report) writeFileSync(values.report, JSON.stringify(all, undefined, 1));
const { passed, failed } = all.totals.bindings;
// at about the same time, from the start of each recording
const late = all.recordings.filter(
  ({ starts: [first] }) => (median(first?.off ?? []) ?? 0) > MAX_SECONDS_OFF,
);
for (const { name } of late)
  console.log(`${name}: its steps are off by more than ${MAX_SECONDS_OFF} s (median)`);
process.exitCode = failed > 0 || passed === 0 || late.length > 0 ? 1 : 0;
