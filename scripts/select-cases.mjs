// node scripts/select-cases.mjs DIR: takes every fifth case of each suite in DIR into test/conformance/cases,
// so that a clone on its own is held against the same recorded decisions.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const EVERY = 5;
const directory = process.argv[2];
if (!directory) {
  console.error('usage: node scripts/select-cases.mjs DIR');
  process.exit(2);
}
const cases = resolve(import.meta.dirname, '../test/conformance/cases');
mkdirSync(cases, { recursive: true });
for (const file of readdirSync(directory).filter((name) => name.endsWith('.jsonl'))) {
  const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n');
  const selected = lines.filter((_, index) => index % EVERY === 0);
  writeFileSync(join(cases, `${file}.gz`), gzipSync(`${selected.join('\n')}\n`, { level: 9 }));
}
