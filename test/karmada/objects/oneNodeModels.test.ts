import { describe, expect, test } from '@jest/globals';
import { oneNodeModels } from '../../../src/karmada/objects/oneNodeModels.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';

const models = [
  [0, '0', '0'],
  [1, '1', '4Gi'],
  [2, '2', '16Gi'],
  [3, '4', '32Gi'],
].map(([grade, cpu, memory]) => ({
  grade: grade as number,
  ranges: [
    { name: 'cpu', min: cpu!, max: '99' },
    { name: 'memory', min: memory!, max: '999Gi' },
  ],
}));

function withNodes(totalNum: number): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1' },
    spec: { syncMode: 'Push', resourceModels: models },
    status: {
      nodeSummary: { totalNum, readyNum: totalNum },
      resourceSummary: {
        allocatable: { cpu: '16', memory: '64Gi', pods: '10' },
        allocatableModelings: models.map(({ grade }) => ({ grade, count: grade === 3 ? 1 : 0 })),
      },
    },
  };
}

const gradeLeft = (allocated: Record<string, string>) =>
  oneNodeModels(withNodes(1), allocated)?.find(({ count }) => count === 1)?.grade;

describe('the resource models of a cluster with one node', () => {
  test('put it into the grade of what is left of it, by the resource that is scarcest', () => {
    expect(gradeLeft({ cpu: '100m', memory: '1Gi', pods: '1' })).toBe(3);
    expect(gradeLeft({ cpu: '12500m', memory: '1Gi', pods: '1' })).toBe(2);
    expect(gradeLeft({ cpu: '100m', memory: '58Gi', pods: '1' })).toBe(1);
    expect(gradeLeft({ cpu: '12', memory: '32Gi', pods: '9' })).toBe(3);
  });

  test('leave it out once it takes no more pods, or has less than nothing', () => {
    expect(gradeLeft({ cpu: '1', pods: '10' })).toBeUndefined();
    expect(gradeLeft({ cpu: '17', pods: '1' })).toBeUndefined();
  });

  test('of more nodes does not show which one a pod is on', () => {
    expect(oneNodeModels(withNodes(2), { cpu: '1' })).toBeUndefined();
  });
});
