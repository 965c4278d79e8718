import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

test('docs/dashboard.svg shows the current dashboard; npm run picture redraws it', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run-ts.mjs', 'scripts/dashboardPicture.ts', '--print'],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(stdout).toBe(readFileSync('docs/dashboard.svg', 'utf8'));
});
