import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/commands/index.ts';
import { root } from './cli.ts';

const filesBelow = (directory: string, ending: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(root, directory, file), 'utf8'));

/** Kinds that views print: what stands beside a schemaVersion. A Diff is printed as text alone. */
const printed = filesBelow('src/views', '.ts')
  .flatMap((text) => [...text.matchAll(/kind: '(\w+)',\s*schemaVersion:/g)].map(([, kind]) => kind!))
  .filter((kind) => kind !== 'Diff');
const schemas = filesBelow('docs/schema', '.schema.json').flatMap((text) =>
  [...text.matchAll(/"kind":\s*\{\s*"const":\s*"(\w+)"/g)].map(([, kind]) => kind!),
);
const pages = readFileSync(join(root, 'docs/output.md'), 'utf8');

describe('what commands print', () => {
  test.each([...new Set(printed)])('%s has a schema, and is named in docs/output.md', (kind) => {
    expect(schemas).toContain(kind);
    expect(pages).toContain(`\`${kind}\``);
  });

  test('is found by this test', () => {
    expect(printed).toEqual(expect.arrayContaining(['EvictionTaskList', 'DrainPlan', 'TaintPolicyList']));
  });
});

describe('hostile inputs reach', () => {
  const cases = filesBelow('test/fuzz/cases', '.ts').join('\n');

  test.each(Object.keys(commands))('%s', (id) => {
    const words = id.split(':').map((word) => `'${word}'`);
    expect(cases).toContain(`[${words.join(', ')}`);
  });
});
