import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyJsonPatch, createJsonPatch, PatchError } from '../../src/kubernetes/jsonPatch.ts';

const json = fc.jsonValue({ maxDepth: 4 });
/** A value and a partly equal one. */
const pairs = fc.tuple(json, json, json).map(([a, b, c]) => [
  [a, { a, b, '/~': c }],
  [{ a, b: c, '/~': c }, b, a],
]);

describe('a JSON Patch', () => {
  test('turns any value into any other value', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(applyJsonPatch(before, createJsonPatch(before, after))).toEqual(after);
      }),
    );
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        expect(applyJsonPatch(before, createJsonPatch(before, after))).toEqual(after);
        expect(applyJsonPatch(after, createJsonPatch(after, before))).toEqual(before);
      }),
    );
  });

  test('is empty for equal values, and leaves its input unchanged', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const copy = structuredClone(before);
        expect(createJsonPatch(before, copy)).toEqual([]);
        applyJsonPatch(before, createJsonPatch(before, after));
        expect(before).toEqual(copy);
      }),
    );
  });

  test('contains only the differences', () => {
    const before = { spec: { clusters: [{ name: 'a', replicas: 1 }, { name: 'b' }], other: [1, 2, 3] } };
    const after = { spec: { clusters: [{ name: 'a', replicas: 2 }, { name: 'b' }], other: [1, 3] } };
    expect(createJsonPatch(before, after)).toEqual([
      { op: 'replace', path: '/spec/clusters/0/replicas', value: 2 },
      { op: 'remove', path: '/spec/other/1' },
    ]);
  });

  test.each([
    ['a missing field', [{ op: 'replace', path: '/b', value: 1 }]],
    ['a missing list item', [{ op: 'remove', path: '/list/2' }]],
    ['an inherited member', [{ op: 'replace', path: '/constructor/name', value: 'x' }]],
    ['a negative list index', [{ op: 'add', path: '/list/-1', value: 1 }]],
    ['a path into a string', [{ op: 'add', path: '/text/x', value: 1 }]],
    ['a path without a leading slash', [{ op: 'add', path: 'a', value: 1 }]],
  ] as const)('is refused with %s', (_, patch) => {
    expect(() => applyJsonPatch({ list: [1, 2], text: 'x' }, patch)).toThrow(PatchError);
  });

  test('adds a member named __proto__', () => {
    const made = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
