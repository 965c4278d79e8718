import { describe, expect, test } from '@jest/globals';
import { StateError } from '../../src/state/errors.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { readPositioned } from '../../src/state/yaml/positions.ts';
import { growingJson, growingYaml } from '../fuzz/growing.ts';
import { countOperations } from '../fuzz/operations.ts';

const HEAD = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n';
const SIZE = 100;
/**
 * Operations per character for an input of ten times the size, relative to the small one; quadratic growth would give
 * ten.
 */
const MAX_TIMES = 1.7;

/** Reads a state that arrives in small pieces; a refusal is fine. */
async function readState(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 500) }, (_, at) =>
    bytes.subarray(at * 500, at * 500 + 500),
  );
  await accepting(() => stateFromFiles(['-'], () => pieces).load());
}

async function accepting(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
  }
}

async function growthOf(read: (text: string) => unknown, text: (size: number) => string): Promise<number> {
  await read(text(2));
  const [few, many] = [text(SIZE), text(10 * SIZE)];
  const ofFew = await countOperations(() => read(few));
  const ofMany = await countOperations(() => read(many));
  const times = many.length / few.length;
  return Math.max(ofMany.blocks / ofFew.blocks, ofMany.builtIn / ofFew.builtIn) / times;
}

describe('the operations for YAML grow linearly with its size', () => {
  test.each(growingYaml)('given $name, in a state', async ({ text }) => {
    expect(await growthOf(readState, (size) => HEAD + text(size))).toBeLessThan(MAX_TIMES);
  });

  test.each(growingYaml)('given $name, in hand-written text', async ({ text }) => {
    const read = (whole: string) =>
      accepting(() => readPositioned(whole, 'file.yaml').documents[0]?.at('spec.k1'));
    expect(await growthOf(read, (size) => HEAD + text(size))).toBeLessThan(MAX_TIMES);
  });
});

describe('the operations to find a field in each object grow linearly with the number of objects', () => {
  const objects = (n: number) =>
    Array.from({ length: n }, (_, at) => ({ a: [{ b: at }], c: 'x'.repeat(50) }));
  const askingForEach = (whole: string) =>
    accepting(() => {
      const { documents } = readPositioned(whole, 'file');
      for (const [index, { value, at }] of documents.entries()) {
        const { items } = value as { items?: object[] };
        items?.forEach((_, item) => at(`items[${item}].a[0].b`));
        at(`items[${index}].none`);
      }
    });

  test.each<[string, (n: number) => string]>([
    ['in a JSON list on one line', (n) => JSON.stringify({ items: objects(n) })],
    ['in an indented JSON list', (n) => JSON.stringify({ items: objects(n) }, null, 2)],
    ['in a YAML list', (n) => `items:\n${'- a:\n  - b: 1\n  c: x\n'.repeat(n)}`],
    ['in YAML documents', (n) => '---\na:\n- b: 1\n'.repeat(n)],
  ])('%s', async (_, text) => {
    expect(await growthOf(askingForEach, text)).toBeLessThan(MAX_TIMES);
  });
});

describe('the operations for JSON grow linearly with its size', () => {
  const object = (inside: string) =>
    `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "spec": ${inside}}`;

  test.each(growingJson)('given $name, in a state', async ({ text }) => {
    expect(await growthOf(readState, (size) => object(text(size)))).toBeLessThan(MAX_TIMES);
  });

  test.each(growingJson)('given $name, during the search for a field', async ({ text }) => {
    const read = (whole: string) =>
      accepting(() => readPositioned(whole, 'file.json').documents[0]?.at('spec.k1'));
    expect(await growthOf(read, (size) => object(text(size)))).toBeLessThan(MAX_TIMES);
  });

  test.each([
    ['items without a kind', (n: number) => `{"items": [${'{"metadata": {"name": "x"}},'.repeat(n)}`],
    [
      'repeated objects',
      (n: number) => `{"kind": "List", "items": [${Array(n).fill(object('1')).join(',')}]}`,
    ],
    ['nested lists', (n: number) => `{"kind": "List", "apiVersion": "v1", "items": [`.repeat(n)],
    ['several documents', (n: number) => object('1').repeat(n)],
  ])('given %s, in a state', async (_, text) => {
    expect(await growthOf(readState, text)).toBeLessThan(MAX_TIMES);
  });
});
