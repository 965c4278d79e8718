import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/commands/index.ts';
import { documentKinds } from '../../src/views/answer.ts';
import { root, run } from './cli.ts';

const filesBelow = (directory: string, ending: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(root, directory, file), 'utf8'));

const schemas = filesBelow('docs/schema', '.schema.json').flatMap((text) =>
  [...text.matchAll(/"kind":\s*\{\s*"const":\s*"(\w+)"/g)].map(([, kind]) => kind!),
);
const pages = readFileSync(join(root, 'docs/output.md'), 'utf8');

describe('documents of commands', () => {
  test.each(documentKinds)('%s has a schema and is in docs/output.md', (kind) => {
    expect(schemas).toContain(kind);
    expect(pages).toContain(`\`${kind}\``);
  });
});

/** The kinds of list documents, and the list's field, from the table of docs/output.md; state files are not printed by commands. */
const withList = [...pages.matchAll(/^\| `(\w+)` \|.*?\| `(\w+)` \| \[([\w-]+)\]/gm)]
  .map(([, kind, field, schema]) => ({ kind: kind!, field: field!, schema: schema! }))
  .filter(({ kind }) => documentKinds.some((one) => one === kind));

describe('list documents', () => {
  test('include more than 14 kinds', () => {
    expect(withList.length).toBeGreaterThan(14);
  });

  test.each(withList)('$kind has a summary in its schema', ({ schema, field }) => {
    const { properties } = JSON.parse(
      readFileSync(join(root, `docs/schema/${schema}.schema.json`), 'utf8'),
    ) as { properties: object };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['summary', field]));
  });

  test.each([
    ['eviction inspect', 'evictions'],
    ['failover status', 'clusters'],
    ['failover audit', 'workloads'],
    ['failover simulate --fail oregon', 'workloads'],
    ['timeline', 'evictions'],
    ['drain oregon --dry-run', 'workloads'],
    ['doctor', 'findings'],
    ['taint-policy list', 'policies'],
  ])('%s counts its %s in the summary', (line, name) => {
    const { stdout } = run([...line.split(' '), '--state', 'examples/incident', '-o', 'json']);
    const document = JSON.parse(stdout) as { kind: string; summary: Record<string, unknown> };
    const { field } = withList.find(({ kind }) => kind === document.kind)!;
    const { length } = (document as unknown as Record<string, unknown[]>)[field]!;
    expect(document.summary[name]).toBe(length);
  });
});

describe('fuzz cases with hostile inputs exist for', () => {
  const cases = filesBelow('test/fuzz/cases', '.ts').join('\n');

  test.each(Object.keys(commands))('%s', (id) => {
    const words = id.split(':').map((word) => `'${word}'`);
    expect(cases).toContain(`[${words.join(', ')}`);
  });
});
