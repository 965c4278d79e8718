import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyMergePatch, createMergePatch } from '../../src/kubernetes/mergePatch.ts';

describe('a merge patch between two objects', () => {
  test('has only what differs, null for what is gone, and lists whole', () => {
    expect(
      createMergePatch({ a: 1, b: { c: 1, d: 2 }, e: [1], f: 1 }, { a: 1, b: { c: 2, d: 2 }, e: [1, 2] }),
    ).toEqual({ b: { c: 2 }, e: [1, 2], f: null });
  });

  test('is undefined where nothing differs', () => {
    expect(createMergePatch({ a: [1], b: undefined }, { a: [1] })).toBeUndefined();
  });

  test('turns the one into the other', () => {
    const value = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.string(),
        fc.array(tie('json'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('json'), { maxKeys: 3 }),
    })).object;
    fc.assert(
      fc.property(value, value, (before, after) => {
        const patch = createMergePatch(before, after);
        expect(patch === undefined ? before : applyMergePatch(before, patch)).toEqual(after);
      }),
    );
  });
});
