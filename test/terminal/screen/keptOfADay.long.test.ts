import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

test('a day of updates leaks no memory; texts measured by Ink would', () => {
  const argv = ['--expose-gc', 'scripts/run-ts.mjs', 'test/terminal/screen/keptOfADay.ts'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  expect(stderr).toBe('');
  const bytes = JSON.parse(stdout) as { rows: number; texts: number };
  expect(bytes.rows).toBeLessThan(40);
  // once it forgets, rows can be built from it
  expect(bytes.texts).toBeGreaterThan(100);
});
