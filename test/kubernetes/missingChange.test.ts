import { expect, test } from '@jest/globals';
import { missingChange } from '../../src/kubernetes/missingChange.ts';

const taint = { key: 'a', effect: 'NoSchedule' };

test.each([
  ['nothing changed, whatever is there', { a: 1 }, { a: 1 }, { a: 2 }, undefined],
  ['a value is there', { a: 1 }, { a: 2 }, { a: 2 }, undefined],
  ['a value is as before', { a: { b: 1 } }, { a: { b: 2 } }, { a: { b: 1 } }, 'a.b'],
  ['a removed member is gone', { a: { b: 1, c: 1 } }, { a: { c: 1 } }, { a: { c: 1 } }, undefined],
  ['a removed member is still there', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }, 'a.b'],
  ['what is empty is left out', { a: { b: 1 } }, { a: {} }, {}, undefined],
  ['an empty list is left out', { a: [1] }, { a: [] }, {}, undefined],
  ['a taint was added', {}, { taints: [taint] }, { taints: [taint] }, undefined],
  ['a taint was taken back', {}, { taints: [taint] }, {}, 'taints'],
  [
    'a list has defaults, too',
    {},
    { taints: [taint] },
    { taints: [{ ...taint, timeAdded: 't' }] },
    undefined,
  ],
  ['others have added to a list', {}, { taints: [taint] }, { taints: [{ key: 'b' }, taint] }, undefined],
  ['an element is still there', { l: [1, 2] }, { l: [2] }, { l: [1, 2] }, 'l'],
  ['an element got a member', { l: [{ a: 1 }] }, { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1, b: 2 }] }, undefined],
  ['an element got no member', { l: [{ a: 1 }] }, { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1 }] }, 'l'],
  ['an element lost a member', { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1 }] }, { l: [{ a: 1 }] }, undefined],
  ['an element kept its member', { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1 }] }, { l: [{ a: 1, b: 2 }] }, 'l'],
  ['Go leaves out what is false, 0 or ""', {}, { a: { b: false, c: 0, d: '' } }, { a: {} }, undefined],
  ['an object is of another type', {}, { a: { b: 1 } }, { a: 'x' }, 'a.b'],
])('%s', (_, before, after, found, missing) => {
  expect(missingChange(before, after, found)).toBe(missing);
});
