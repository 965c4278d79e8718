import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..', 'src');
const WORDS =
  /\b(?:un|fore)?(?:told|tells?|telling|tellers?)\b|[a-z](?:Told|Tells?|Telling|Teller)\b|_TOLD|_TELL/;
/** Relative clauses and verbs where a noun, or a shorter sentence, exists. */
const PHRASES =
  /\b(?:of which|anew|goes on|becomes? of|as far as is known|nobody has confirmed|made anew|any ?more)\b|GoesOn|goesOn/i;
const OF_IDENTIFIERS = /\b(?:told|tell|tells|untold|foretold)[A-Z]/;

/** Values of documents and files are a contract until their next schemaVersion. */
const CONTRACT: readonly RegExp[] = [
  // replay check: a verdict, its count and a field
  /'untold'/g,
  /`untold`/g,
  /\buntold:/g,
  /'untold {2}/g,
  /const \{ agree, race, untold, differ \}/g,
  /\buntold > 0 \? `, \$\{untold\} /g,
  /\brace \+ untold \+ differ\b/g,
  // saved simulations: how many events were shown before
  /\btold: (?:'count'|number;|\(start\.world\.simulation\?\.told \?\? 0\))/g,
  /\bsaved\?\.told\b/g,
];

const withoutContract = (line: string) => CONTRACT.reduce((left, allowed) => left.replace(allowed, ''), line);

test('the source says report, record and show instead of tell', () => {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => [
    ...(WORDS.test(file) || OF_IDENTIFIERS.test(file) ? [file] : []),
    ...readFileSync(join(source, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const left = withoutContract(line);
        return WORDS.test(left) || OF_IDENTIFIERS.test(left) || PHRASES.test(left)
          ? [`${file}:${at + 1}: ${line.trim()}`]
          : [];
      }),
  ]);
  expect(found).toEqual([]);
});

test('user pages avoid the listed clauses', () => {
  const docs = join(source, '..', 'docs');
  const pages = readdirSync(docs).filter((file) => file.endsWith('.md'));
  const found = ['../README.md', '../CONTRIBUTING.md', ...pages].flatMap((file) =>
    readFileSync(join(docs, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (PHRASES.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

interface Described {
  readonly summary?: string;
  readonly description?: string;
}

test('help texts have sentences of at most 25 words, and a uniform form of defaults', () => {
  const { commands } = JSON.parse(readFileSync(join(source, '..', 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, Described & { flags: Record<string, Described> }>;
  };
  const texts = Object.entries(commands).flatMap(([id, { summary, description, flags }]) =>
    [summary, description, ...Object.values(flags).map((flag) => flag.summary)].flatMap((text) =>
      (text ?? '').split(/(?<=\.)\s+|\n/).map((sentence) => ({ id, sentence })),
    ),
  );
  expect(texts.length).toBeGreaterThan(1000);
  const isLong = (sentence: string) => sentence.split(/\s+/).length > 25;
  expect(texts.filter(({ sentence }) => isLong(sentence) || /\bdefault (?!:)\S*$/.test(sentence))).toEqual(
    [],
  );
});
