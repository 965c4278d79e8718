import { expect, test } from '@jest/globals';
import { wantedReplicas } from '../../../src/engine/objects/placement.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

const bindingOn = (
  clusters: string[],
  leaving: string[] = [],
  { divided = false, most = 0 } = {},
): ResourceBinding =>
  ({
    metadata: { name: 'web-deployment', namespace: 'shop', generation: 3 },
    spec: {
      replicas: 4,
      clusters: clusters.map((name) => ({ name, replicas: 4 })),
      gracefulEvictionTasks: leaving.map((fromCluster) => ({ fromCluster })),
      placement: {
        ...(divided ? { replicaScheduling: { replicaSchedulingType: 'Divided' } } : {}),
        ...(most > 0 ? { spreadConstraints: [{ spreadByField: 'cluster', maxGroups: most }] } : {}),
      },
    },
  }) as unknown as ResourceBinding;

test('divided replicas are as many as the template asks for, wherever they are and whatever leaves', () => {
  expect(wantedReplicas(bindingOn(['member2', 'member3'], ['member1'], { divided: true }))).toBe(4);
  expect(wantedReplicas(bindingOn([], ['member1'], { divided: true }))).toBe(4);
});

test('duplicated ones are as many on each cluster', () => {
  expect(wantedReplicas(bindingOn(['member1', 'member2']))).toBe(8);
});

test('a copy that leaves is to be replaced if spread constraints had kept it from other clusters', () => {
  expect(wantedReplicas(bindingOn(['member2'], ['member1'], { most: 1 }))).toBe(4);
  expect(wantedReplicas(bindingOn(['member2'], ['member1'], { most: 2 }))).toBe(8);
  expect(wantedReplicas(bindingOn(['member2'], ['member1']))).toBe(8);
});

test('what is nowhere is to have one copy', () => {
  expect(wantedReplicas(bindingOn([], ['member1']))).toBe(4);
  expect(wantedReplicas(bindingOn([]))).toBe(4);
});
