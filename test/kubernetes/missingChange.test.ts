import { expect, test } from '@jest/globals';
import { missingChange } from '../../src/kubernetes/missingChange.ts';

const taint = { key: 'a', effect: 'NoSchedule' };

test.each([
  ['an empty change is never missing', { a: 1 }, { a: 1 }, { a: 2 }, undefined],
  ['a stored value is not missing', { a: 1 }, { a: 2 }, { a: 2 }, undefined],
  ['an unchanged value is missing', { a: { b: 1 } }, { a: { b: 2 } }, { a: { b: 1 } }, 'a.b'],
  [
    'the removal of an absent member is not missing',
    { a: { b: 1, c: 1 } },
    { a: { c: 1 } },
    { a: { c: 1 } },
    undefined,
  ],
  ['the removal of a stored member is missing', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }, 'a.b'],
  ['an absent empty object is not missing', { a: { b: 1 } }, { a: {} }, {}, undefined],
  ['an absent empty list is not missing', { a: [1] }, { a: [] }, {}, undefined],
  ['a stored taint is not missing', {}, { taints: [taint] }, { taints: [taint] }, undefined],
  ['a removed taint is missing', {}, { taints: [taint] }, {}, 'taints'],
  [
    'a stored taint with a defaulted field is not missing',
    {},
    { taints: [taint] },
    { taints: [{ ...taint, timeAdded: 't' }] },
    undefined,
  ],
  [
    'a stored taint beside the taint of another client is not missing',
    {},
    { taints: [taint] },
    { taints: [{ key: 'b' }, taint] },
    undefined,
  ],
  ['the removal of a stored list item is missing', { l: [1, 2] }, { l: [2] }, { l: [1, 2] }, 'l'],
  [
    'a stored member of a list item is not missing',
    { l: [{ a: 1 }] },
    { l: [{ a: 1, b: 2 }] },
    { l: [{ a: 1, b: 2 }] },
    undefined,
  ],
  [
    'an absent member of a list item is missing',
    { l: [{ a: 1 }] },
    { l: [{ a: 1, b: 2 }] },
    { l: [{ a: 1 }] },
    'l',
  ],
  [
    'the removal of an absent member of a list item is not missing',
    { l: [{ a: 1, b: 2 }] },
    { l: [{ a: 1 }] },
    { l: [{ a: 1 }] },
    undefined,
  ],
  [
    'the removal of a stored member of a list item is missing',
    { l: [{ a: 1, b: 2 }] },
    { l: [{ a: 1 }] },
    { l: [{ a: 1, b: 2 }] },
    'l',
  ],
  [
    'values that Go omits, such as false, 0 and "", are not missing',
    {},
    { a: { b: false, c: 0, d: '' } },
    { a: {} },
    undefined,
  ],
  ['a value of another type is missing', {}, { a: { b: 1 } }, { a: 'x' }, 'a.b'],
])('%s', (_, before, after, found, missing) => {
  expect(missingChange(before, after, found)).toBe(missing);
});
