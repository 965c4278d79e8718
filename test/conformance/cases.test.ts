import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readableDiff, readCases, runSuite, suiteOfFile } from './compare.ts';
import { loadSuite, suiteModules } from './suite.ts';

const directory = join(import.meta.dirname, 'cases');
const files = readdirSync(directory);
/** what differential testing has found, made small; a folder that need not be there */
const differences = join(import.meta.dirname, 'differences');
const found = existsSync(differences) ? readdirSync(differences) : [];

describe('the engine decides what Karmada v1.18.2 was recorded to decide', () => {
  test('every file of cases has a suite', () => {
    expect(Object.keys(suiteModules)).toEqual(expect.arrayContaining(files.map(suiteOfFile)));
  });

  test.each(files)('%s', async (file) => {
    const cases = readCases(join(directory, file));
    const { passed, failures } = runSuite(await loadSuite(suiteOfFile(file)), cases);
    const first = failures[0];
    const difference = first && `${first.id}\n${readableDiff(first.expected, first.actual)}`;
    expect({ failed: failures.length, first: difference }).toEqual({ failed: 0, first: undefined });
    expect(passed).toBe(cases.length);
  });
});

test('the engine decides what Karmada decides of inputs that once showed a difference', async () => {
  const failures: Record<string, string> = {};
  for (const one of found.flatMap((file) => readCases(join(differences, file)))) {
    const [failure] = runSuite(await loadSuite(one.suite), [one]).failures;
    if (failure) failures[one.id] = readableDiff(failure.expected, failure.actual);
  }
  expect(failures).toEqual({});
});
