import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCases, runSuite, suiteOfFile } from '../conformance/compare.ts';
import { loadSuite, type ConformanceCase } from '../conformance/suite.ts';
import { rooms } from './rooms.ts';

// All tests of a room in one file: what is loaded once for a change need not be loaded for each of twenty files.
const room = rooms[process.env['MUTATED_ROOM'] ?? ''];
if (!room)
  throw new Error(
    `MUTATED_ROOM: ${process.env['MUTATED_ROOM']} is not one of ${Object.keys(rooms).join(', ')}`,
  );

const root = resolve(import.meta.dirname, '../..');
for (const path of room.tests) for (const file of testsIn(join(root, path))) await import(file);

const conformance = join(import.meta.dirname, '../conformance');
const ofVersions = room.recorded.length === 0 ? [] : readdirSync(join(conformance, 'versions'));

for (const name of room.recorded) {
  const suite = await loadSuite(name);
  const decided = (cases: ConformanceCase[]) => () => expect(runSuite(suite, cases).failures).toEqual([]);
  test(
    `${name}: decided as Karmada was recorded to decide`,
    decided(readCases(join(conformance, `cases/${name}.jsonl.gz`))),
  );
  for (const file of ofVersions) {
    const cases = readCases(join(conformance, 'versions', file)).filter(({ suite }) => suite === name);
    if (cases.length > 0)
      test(`${name}: as Karmada ${suiteOfFile(file)} was recorded to decide`, decided(cases));
  }
}

function testsIn(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => join(path, file));
}
