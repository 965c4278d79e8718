import { describe, expect, test } from '@jest/globals';
import { wantedReplicas as wanted, type ClusterFacts } from '../../../src/karmada/objects/placement.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

const byName: ClusterFacts = {
  isSelected: ({ clusterNames }, cluster) => clusterNames?.includes(cluster) ?? true,
  // "eu-1" is in eu
  regionOf: (cluster) => /^(.*)-\d+$/.exec(cluster)?.[1],
};
const wantedReplicas = (binding: ResourceBinding) => wanted(binding, byName);

const bindingOn = (
  clusters: string[],
  leaving: string[] = [],
  { divided = false, most = 0, regions = 0 } = {},
): ResourceBinding =>
  ({
    metadata: { name: 'web-deployment', namespace: 'shop', generation: 3 },
    spec: {
      replicas: 4,
      clusters: clusters.map((name) => ({ name, replicas: 4 })),
      gracefulEvictionTasks: leaving.map((fromCluster) => ({ fromCluster })),
      placement: {
        ...(divided ? { replicaScheduling: { replicaSchedulingType: 'Divided' } } : {}),
        spreadConstraints: [
          ...(most > 0 ? [{ spreadByField: 'cluster', maxGroups: most }] : []),
          ...(regions > 0 ? [{ spreadByField: 'region', maxGroups: regions }] : []),
        ],
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

test('a copy that leaves for another region is replaced by what is there if regions are limited', () => {
  const limits = { most: 2, regions: 1 };
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1'], limits))).toBe(4);
  expect(wantedReplicas(bindingOn(['us-1'], ['us-2'], limits))).toBe(8);
  // the region that it left had two
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1', 'ap-2'], limits))).toBe(8);
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1'], { most: 2, regions: 2 }))).toBe(8);
});

test('only a limit of regions gives each of them one cluster', () => {
  expect(wantedReplicas(bindingOn(['us-1'], ['us-2'], { regions: 1 }))).toBe(4);
});

test('what is nowhere is to have one copy', () => {
  expect(wantedReplicas(bindingOn([], ['member1']))).toBe(4);
  expect(wantedReplicas(bindingOn([]))).toBe(4);
});

describe('copies that it left in another affinity group', () => {
  const inGroups = (groups: string[][], present: number, clusters: string[], leaving: string[]) => {
    const { spec, ...binding } = bindingOn(clusters, leaving);
    const clusterAffinities = groups.map((clusterNames, at) => ({
      affinityName: `group${at}`,
      clusterNames,
    }));
    return {
      ...binding,
      spec: { ...spec, placement: { clusterAffinities } },
      status: { schedulerObservingAffinityName: `group${present}` },
    };
  };
  const groups = [['member1', 'member2'], ['member3'], ['member4', 'member5', 'member6']];

  test('are replaced by those in the present one', () => {
    expect(wantedReplicas(inGroups([['member1'], ['member3']], 1, ['member3'], ['member1']))).toBe(4);
    expect(wantedReplicas(inGroups(groups, 2, ['member4', 'member5', 'member6'], ['member3']))).toBe(12);
  });

  test('are not all replaced if the present one has fewer clusters', () => {
    expect(wantedReplicas(inGroups(groups, 1, ['member3'], ['member1', 'member2']))).toBe(8);
  });

  test('count in addition to those of the present cluster', () => {
    expect(wantedReplicas(inGroups(groups, 2, ['member4', 'member6'], ['member3', 'member5']))).toBe(12);
    expect(wantedReplicas(inGroups(groups, 0, ['member2'], ['member1']))).toBe(8);
  });

  test('are replaced by those in the one whose clusters it was given, before the scheduler has written its name', () => {
    expect(wantedReplicas(inGroups([['member1'], ['member3']], 0, ['member3'], ['member1']))).toBe(4);
    expect(wantedReplicas(inGroups(groups, 0, ['member3'], ['member1', 'member2']))).toBe(8);
  });

  test('are replaced by what overflow clusters of the present one take', () => {
    const binding = inGroups([['member1'], ['member3']], 1, ['member3'], ['member1', 'member4']);
    const [first, second] = binding.spec.placement.clusterAffinities;
    const overflowAffinities = [{ affinityName: 'more', clusterNames: ['member4'] }];
    const clusterAffinities = [first!, { ...second!, overflowAffinities }];
    expect(wantedReplicas({ ...binding, spec: { ...binding.spec, placement: { clusterAffinities } } })).toBe(
      8,
    );
  });
});
