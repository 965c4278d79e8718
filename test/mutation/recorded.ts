import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCases, runSuite, suiteOfFile } from '../conformance/compare.ts';
import type { ConformanceCase } from '../conformance/suite.ts';
import { loadSuite } from '../conformance/suites.ts';

/** Adds a test for each suite and version with recorded decisions of real Karmada. */
export async function testRecorded(names: string[]): Promise<void> {
  for (const name of names) {
    const suite = await loadSuite(name);
    for (const { version, cases } of recordedCases(name))
      test(`${name}: decided as recorded for Karmada ${version}`, () => {
        expect(runSuite(suite, cases).failures).toEqual([]);
      });
  }
}

interface Recorded {
  version: string;
  cases: ConformanceCase[];
}

/** Read once per process: the room is loaded for each change, and reading takes longer than deciding. */
const read: Map<string, Recorded[]> = ((
  globalThis as { recordedCases?: Map<string, Recorded[]> }
).recordedCases ??= new Map());

function recordedCases(suite: string): Recorded[] {
  const known = read.get(suite);
  if (known) return known;
  const folder = join(import.meta.dirname, '../conformance');
  const ofVersions = readdirSync(join(folder, 'versions')).map((file) => ({
    version: suiteOfFile(file),
    cases: readCases(join(folder, 'versions', file)).filter((one) => one.suite === suite),
  }));
  const all = [
    { version: 'v1.18.2', cases: readCases(join(folder, `cases/${suite}.jsonl.gz`)) },
    ...ofVersions.filter(({ cases }) => cases.length > 0),
  ];
  read.set(suite, all);
  return all;
}
