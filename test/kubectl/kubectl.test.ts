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

/** kubectl's output for the server's list; the kind is invented, and not ours. */
function answer(items: object[]): Answer {
  return {
    document: { kind: 'List' as never, schemaVersion: 'v1', metadata: { resourceVersion: '' }, items },
    presentation: () => ({ blocks: [] }),
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

/** kubectl's error, and our error for the same. */
const REASONS: [kubectl: RegExp, here: (match: RegExpExecArray) => string][] = [
  // kubectl's JSON has 64-bit integers, templates here only int
  [/Error executing template: (.*)\. Printing more/, ([, reason]) => reason!.replace('int64', 'int')],
  [/error parsing jsonpath .*, (.*)$/, ([, reason]) => reason!],
  [/^error: (array index .*|unterminated array)$/, ([, reason]) => reason!],
  [/template format specified but no template given$/, () => "-o jsonpath needs a value: jsonpath='{.kind}'"],
  [
    /custom-columns format specified but no custom columns given$/,
    () => '-o custom-columns needs a value: custom-columns=NAME:.name',
  ],
  [
    /unexpected custom-columns spec: (.*), expected <header>:<json-path-expr>$/,
    ([, column]) => `"${column}" is not HEADER:PATH`,
  ],
  [/unexpected path string, expected a 'name1\.name2'/, () => 'is not a path such as .name1.name2'],
  [
    /open (\S+): no such file or directory$/,
    ([, file]) => `/${file}: no such file or directory; check the path`,
  ],
  [/&errors\.errorString\{s:"(.*)"\}/, ([, reason]) => reason!],
  [/couldn't find any field with path "\{(.*)\}"/, ([, path]) => `"${path}": no item has this field`],
  [
    /Field \{(.*)\} in .* unsortable type: bool$/,
    ([, path]) => `"${path}" cannot be sorted by: it is true or false`,
  ],
  [/Field \{(.*)\} in .* unsortable type: \[\]/, ([, path]) => `"${path}" cannot be sorted by: it is a list`],
  [
    /Field \{(.*)\} in .* unsortable type: map/,
    ([, path]) => `"${path}" cannot be sorted by: it is an object`,
  ],
];

/** Our words for a refusal. Throws if kubectl's message is not known here. */
function reason(message: string): string {
  for (const [kubectl, here] of REASONS) {
    const match = kubectl.exec(message);
    if (match) return here(match);
  }
  throw new Error(`kubectl says "${message}", and what is said of that here is unknown`);
}

// recorded.json contains kubectl v1.35's output for the objects and flags of asked.json
describe('output is the same as that of kubectl, given', () => {
  test.each(recorded.filter(({ stdout }) => stdout !== undefined))('$flags', async ({ flags, stdout }) => {
    expect(await print(flags)).toBe(stdout);
  });
});

describe('errors are the same as those of kubectl, given', () => {
  test.each(recorded.filter(({ stdout }) => stdout === undefined))('$flags', async ({ flags, message }) => {
    const printing = print(flags);
    await expect(printing).rejects.toMatchObject({ exitCode: 2 });
    await expect(printing).rejects.toThrow(reason(message!));
  });
});
