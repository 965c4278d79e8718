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

describe('the estimated resource models of a cluster', () => {
  test('grade its only node by the scarcest remaining resource', () => {
    expect(gradeLeft({ cpu: '100m', memory: '1Gi', pods: '1' })).toBe(3);
    expect(gradeLeft({ cpu: '12500m', memory: '1Gi', pods: '1' })).toBe(2);
    expect(gradeLeft({ cpu: '100m', memory: '58Gi', pods: '1' })).toBe(1);
    expect(gradeLeft({ cpu: '12', memory: '32Gi', pods: '9' })).toBe(3);
  });

  test('exclude its only node without free pods or with negative capacity', () => {
    expect(gradeLeft({ cpu: '1', pods: '10' })).toBeUndefined();
    expect(gradeLeft({ cpu: '17', pods: '1' })).toBeUndefined();
  });

  test('are unknown for several nodes, as pod-to-node placement is unknown', () => {
    expect(oneNodeModels(withNodes(2), { cpu: '1' })).toBeUndefined();
  });
});
