import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { heldAgainstBruteForce } from './bruteForce.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const scenario = { start: START, members, events: [] };

/** A cluster with capacity for this many replicas of one CPU. */
function withRoom(name: string, cpus: number): Cluster {
  const one = cluster(name);
  const resourceSummary = {
    allocatable: { cpu: String(cpus + 1), pods: '1000' },
    allocated: { cpu: '1', pods: '1' },
  };
  return { ...one, status: { ...one.status, resourceSummary } };
}

const among = (...clusterNames: string[]): Placement => ({
  clusterAffinity: { clusterNames },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
});
const onTwo = [{ spreadByField: 'cluster' as const, minGroups: 2, maxGroups: 2 }];
const after = (tolerationSeconds: number): Placement => ({
  clusterTolerations: [
    { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
  ],
});

function placed(name: string, placement: Placement, on: Record<string, number>) {
  const clusters = Object.entries(on).map(([at, replicas]) => ({ name: at, replicas }));
  const replicas = clusters.reduce((sum, one) => sum + one.replicas, 0);
  return deployment(name, {
    placement,
    clusters,
    replicas,
    spec: { replicaRequirements: { resourceRequest: { cpu: '1' } } },
  });
}

/** The combined pairs; fails if one differs from a simulation with all bindings. */
function combined(clusters: Cluster[], ...bindings: ReturnType<typeof placed>[]): string[] {
  const state = world(clusters, bindings);
  return heldAgainstBruteForce({ world: state, configuration: failoverOn, scenario }).combined;
}

describe('an audit combines two failures into a pair', () => {
  test("if both clusters' workloads have enough capacity elsewhere", () => {
    const clusters = [withRoom('a', 100), withRoom('b', 100), withRoom('c', 100)];
    const [v, w] = [placed('v', among('a', 'c'), { a: 5 }), placed('w', among('b', 'c'), { b: 5 })];
    expect(combined(clusters, v, w)).toEqual(['a+b', 'a+c', 'b+c']);
  });

  test('but not if the only remaining capacity is on a cluster that reports no resources', () => {
    const { resourceSummary: _, ...status } = cluster('n').status!;
    const clusters = [withRoom('a', 100), withRoom('b', 100), withRoom('d', 10), { ...cluster('n'), status }];
    const [v, w] = [
      placed('v', { ...among('a', 'd', 'n'), ...after(30) }, { a: 8 }),
      placed('w', { ...among('b', 'd', 'n'), ...after(120) }, { b: 8 }),
    ];
    expect(combined(clusters, v, w)).not.toContain('a+b');
  });

  test('but not if the next affinity group lacks capacity', () => {
    const clusters = [withRoom('a', 100), withRoom('b', 100), withRoom('c', 10)];
    const onOne = [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }];
    const duplicated = { clusterAffinity: { clusterNames: ['a', 'c'] }, spreadConstraints: onOne };
    const inGroups = {
      clusterAffinities: [
        { affinityName: 'first', clusterNames: ['a', 'b'] },
        { affinityName: 'then', clusterNames: ['c'] },
      ],
      replicaScheduling: among().replicaScheduling!,
    };
    const [v, w] = [
      placed('v', { ...duplicated, ...after(30) }, { a: 8 }),
      placed('w', { ...inGroups, ...after(120) }, { a: 8 }),
    ];
    expect(combined(clusters, v, w)).not.toContain('a+b');
  });

  test('but not if a workload lacks capacity when one of the two clusters fails', () => {
    const clusters = [withRoom('a', 100), withRoom('b', 1), withRoom('c', 10)];
    const [v, w] = [
      placed('v', { ...among('a', 'b', 'c'), spreadConstraints: onTwo, ...after(30) }, { a: 8, b: 1 }),
      placed('w', { ...among('a', 'c'), ...after(120) }, { a: 8 }),
    ];
    expect(combined(clusters, v, w)).not.toContain('a+b');
  });
});

test('a cluster without replicas of an aggregated workload counts if spread constraints need it', () => {
  const clusters = [withRoom('a', 100), withRoom('b', 100), withRoom('c', 100)];
  const v = placed('v', { ...among('a', 'b', 'c'), spreadConstraints: onTwo }, { a: 8, b: 1 });
  expect(combined(clusters, v)).toContain('a+c');
});
