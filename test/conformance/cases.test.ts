import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readableDiff, readCases, runSuite, suiteOfFile } from './compare.ts';
import type { ConformanceCase } from './suite.ts';
import { loadSuite, suiteModules } from './suites.ts';

async function expectSame(suite: string, cases: ConformanceCase[]): Promise<void> {
  const { passed, failures } = runSuite(await loadSuite(suite), cases);
  const first = failures[0];
  const difference = first && `${first.id}\n${readableDiff(first.expected, first.actual)}`;
  expect({ failed: failures.length, first: difference }).toEqual({ failed: 0, first: undefined });
  expect(passed).toBe(cases.length);
}

describe('the engine makes the recorded decisions of Karmada v1.18.2', () => {
  const directory = join(import.meta.dirname, 'cases');
  const files = readdirSync(directory);

  test('every case file has a suite', () => {
    expect(Object.keys(suiteModules)).toEqual(expect.arrayContaining(files.map(suiteOfFile)));
  });

  test.each(files)('%s', (file) => expectSame(suiteOfFile(file), readCases(join(directory, file))));
});

const versions = join(import.meta.dirname, 'versions');

describe.each(readdirSync(versions).map((file) => [suiteOfFile(file), file]))(
  'the engine makes the recorded decisions of Karmada %s',
  (version, file) => {
    const cases = readCases(join(versions, file));

    test('each case has this version', () => {
      expect(new Set(cases.map(({ karmadaVersion }) => karmadaVersion))).toEqual(new Set([version]));
    });

    test.each([...new Set(cases.map(({ suite }) => suite))])('%s', (suite) =>
      expectSame(
        suite,
        cases.filter((one) => one.suite === suite),
      ),
    );
  },
);
