import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonProblem } from '../../../src/state/json/jsonProblem.ts';
import { JsonStream } from '../../../src/state/json/jsonStream.ts';

/** The output of a stream for chunks of these sizes, joined. */
function read(text: string, sizes: number[]): unknown[] {
  const documents: unknown[] = [];
  let items: unknown[] | undefined;
  const stream = new JsonStream('s', 1, {
    beginItems: () => (items = []),
    item: (value) => items!.push(value),
    document(value) {
      documents.push(Array.isArray(value) ? items : items ? { ...(value as object), items } : value);
      items = undefined;
    },
    warn: () => undefined,
  });
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    stream.write(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  stream.end();
  return documents;
}

const member = fc.constantFrom('items', 'kind', 'a', 'i"t', '\\', 'é', '{', ']');
const object = fc.dictionary(member, fc.jsonValue(), { maxKeys: 4 });
const list = fc
  .tuple(object, fc.array(object, { maxLength: 4 }))
  .map(([head, items]) => ({ ...head, items }));
const document = fc.oneof(object, list, fc.array(object, { maxLength: 3 }));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('a JSON stream', () => {
  test('returns the same documents as JSON.parse for any chunks and indentation', () => {
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 3 }),
        sizes,
        fc.constantFrom(0, 1, 4),
        (given, cuts, indent) => {
          const text = given.map((each) => JSON.stringify(each, null, indent)).join('\n');
          expect(plain(read(text, cuts))).toEqual(plain(given));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('reports the first line of each object', () => {
    const lines: number[] = [];
    const stream = new JsonStream('s', 1, {
      beginItems: () => undefined,
      item: (_, line) => lines.push(line),
      document: (_, line) => lines.push(line),
      warn: () => undefined,
    });
    stream.write(Buffer.from('{"items": [\n  {"a": "x"},\n  {\n    "b": 1\n  }\n]}\n{}\n'));
    stream.end();
    expect(lines).toEqual([2, 3, 1, 7]);
  });
});

describe('the place of a JSON syntax error', () => {
  test('is found in each text that JSON.parse refuses, and in no other text', () => {
    const mutated = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom(...Array.from('{}[]",:0-.eatn \\\n\u0000')),
        fc.boolean(),
      )
      .map(([value, at, char, insert]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + char + text.slice(insert ? place : place + 1);
      });
    fc.assert(
      fc.property(mutated, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const problem = jsonProblem(text);
        expect(problem === undefined).toBe(valid);
        if (problem) expect(problem.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['{"a": 1 "b": 2}', 8, '"," or "}" is expected'],
    ['[1 2]', 3, '"," or "]" is expected'],
    ['{a: 1}', 1, 'a name in double quotes is expected'],
    ['{"a": }', 6, 'a value is expected'],
    ['{"a": undefined}', 6, 'undefined is not a JSON value'],
    ['["\\x41"]', 2, 'an unknown escape inside a string'],
    ['{"a": "b', 8, 'the text is truncated'],
    ['[tru', 4, 'the text is truncated'],
  ])('is found in %s', (text, offset, problem) => {
    expect(jsonProblem(text)).toEqual({ offset, problem });
  });
});
