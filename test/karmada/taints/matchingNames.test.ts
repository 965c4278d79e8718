import { expect, test } from '@jest/globals';
import { matchingNames } from '../../../src/karmada/taints/preScheduling.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';

const clusters = ['m1', 'm2', 'm3'].map((name) => ({ metadata: { name } }));
const binding = (placement?: Placement): ResourceBinding => ({
  metadata: { name: 'web-deployment', namespace: 'shop' },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    ...(placement && { placement }),
  },
});

test('each binding matches the clusters of its own affinity', () => {
  const matching = matchingNames(clusters, v1_18.rules);
  const only = (...clusterNames: string[]) => matching(binding({ clusterAffinity: { clusterNames } }));
  expect(only('m1')).toEqual(['m1']);
  expect(only('m2', 'm3')).toEqual(['m2', 'm3']);
  expect(matching(binding())).toEqual(['m1', 'm2', 'm3']);
  expect(only('m1')).toEqual(['m1']);
});

test('each binding matches its clusters even if the cache is full', () => {
  const matching = matchingNames(clusters, v1_18.rules);
  for (let n = 0; n < 2500; n++)
    expect(matching(binding({ clusterAffinity: { clusterNames: [`x${n}`, 'm2'] } }))).toEqual(['m2']);
  expect(matching(binding({ clusterAffinity: { clusterNames: ['m1'] } }))).toEqual(['m1']);
});
