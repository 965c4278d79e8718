// npm run bench [-- NAME [ARGUMENT…]]: runs one measurement or all, each in its own process. They print ratios against references measured
// in the same run, and fail only on wrong answers, never on time.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const benches = [
  'scheduling',
  'failure',
  'forks',
  'audit',
  'changes',
  'doctor',
  'yaml',
  'start',
  'read',
  'controller',
  'dashboard',
  'exporter',
  'keys',
];

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !benches.includes(name)) {
  console.error(`usage: npm run bench [-- ${benches.join(' | ')} [ARGUMENT…]]`);
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
let failed = false;
for (const bench of name === undefined ? benches : [name]) {
  console.log(`\n${bench}`);
  const { status } = spawnSync(process.execPath, ['scripts/run-ts.mjs', `bench/${bench}/bench.ts`, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
