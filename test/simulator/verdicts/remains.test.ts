import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Work } from '../../../src/karmada/api/work.ts';
import type { World } from '../../../src/karmada/world.ts';
import { cluster, deployment, outcomeOf, run, START, world } from '../simulation/controlPlane.ts';

const backSince = (name: string, seconds: number): Cluster => {
  const one = cluster(name);
  const lastTransitionTime = new Date(START - seconds * 1000).toISOString();
  const conditions = [{ type: 'Ready', status: 'True' as const, lastTransitionTime }];
  return { ...one, status: { ...one.status, conditions } };
};

const REMAINS = expect.stringContaining('what east-1 still runs of it');

describe('what a cluster that came back a while ago may still run of a workload', () => {
  const cart = deployment('cart', {
    placement: {},
    replicas: 2,
    clusters: [{ name: 'east-2', replicas: 2 }],
  });
  const doubts = (state: World, fails: boolean) =>
    outcomeOf(run(state, { events: fails ? [[5, { type: 'fail', cluster: 'east-2' }]] : [] }), 'cart')
      .dependsOn ?? [];

  test('is open if the workload goes there', () => {
    expect(doubts(world([backSince('east-1', 60), cluster('east-2')], [cart]), true)).toContainEqual(REMAINS);
    expect(doubts(world([cluster('east-1'), cluster('east-2')], [cart]), true)).not.toContainEqual(REMAINS);
  });

  test('is open, too, if it has been placed there, and its Work is yet to come', () => {
    const placed = { ...cart, spec: { ...cart.spec, clusters: [{ name: 'east-1', replicas: 2 }] } };
    const behind = { ...placed, metadata: { ...placed.metadata, generation: 3 } };
    const another: Work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { namespace: 'karmada-es-east-2', name: 'another' },
      spec: { workload: { manifests: [] } },
    };
    const state = world([backSince('east-1', 60), cluster('east-2')], [behind]);
    expect(doubts({ ...state, works: [another] }, false)).toContainEqual(REMAINS);
  });
});
