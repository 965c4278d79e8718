// node scripts/select-cases.mjs DIR [SUITE…]: copies recorded decisions from DIR into test/conformance, so that a clone alone can be
// compared with them. For Karmada v1.18.2 (DIR/*.jsonl) every fifth case of each suite; for other versions (DIR/VERSION/*.jsonl) a few of
// each suite, differing decisions first, in one file per version.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const EVERY = 5;
/** for each suite and version: cases that differ from v1.18.2, and cases that do not */
const DIFFERENT = 24;
const SAME = 4;

const [directory, ...suites] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node scripts/select-cases.mjs DIR [SUITE…]');
  process.exit(2);
}
const conformance = resolve(import.meta.dirname, '../test/conformance');

const filesOf = (folder) =>
  readdirSync(folder).filter(
    (name) => name.endsWith('.jsonl') && (suites.length === 0 || suites.includes(name.replace('.jsonl', ''))),
  );
const linesOf = (file) => readFileSync(file, 'utf8').trimEnd().split('\n');

function write(folder, name, lines) {
  mkdirSync(join(conformance, folder), { recursive: true });
  writeFileSync(join(conformance, folder, `${name}.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}

/** This many items of a list, evenly spread. */
function some(list, count) {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_, index) => list[Math.floor((index * list.length) / count)]);
}

/** The decisions of v1.18.2 for the same inputs, by case id. */
function mainDecisions() {
  const main = resolve(directory, '../conformance');
  if (!existsSync(main)) return new Map();
  const cases = filesOf(main).flatMap((name) => linesOf(join(main, name)).map((line) => JSON.parse(line)));
  return new Map(cases.map(({ id, expected }) => [id, JSON.stringify(expected)]));
}

for (const name of filesOf(directory))
  write(
    'cases',
    name,
    linesOf(join(directory, name)).filter((_, index) => index % EVERY === 0),
  );

const versions = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const decided = versions.length > 0 ? mainDecisions() : new Map();
for (const { name: version } of versions) {
  const selected = filesOf(join(directory, version)).flatMap((name) => {
    const lines = linesOf(join(directory, version, name));
    const isSame = (line) => {
      const { id, expected } = JSON.parse(line);
      return decided.get(id.slice(id.indexOf('/') + 1)) === JSON.stringify(expected);
    };
    const same = lines.filter(isSame);
    const different = lines.filter((line) => !same.includes(line));
    return [...some(different, DIFFERENT), ...some(same, SAME)];
  });
  if (selected.length > 0) write('versions', `${version}.jsonl`, selected);
}
