import { describe, expect, test } from '@jest/globals';
import { nearMatches } from '../../src/kubernetes/spelling.ts';

describe('suggestions for a mistyped name', () => {
  const known = ['deployment/cart', 'deployment/checkout', 'statefulset/ledger', 'deployment/search'];

  test('correct a missing, doubled or swapped letter', () => {
    expect(nearMatches('deployment/crat', known)).toEqual(['deployment/cart']);
    expect(nearMatches('deployment/chekcout', known)[0]).toBe('deployment/checkout');
  });

  test('complete a prefix', () => {
    expect(nearMatches('state', ['--state', 'status', 'statefulset/ledger'])).toEqual([
      'statefulset/ledger',
      '--state',
      'status',
    ]);
  });

  test('are empty without a similar name', () => {
    expect(nearMatches('ingress/api', known)).toEqual([]);
    expect(nearMatches('rules', ['user'])).toEqual([]);
    expect(nearMatches('', ['a-long-name'])).toEqual([]);
  });
});
