// Keeps differing inputs as cases for `npm test`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCases } from '../conformance/compare.ts';
import type { ConformanceCase } from '../conformance/suite.ts';

const DIRECTORY = resolve('test/conformance/differences');

/** Adds a case to the file of its suite, unless its input already exists for that version. Returns its id. */
export function keep(found: ConformanceCase): string {
  const file = join(DIRECTORY, `${found.suite}.jsonl`);
  const known = existsSync(file) ? readCases(file) : [];
  const digest = createHash('sha256').update(JSON.stringify(found.input)).digest('hex').slice(0, 8);
  const id = `${found.karmadaVersion}/${found.suite}-${digest}`;
  if (known.some((one) => one.id === id)) return id;
  mkdirSync(DIRECTORY, { recursive: true });
  const all = [...known, { ...found, id }].sort((a, b) => (a.id < b.id ? -1 : 1));
  writeFileSync(file, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return id;
}
