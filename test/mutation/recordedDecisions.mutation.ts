import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readCases, runSuite } from '../conformance/compare.ts';
import { loadSuite } from '../conformance/suite.ts';

const cases = join(import.meta.dirname, '../conformance/cases');

// those of the rooms that are mutated
test.each([
  'taint-manager',
  'taint-policy',
  'tolerations',
  'graceful-eviction',
  'graceful-evict-cluster',
  'work-eviction',
])('%s: decided as Karmada was recorded to decide', async (suite) => {
  const recorded = readCases(join(cases, `${suite}.jsonl.gz`));
  const { passed } = runSuite(await loadSuite(suite), recorded);
  expect(passed).toBe(recorded.length);
});
