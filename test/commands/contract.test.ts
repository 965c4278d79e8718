import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/commands/index.ts';
import { documentKinds } from '../../src/views/answer.ts';
import { root } from './cli.ts';

const filesBelow = (directory: string, ending: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(root, directory, file), 'utf8'));

const schemas = filesBelow('docs/schema', '.schema.json').flatMap((text) =>
  [...text.matchAll(/"kind":\s*\{\s*"const":\s*"(\w+)"/g)].map(([, kind]) => kind!),
);
const pages = readFileSync(join(root, 'docs/output.md'), 'utf8');

describe('what commands print', () => {
  test.each(documentKinds)('%s has a schema, and is named in docs/output.md', (kind) => {
    expect(schemas).toContain(kind);
    expect(pages).toContain(`\`${kind}\``);
  });
});

describe('hostile inputs reach', () => {
  const cases = filesBelow('test/fuzz/cases', '.ts').join('\n');

  test.each(Object.keys(commands))('%s', (id) => {
    const words = id.split(':').map((word) => `'${word}'`);
    expect(cases).toContain(`[${words.join(', ')}`);
  });
});
