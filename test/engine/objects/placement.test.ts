import { expect, test } from '@jest/globals';
import { wantedReplicas } from '../../../src/engine/objects/placement.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

const bindingOn = (
  clusters: string[],
  leaving: string[] = [],
  { divided = false, observed = 3 } = {},
): ResourceBinding =>
  ({
    metadata: { name: 'web-deployment', namespace: 'shop', generation: 3 },
    spec: {
      replicas: 4,
      clusters: clusters.map((name) => ({ name, replicas: 4 })),
      gracefulEvictionTasks: leaving.map((fromCluster) => ({ fromCluster })),
      ...(divided ? { placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } } } : {}),
    },
    status: { schedulerObservedGeneration: observed },
  }) as unknown as ResourceBinding;

test('divided replicas are as many as the template asks for, wherever they are and whatever leaves', () => {
  expect(wantedReplicas(bindingOn(['member2', 'member3'], ['member1'], { divided: true }))).toBe(4);
  expect(wantedReplicas(bindingOn([], ['member1'], { divided: true }))).toBe(4);
});

test('duplicated ones are as many on each cluster', () => {
  expect(wantedReplicas(bindingOn(['member1', 'member2']))).toBe(8);
});

test('an old copy does not count once its replacement has been scheduled', () => {
  expect(wantedReplicas(bindingOn(['member2'], ['member1']))).toBe(4);
  expect(wantedReplicas(bindingOn(['member2'], ['member1'], { observed: 2 }))).toBe(8);
  expect(wantedReplicas(bindingOn([], ['member1']))).toBe(4);
});
