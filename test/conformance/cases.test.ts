import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readableDiff, readCases, runSuite, suiteOfFile } from './compare.ts';
import { loadSuite, suiteModules } from './suite.ts';

const directory = join(import.meta.dirname, 'cases');
const files = readdirSync(directory);

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
