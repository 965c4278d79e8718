import { describe, expect, test } from '@jest/globals';
import { emptyWorld, type World } from '../../../src/karmada/world.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { worldOfVersion } from '../../../src/state/world/worldOfVersion.ts';

const APPLIED = 'policy.karmada.io/applied-placement';
const placement = { clusterAffinities: [{ affinityName: 'g', overflowAffinities: [{ affinityName: 'o' }] }] };
const binding = {
  kind: 'ResourceBinding',
  metadata: { name: 'web', namespace: 'shop', annotations: { [APPLIED]: JSON.stringify(placement) } },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    placement,
    clusters: [{ name: 'm1', replicas: 1 }],
    gracefulEvictionTasks: [{ fromCluster: 'm2', reason: 'r', producer: 'p', purgeMode: 'Gracefully' }],
    color: 'red',
  },
} as ResourceBinding;
const policy = {
  kind: 'PropagationPolicy',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { failover: { cluster: { purgeMode: 'Directly' } } },
} as PropagationPolicy;
const plain = { kind: 'PropagationPolicy', metadata: { name: 'plain' }, spec: {} } as PropagationPolicy;
const world: World = {
  ...emptyWorld(),
  bindings: [binding],
  policies: [policy, plain],
  taintPolicies: [{ metadata: { name: 'not-ready' }, spec: {} }],
};
const of = (version: string) => worldOfVersion(world, dialectOf(version).dialect.rules);

describe('a world in another version of Karmada', () => {
  test('is unchanged if the version has all its fields', () => {
    expect(of('v1.18.2')).toEqual({ world, left: [] });
    expect(of('v1.18.2').world).toBe(world);
  });

  test('lacks fields of later versions, also in the applied placement, and reports them', () => {
    const { world: older, left } = of('v1.17.5');
    const without = { clusterAffinities: [{ affinityName: 'g' }] };
    expect(older.bindings[0]!.spec.placement).toEqual(without);
    expect(older.bindings[0]!.metadata.annotations).toEqual({ [APPLIED]: JSON.stringify(without) });
    expect(left).toEqual([
      {
        kind: 'ResourceBinding',
        path: 'spec.placement.clusterAffinities[].overflowAffinities',
        objects: 1,
        first: 'shop/web',
      },
    ]);
  });

  test('keeps unknown fields, and objects without a lost field', () => {
    const { world: older } = of('v1.10.0');
    expect(older.bindings[0]!.spec).toMatchObject({ color: 'red' });
    expect(older.bindings[0]!.spec.gracefulEvictionTasks).toEqual([
      { fromCluster: 'm2', reason: 'r', producer: 'p' },
    ]);
    expect(older.policies[0]!.spec.failover).toEqual({});
    expect(older.policies[1]).toBe(plain);
  });

  test('lacks kinds of later versions', () => {
    const { world: older, left } = of('v1.13.10');
    expect(older.taintPolicies).toEqual([]);
    expect(left).toContainEqual({ kind: 'ClusterTaintPolicy', objects: 1, first: 'not-ready' });
  });

  test('keeps an applied placement that is invalid JSON', () => {
    const broken = { ...binding, metadata: { ...binding.metadata, annotations: { [APPLIED]: '{' } } };
    const { world: older } = worldOfVersion(
      { ...world, bindings: [broken] },
      dialectOf('v1.17.5').dialect.rules,
    );
    expect(older.bindings[0]!.metadata.annotations).toEqual({ [APPLIED]: '{' });
  });
});
