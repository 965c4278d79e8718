import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Exit code and output of a command of this repository, started as npm does. */
function run(entry: string, ...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['scripts/run-ts.mjs', entry, ...argv], { encoding: 'utf8' });
}

test('a command of this repository prints its usage', () => {
  const { status, stdout, stderr } = run('test/fuzz/run.ts', '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^usage: npm run fuzz /);
});

test.each([
  ['test/fuzz/run.ts', ['--inputs', 'many'], '--inputs "many" is not a whole number'],
  ['test/e2e/bed.ts', ['up', '--hlep'], "Unknown option '--hlep'"],
])('%s %j is rejected without a stack trace', (entry, argv, problem) => {
  const { status, stdout, stderr } = run(entry, ...argv);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(problem);
  expect(stderr).toMatch(/\nusage: npm run /);
  expect(stderr).not.toMatch(/^ {4}at /m);
});
