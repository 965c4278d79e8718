import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Paths in a page's code spans: `src/karmada/world.ts`, `src/page`. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:src|test|scripts|docs|bench|examples)\/[\w./-]+)`/g)].map(([, path]) => path!);

const linksIn = (text: string) => [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path]) => path!);

test.each(pages)('%s names only existing paths', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const linked = linksIn(text).map((path) => join(dirname(page), path));
  expect([...pathsIn(text), ...linked].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the glossary has at most fifteen words', () => {
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8').match(/^\| (?!word )/gm) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(15);
});

test('the architecture and contributing pages stay short', () => {
  const lines = (page: string) => readFileSync(join(root, page), 'utf8').trimEnd().split('\n').length;
  expect(lines('docs/architecture.md')).toBeLessThanOrEqual(120);
  expect(lines('CONTRIBUTING.md')).toBeLessThanOrEqual(150);
});
