import { describe, expect, test } from '@jest/globals';
import type { World } from '../../../src/karmada/world.ts';
import { emptyWorld } from '../../../src/karmada/world.ts';
import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { RESOURCE_BINDING_PERMANENT_ID_LABEL } from '../../../src/karmada/api/names.ts';
import { contradictions } from '../../../src/state/world/contradictions.ts';

const cluster = (name: string) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
});
const binding = (name: string, spec: Partial<ResourceBindingSpec>) => ({
  kind: 'ResourceBinding',
  metadata: { namespace: 'shop', name, labels: { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: `id-${name}` } },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name }, ...spec },
});
const work = (on: string, id: string, deletionTimestamp?: string) => ({
  kind: 'Work',
  metadata: {
    namespace: `karmada-es-${on}`,
    name: `work-${id}`,
    labels: { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: id },
    ...(deletionTimestamp && { deletionTimestamp }),
  },
});
const world = (parts: Partial<Record<keyof World, unknown[]>>) =>
  ({ ...emptyWorld(), clusters: [cluster('m1'), cluster('m2')], ...parts }) as World;

describe('the check for contradictions in a state', () => {
  test('accepts a consistent state', () => {
    const bindings = [binding('web', { replicas: 2, clusters: [{ name: 'm1', replicas: 2 }] })];
    expect(contradictions(world({ bindings, works: [work('m1', 'id-web')] }))).toEqual([]);
  });

  test.each([
    [
      'reports a binding on a missing cluster',
      { clusters: [{ name: 'm9', replicas: 1 }] },
      'is on cluster m9 (spec.clusters), which is not in the state',
    ],
    [
      'reports an eviction task from a missing cluster',
      {
        gracefulEvictionTasks: [{ fromCluster: 'm9', reason: 'TaintUntolerated', producer: 'TaintManager' }],
      },
      'leaves cluster m9 (spec.gracefulEvictionTasks), which is not in the state',
    ],
    [
      'reports a binding with a duplicate cluster',
      { clusters: [{ name: 'm1' }, { name: 'm1' }] },
      'is on cluster m1 twice (spec.clusters)',
    ],
    ['reports negative replicas of a binding', { replicas: -3 }, 'has -3 replicas (spec.replicas)'],
    [
      'reports negative replicas on a cluster',
      { replicas: 1, clusters: [{ name: 'm1', replicas: -1 }] },
      'has -1 replicas (spec.clusters)',
    ],
  ])('%s', (_, spec, reported) => {
    const bindings = [binding('web', spec as Partial<ResourceBindingSpec>)];
    expect(contradictions(world({ bindings }))).toEqual([`ResourceBinding shop/web ${reported}`]);
  });

  test('combines several contradictions of one type into one line', () => {
    const bindings = ['a', 'b', 'c'].map((name) => binding(name, { replicas: -1 }));
    expect(contradictions(world({ bindings }))).toEqual([
      'ResourceBinding shop/a has -1 replicas (spec.replicas); the same applies to 2 more',
    ]);
  });

  describe('given Works', () => {
    const bindings = [binding('web', {})];

    test('reports a Work of a missing binding', () => {
      expect(contradictions(world({ bindings, works: [work('m1', 'id-gone')] }))).toEqual([
        'Work karmada-es-m1/work-id-gone is of a binding with the permanent id id-gone, which is not in the state',
      ]);
    });

    test('reports a Work for a missing cluster', () => {
      expect(contradictions(world({ bindings, works: [work('m9', 'id-web')] }))).toEqual([
        'Work karmada-es-m9/work-id-web is for cluster m9, which is not in the state',
      ]);
    });

    test('accepts a terminating Work of a deleted binding', () => {
      const works = [work('m1', 'id-gone', '2026-09-01T08:00:00Z')];
      expect(contradictions(world({ bindings, works }))).toEqual([]);
    });
  });

  test('ignores references to kinds that were not read', () => {
    const works = [work('m1', 'id-web')];
    expect(contradictions(world({ works, clusters: [] }), new Set(['Work']))).toEqual([]);
    expect(contradictions(world({ works, bindings: [] }), new Set(['Work', 'Cluster']))).toEqual([]);
  });
});
