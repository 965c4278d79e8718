import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rendered, type PrintFlags } from '../../src/cli/print.ts';
import { inOrder, type Answer } from '../../src/views/answer.ts';

interface Recorded {
  flags: string[];
  stdout?: string;
  code?: number;
  message?: string;
}

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const { objects } = JSON.parse(read('asked.json')) as { objects: object[] };
const recorded = JSON.parse(read('recorded.json')) as Recorded[];

/** What kubectl makes of the list that the server sends. */
function answer(items: object[]): Answer {
  return {
    document: { kind: 'List', schemaVersion: 'v1', metadata: { resourceVersion: '' }, items },
    text: () => '',
    names: () => [],
    list: { field: 'items', inOrder: (positions) => answer(inOrder(items, positions)) },
  };
}

async function print(argv: string[]): Promise<string> {
  const flags: PrintFlags = {};
  for (const [index, flag] of argv.entries()) {
    const file = (value: string) => value.replace('-file=', `-file=${import.meta.dirname}/`);
    if (flag === '-o') flags.output = file(argv[index + 1]!);
    if (flag === '--no-headers') flags['no-headers'] = true;
    if (flag.startsWith('--sort-by=')) flags['sort-by'] = flag.slice('--sort-by='.length);
  }
  return [...(await rendered(answer(objects), flags))].join('');
}

/** What kubectl says is wrong, without what it puts around that. */
function reason(message: string): string | undefined {
  return (
    /Error executing template: (.*)\. Printing more/.exec(message)?.[1] ??
    /error parsing jsonpath .*, (.*)$/.exec(message)?.[1] ??
    /^error: (array index .*|unterminated array)$/.exec(message)?.[1]
  )?.replace('int64', 'int');
}

// recorded.json holds what kubectl v1.35 printed for the objects and flags of asked.json
describe('prints as kubectl does', () => {
  test.each(recorded.filter(({ stdout }) => stdout !== undefined))('$flags', async ({ flags, stdout }) => {
    expect(await print(flags)).toBe(stdout);
  });
});

describe('refuses what kubectl refuses', () => {
  test.each(recorded.filter(({ stdout }) => stdout === undefined))('$flags', async ({ flags, message }) => {
    const printing = print(flags);
    await expect(printing).rejects.toMatchObject({ exitCode: 2 });
    await expect(printing).rejects.toThrow(reason(message!) ?? '');
  });
});
