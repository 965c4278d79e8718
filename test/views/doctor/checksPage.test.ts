import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

test('docs/checks.md equals the catalogue; npm run checks writes it', () => {
  const printed = execFileSync('node', ['scripts/run-ts.mjs', 'scripts/checks.ts', '--print'], {
    encoding: 'utf8',
  });
  expect(printed).toBe(readFileSync('docs/checks.md', 'utf8'));
});
