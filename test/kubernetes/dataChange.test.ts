import { expect, test } from '@jest/globals';
import { applyDataChange, changeTree, type DataChange } from '../../src/kubernetes/dataChange.ts';

const after = (value: unknown, ...changes: DataChange[]) => applyDataChange(value, changeTree(changes));

test('changes rename, remove, replace and add members in order', () => {
  const value = { a: 1, b: { c: 2, d: 3 }, e: 4 };
  const result = after(
    value,
    { change: 'rename', path: ['b'], to: 'z' },
    { change: 'remove', path: ['b', 'c'] },
    { change: 'replace', path: ['e'], value: [5] },
    { change: 'addMember', path: [], name: 'f', value: 6, after: 'a' },
    { change: 'addMember', path: [], name: 'g', value: 7 },
    { change: 'addMember', path: [], name: 'h', value: 8, after: 'missing' },
  );
  expect(JSON.stringify(result)).toBe('{"a":1,"f":6,"z":{"d":3},"e":[5],"g":7,"h":8}');
  expect(value).toEqual({ a: 1, b: { c: 2, d: 3 }, e: 4 });
});

test('list indices refer to the list before all changes', () => {
  expect(
    after(
      ['a', { b: 1 }, 'c'],
      { change: 'remove', path: [0] },
      { change: 'addEntry', path: [], before: 1, value: 'x' },
      { change: 'replace', path: [1, 'b'], value: 2 },
      { change: 'addEntry', path: [], before: 3, value: 'y' },
    ),
  ).toEqual(['x', { b: 2 }, 'c', 'y']);
});

test('a change applies to a member named __proto__', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}}') as object;
  const result = after(value, { change: 'replace', path: ['__proto__', 'a'], value: 2 });
  expect(JSON.stringify(result)).toBe('{"__proto__":{"a":2}}');
});
