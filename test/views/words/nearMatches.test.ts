import { describe, expect, test } from '@jest/globals';
import { nearMatches } from '../../../src/views/words/nearMatches.ts';

describe('what a user may have meant', () => {
  const known = ['deployment/cart', 'deployment/checkout', 'statefulset/ledger', 'deployment/search'];

  test('a letter left out, doubled or swapped', () => {
    expect(nearMatches('deployment/crat', known)).toEqual(['deployment/cart']);
    expect(nearMatches('deployment/chekcout', known)[0]).toBe('deployment/checkout');
  });

  test('a beginning', () => {
    expect(nearMatches('state', ['--state', 'status', 'statefulset/ledger'])).toEqual([
      'statefulset/ledger',
      '--state',
      'status',
    ]);
  });

  test('nothing, where nothing is near', () => {
    expect(nearMatches('ingress/api', known)).toEqual([]);
    expect(nearMatches('', ['a-long-name'])).toEqual([]);
  });
});
