import { describe, expect, test } from '@jest/globals';
import { formatTaint, toleratesTaint } from '../../src/kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../src/kubernetes/schema/core.ts';

const taint: Taint = { key: 'dedicated', value: 'db', effect: 'NoExecute' };

describe('a toleration covers a taint', () => {
  test.each<[string, Toleration, boolean]>([
    ['Exists without a key: every taint', { operator: 'Exists' }, true],
    ['Exists of the key, whatever the value', { key: 'dedicated', operator: 'Exists', value: 'x' }, true],
    ['Exists of another key', { key: 'other', operator: 'Exists' }, false],
    ['Equal with the value', { key: 'dedicated', operator: 'Equal', value: 'db' }, true],
    ['no operator means Equal', { key: 'dedicated', value: 'db' }, true],
    ['Equal with another value', { key: 'dedicated', value: 'web' }, false],
    ['no value is the empty value', { key: 'dedicated' }, false],
    ['Equal without a key compares the value still', { operator: 'Equal', value: 'db' }, true],
    ['nothing at all compares with the empty value', {}, false],
    ['of the effect', { operator: 'Exists', effect: 'NoExecute' }, true],
    ['of another effect', { operator: 'Exists', effect: 'NoSchedule' }, false],
    ['Gt and Lt never', { key: 'dedicated', operator: 'Gt', value: '1' }, false],
    ['nor an unknown operator', { key: 'dedicated', operator: 'exists' }, false],
  ])('%s', (_name, toleration, covers) => {
    expect(toleratesTaint(toleration, taint)).toBe(covers);
  });

  test('a taint without a value has the empty one', () => {
    expect(toleratesTaint({ key: 'a' }, { key: 'a', effect: 'NoSchedule' })).toBe(true);
  });
});

test('taints print as kubectl writes them', () => {
  expect(formatTaint(taint)).toBe('dedicated=db:NoExecute');
  expect(formatTaint({ key: 'a', effect: 'NoSchedule' })).toBe('a:NoSchedule');
  expect(formatTaint({ key: 'a', value: '', effect: 'NoSchedule' })).toBe('a:NoSchedule');
});
