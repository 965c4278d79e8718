import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { switches } from '../../../src/karmada/dialects/rules.ts';
import { suiteModules } from '../../conformance/suites.ts';

const root = join(import.meta.dirname, '../../..');

test('docs/dialects.md is up to date (npm run dialects)', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/dialects.ts', '--print'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(readFileSync(join(root, 'docs/dialects.md'), 'utf8')).toBe(stdout);
});

describe('the tests that a switch names', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const known = new Set([
    ...Object.keys(suiteModules),
    ...files.map((file) => basename(file)),
    ...files.map((file) => `test/${file}`),
  ]);
  const all = Object.entries(switches).flatMap(([room, ofRoom]) =>
    Object.entries(ofRoom).map(
      ([name, { tests }]) => [`${room}.${name}`, tests] as [string, readonly string[]],
    ),
  );

  test.each(all)('exist for %s: %j', (_, tests) => {
    expect(tests.filter((name) => !known.has(name))).toEqual([]);
  });
});
