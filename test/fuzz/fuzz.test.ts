import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const inputs = 8000;

/** A short run; docs/security.md says what a long one has shown. */
test('made-up inputs bring about no stack trace, exit code 70, hang, garbage, control character or secret', async () => {
  const argv = ['scripts/run-ts.mjs', 'test/fuzz/run.ts', '--inputs', String(inputs), '--seed', '20260901'];
  const { stdout } = await promisify(execFile)(process.execPath, argv).catch(
    (error: { stdout: string }) => error,
  );
  const lines = stdout.trimEnd().split('\n');
  const { finds, kinds } = JSON.parse(lines.pop()!) as { finds: number; kinds: Record<string, number> };
  expect([lines.join('\n'), finds]).toEqual(['', 0]);
  expect(Object.values(kinds).reduce((sum, times) => sum + times, 0)).toBe(inputs);
}, 300_000);
