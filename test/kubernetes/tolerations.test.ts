import { describe, expect, test } from '@jest/globals';
import { formatTaint, toleratesTaint } from '../../src/kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../src/kubernetes/schema/core.ts';

const taint: Taint = { key: 'dedicated', value: 'db', effect: 'NoExecute' };

describe('the match of a toleration with a taint', () => {
  test.each<[string, Toleration, boolean]>([
    ['Exists without a key matches every taint', { operator: 'Exists' }, true],
    ['Exists with the key ignores the value', { key: 'dedicated', operator: 'Exists', value: 'x' }, true],
    ['Exists with another key does not match', { key: 'other', operator: 'Exists' }, false],
    ['Equal with the same value matches', { key: 'dedicated', operator: 'Equal', value: 'db' }, true],
    ['an absent operator means Equal', { key: 'dedicated', value: 'db' }, true],
    ['Equal with another value does not match', { key: 'dedicated', value: 'web' }, false],
    ['an absent toleration value equals the empty value', { key: 'dedicated' }, false],
    ['Equal without a key compares the value', { operator: 'Equal', value: 'db' }, true],
    ['an empty toleration compares the empty value', {}, false],
    ['Exists with the same effect matches', { operator: 'Exists', effect: 'NoExecute' }, true],
    ['Exists with another effect does not match', { operator: 'Exists', effect: 'NoSchedule' }, false],
    ['Gt does not match', { key: 'dedicated', operator: 'Gt', value: '1' }, false],
    ['an unknown operator does not match', { key: 'dedicated', operator: 'exists' }, false],
  ])('%s', (_name, toleration, covers) => {
    expect(toleratesTaint(toleration, taint)).toBe(covers);
  });

  test('an absent taint value equals the empty value', () => {
    expect(toleratesTaint({ key: 'a' }, { key: 'a', effect: 'NoSchedule' })).toBe(true);
  });
});

test('a taint prints as in kubectl', () => {
  expect(formatTaint(taint)).toBe('dedicated=db:NoExecute');
  expect(formatTaint({ key: 'a', effect: 'NoSchedule' })).toBe('a:NoSchedule');
  expect(formatTaint({ key: 'a', value: '', effect: 'NoSchedule' })).toBe('a:NoSchedule');
});
