import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyManifest, applyMergePatch, createMergePatch } from '../../src/kubernetes/mergePatch.ts';

describe('a merge patch between two objects', () => {
  test('contains changed fields, null for removed fields, and whole lists', () => {
    expect(
      createMergePatch({ a: 1, b: { c: 1, d: 2 }, e: [1], f: 1 }, { a: 1, b: { c: 2, d: 2 }, e: [1, 2] }),
    ).toEqual({ b: { c: 2 }, e: [1, 2], f: null });
  });

  test('is undefined for equal objects', () => {
    expect(createMergePatch({ a: [1], b: undefined }, { a: [1] })).toBeUndefined();
  });

  test('turns one object into the other', () => {
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

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

describe('an applied manifest', () => {
  test('changes the fields that it sets and removes the fields that it no longer sets', () => {
    const last = {
      metadata: { name: 'p', labels: { old: '1' } },
      spec: { a: 1, b: { c: 1, d: 1 }, list: [1, 2] },
    };
    const existing = {
      metadata: {
        name: 'p',
        uid: 'u',
        labels: { old: '1', id: 'x' },
        annotations: { [LAST_APPLIED]: JSON.stringify(last) },
      },
      spec: { a: 1, b: { c: 1, d: 1, defaulted: 9 }, list: [1, 2], byOthers: true },
      status: { ok: true },
    };
    const manifest = { metadata: { name: 'p', labels: { new: '2' } }, spec: { b: { c: 2 }, list: [3] } };
    expect(applyManifest(existing, manifest)).toEqual({
      metadata: {
        name: 'p',
        uid: 'u',
        labels: { id: 'x', new: '2' },
        annotations: existing.metadata.annotations,
      },
      spec: { b: { c: 2, defaulted: 9 }, list: [3], byOthers: true },
      status: { ok: true },
    });
  });

  test('replaces the whole spec if no last-applied configuration is recorded', () => {
    const existing = {
      metadata: { name: 'p', uid: 'u', labels: { id: 'x' } },
      spec: { a: 1 },
      status: { ok: true },
    };
    expect(applyManifest(existing, { metadata: { name: 'p' }, spec: { b: 2 } })).toEqual({
      metadata: { name: 'p', uid: 'u', labels: { id: 'x' } },
      spec: { b: 2 },
      status: { ok: true },
    });
  });

  test('removes a field that it sets to null', () => {
    const existing = { metadata: { name: 'p', labels: { a: '1', b: '2' } } };
    expect(applyManifest(existing, { metadata: { labels: { a: null } } })).toEqual({
      metadata: { name: 'p', labels: { b: '2' } },
    });
  });
});
