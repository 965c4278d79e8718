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
  test('turns any value into any other', () => {
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

  test('is empty if nothing differs, and does not change what it is applied to', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const copy = structuredClone(before);
        expect(createJsonPatch(before, copy)).toEqual([]);
        applyJsonPatch(before, createJsonPatch(before, after));
        expect(before).toEqual(copy);
      }),
    );
  });

  test('names only the differences', () => {
    const before = { spec: { clusters: [{ name: 'a', replicas: 1 }, { name: 'b' }], other: [1, 2, 3] } };
    const after = { spec: { clusters: [{ name: 'a', replicas: 2 }, { name: 'b' }], other: [1, 3] } };
    expect(createJsonPatch(before, after)).toEqual([
      { op: 'replace', path: '/spec/clusters/0/replicas', value: 2 },
      { op: 'remove', path: '/spec/other/1' },
    ]);
  });

  test.each([
    ['a field that is not there', [{ op: 'replace', path: '/b', value: 1 }]],
    ['an item that is not there', [{ op: 'remove', path: '/list/2' }]],
    ['an inherited member', [{ op: 'replace', path: '/constructor/name', value: 'x' }]],
    ['a number with a sign', [{ op: 'add', path: '/list/-1', value: 1 }]],
    ['a step into a text', [{ op: 'add', path: '/text/x', value: 1 }]],
    ['a path without a slash', [{ op: 'add', path: 'a', value: 1 }]],
  ] as const)('refuses %s', (_, patch) => {
    expect(() => applyJsonPatch({ list: [1, 2], text: 'x' }, patch)).toThrow(PatchError);
  });

  test('takes a member named __proto__ for a member', () => {
    const made = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
