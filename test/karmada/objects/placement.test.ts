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

test('a divided workload needs the replicas of its template, whatever its clusters', () => {
  expect(wantedReplicas(bindingOn(['member2', 'member3'], ['member1'], { divided: true }))).toBe(4);
  expect(wantedReplicas(bindingOn([], ['member1'], { divided: true }))).toBe(4);
});

test('a duplicated workload needs all its replicas on each cluster', () => {
  expect(wantedReplicas(bindingOn(['member1', 'member2']))).toBe(8);
});

test('a copy replaces an old copy if a spread constraint does not allow both', () => {
  expect(wantedReplicas(bindingOn(['member2'], ['member1'], { most: 1 }))).toBe(4);
  expect(wantedReplicas(bindingOn(['member2'], ['member1'], { most: 2 }))).toBe(8);
  expect(wantedReplicas(bindingOn(['member2'], ['member1']))).toBe(8);
});

test('a copy replaces an old copy in another region if regions are limited', () => {
  const limits = { most: 2, regions: 1 };
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1'], limits))).toBe(4);
  expect(wantedReplicas(bindingOn(['us-1'], ['us-2'], limits))).toBe(8);
  // the region that it left had two
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1', 'ap-2'], limits))).toBe(8);
  expect(wantedReplicas(bindingOn(['us-1'], ['ap-1'], { most: 2, regions: 2 }))).toBe(8);
});

test('a limit of regions without a limit of clusters allows one cluster per region', () => {
  expect(wantedReplicas(bindingOn(['us-1'], ['us-2'], { regions: 1 }))).toBe(4);
});

test('a workload without a cluster needs one copy', () => {
  expect(wantedReplicas(bindingOn([], ['member1']))).toBe(4);
  expect(wantedReplicas(bindingOn([]))).toBe(4);
});

test('copies that spread constraints demand are missing even if they forbid a placement', () => {
  const demanding = bindingOn(['member1']);
  demanding.spec.placement!.spreadConstraints = [{ spreadByField: 'cluster', minGroups: 2 }];
  expect(wantedReplicas(demanding)).toBe(8);
});

test('a duplicated workload also needs a copy on each failed cluster of its placement', () => {
  const notReady = () => ['member2', 'member3'];
  const onAll = bindingOn(['member1'], ['member3']);
  expect(wanted(onAll, { ...byName, notReady })).toBe(12);
  onAll.spec.placement!.clusterAffinity = { clusterNames: ['member1', 'member3'] };
  expect(wanted(onAll, { ...byName, notReady })).toBe(8);
  // spread constraints may forbid it
  expect(wanted(bindingOn(['member1'], [], { most: 1 }), { ...byName, notReady })).toBe(4);
});

describe('old copies in another affinity group', () => {
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

  test('are replaced by the copies in the current group', () => {
    expect(wantedReplicas(inGroups([['member1'], ['member3']], 1, ['member3'], ['member1']))).toBe(4);
    expect(wantedReplicas(inGroups(groups, 2, ['member4', 'member5', 'member6'], ['member3']))).toBe(12);
  });

  test('are only partly replaced if the current group has fewer clusters', () => {
    expect(wantedReplicas(inGroups(groups, 1, ['member3'], ['member1', 'member2']))).toBe(8);
  });

  test('count in addition to the old copies in the current group', () => {
    expect(wantedReplicas(inGroups(groups, 2, ['member4', 'member6'], ['member3', 'member5']))).toBe(12);
    expect(wantedReplicas(inGroups(groups, 0, ['member2'], ['member1']))).toBe(8);
  });

  test('are replaced by copies in a group whose name the scheduler has not written yet', () => {
    expect(wantedReplicas(inGroups([['member1'], ['member3']], 0, ['member3'], ['member1']))).toBe(4);
    expect(wantedReplicas(inGroups(groups, 0, ['member3'], ['member1', 'member2']))).toBe(8);
  });

  test('are replaced by copies on overflow clusters of the current group', () => {
    const binding = inGroups([['member1'], ['member3']], 1, ['member3'], ['member1', 'member4']);
    const [first, second] = binding.spec.placement.clusterAffinities;
    const overflowAffinities = [{ affinityName: 'more', clusterNames: ['member4'] }];
    const clusterAffinities = [first!, { ...second!, overflowAffinities }];
    expect(wantedReplicas({ ...binding, spec: { ...binding.spec, placement: { clusterAffinities } } })).toBe(
      8,
    );
  });
});
