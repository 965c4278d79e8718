import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs commands on this many generated inputs; none may violate docs/security.md. */
export async function standMadeUpInputs(inputs: number, seed: number): Promise<void> {
  const argv = ['scripts/run-ts.mjs', 'test/fuzz/run.ts', '--inputs', String(inputs), '--seed', String(seed)];
  const { stdout } = await promisify(execFile)(process.execPath, argv).catch(
    (error: { stdout: string }) => error,
  );
  const lines = stdout.trimEnd().split('\n');
  const { finds, kinds } = JSON.parse(lines.pop()!) as { finds: number; kinds: Record<string, number> };
  expect([lines.join('\n'), finds]).toEqual(['', 0]);
  expect(Object.values(kinds).reduce((sum, times) => sum + times, 0)).toBe(inputs);
}
