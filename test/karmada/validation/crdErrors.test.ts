import { describe, expect, test } from '@jest/globals';
import { apiTypes } from '../../../src/karmada/api/kinds.ts';
import { crdErrors } from '../../../src/karmada/validation/crdErrors.ts';
import { v1_18 } from '../../dialects.ts';

const types = apiTypes(v1_18.rules);
const messages = (object: Record<string, unknown>, stored?: Record<string, unknown>) =>
  crdErrors('ClusterTaintPolicy', object, types, stored).map(({ message }) => message);

describe('given a ClusterTaintPolicy that was stored without an effect of its taint', () => {
  const taints = [{ key: 'k' }];
  const stored = { metadata: { name: 'p' }, spec: { taints } };
  const missing = ['spec.taints[0].effect: Required value'];

  test('a new one like it is refused', () => {
    expect(messages(stored)).toEqual(missing);
  });

  test('it may be changed elsewhere', () => {
    expect(
      messages({ ...stored, spec: { taints, targetClusters: { clusterNames: ['a'] } } }, stored),
    ).toEqual([]);
  });

  test('a change of that taint is refused, although the effect was missing before', () => {
    expect(messages({ ...stored, spec: { taints: [{ key: 'other' }] } }, stored)).toEqual(missing);
  });
});
