import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suiteModules } from '../../conformance/suites.ts';
import { shownBy } from './shownBy.ts';

const root = join(import.meta.dirname, '../../..');

test('docs/dialects.md is up to date (npm run dialects)', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/dialects.ts', '--print'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(readFileSync(join(root, 'docs/dialects.md'), 'utf8')).toBe(stdout);
});

describe('the tests that show a switch', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const known = new Set([
    ...Object.keys(suiteModules),
    ...files.map((file) => basename(file)),
    ...files.map((file) => `test/${file}`),
  ]);
  const all = Object.entries(shownBy).flatMap(([room, ofRoom]) =>
    Object.entries(ofRoom as Readonly<Record<string, readonly string[]>>).map(
      ([name, tests]) => [`${room}.${name}`, tests] as const,
    ),
  );

  test.each(all)('exist for %s: %j', (_, tests) => {
    expect(tests.filter((name) => !known.has(name))).toEqual([]);
  });
});
