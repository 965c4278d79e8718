import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { median } from '../recordings/replay.ts';
import type { Bed } from './controlPlane/bed.ts';
import { heldAgainstStory } from './heldAgainstStory.ts';
import { turnsLostByChance } from './turns.ts';
import { bedWith, place, scale, shop } from './shop.ts';
import { deployment } from './workloads.ts';
import { byWeight, groups, on, one } from './placements.ts';

const tolerating = (key: string, tolerationSeconds?: number): Placement => ({
  clusterTolerations: [
    {
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    },
  ],
});
const directly = {
  failover: {
    cluster: {
      purgeMode: 'Directly',
      statePreservation: { rules: [{ aliasLabelName: 'ready', jsonPath: '{ .readyReplicas }' }] },
    },
  },
};
const weighted = (weights: Record<string, number>): Placement => ({
  replicaScheduling: byWeight(weights),
});

const workloads: [KubernetesObject, Placement, object?][] = [
  [deployment('shop', 'grouped', 2), groups(['member1'], ['member2'])],
  [deployment('shop', 'grouped-3', 2), groups(['member1'], ['member2'], ['member3'])],
  [deployment('shop', 'directly', 2), groups(['member1'], ['member3']), directly],
  [deployment('shop', 'directly-one', 2), { ...on('member1', 'member3'), spreadConstraints: one }, directly],
  [deployment('shop', 'pinned', 2), on('member1')],
  [deployment('shop', 'copied', 2), on('member1', 'member2', 'member3')],
  [deployment('shop', 'divided', 6), weighted({ member1: 1, member3: 2 })],
  [deployment('shop', 'slow', 2, 'member2=never'), groups(['member1'], ['member2'])],
  [deployment('shop', 'waits', 2), { ...groups(['member1'], ['member3']), ...tolerating('maintenance', 12) }],
  [
    deployment('shop', 'waits-long', 2),
    { ...groups(['member1'], ['member3']), ...tolerating('maintenance', 60) },
  ],
  [deployment('shop', 'stays', 2), { ...groups(['member1'], ['member3']), ...tolerating('maintenance') }],
  [deployment('shop', 'learns', 2), { ...on('member1'), ...tolerating('maintenance', 14) }],
  [
    deployment('shop', 'forgets', 2),
    { ...on('member1', 'member3'), spreadConstraints: one, ...tolerating('maintenance') },
  ],
  [deployment('shop', 'other', 4), on('member3', 'member4')],
  [deployment('shop', 'other-one', 2), groups(['member3'], ['member4'])],
  [deployment('shop', 'scaled', 6), weighted({ member2: 1, member3: 1 })],
];
const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'slow', cluster: 'member2' }];

const maintenance = (cluster: string) => ({ cluster, key: 'maintenance', effect: 'NoExecute' }) as const;
const cordon = (cluster: string) =>
  ({ cluster, key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }) as const;

let bed: Bed;

beforeAll(async () => {
  bed = await bedWith(workloads);
});

afterAll(() => bed?.down());

test('bindings leave tainted and cordoned clusters with the same steps as in the simulation', async () => {
  const rebalancer = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: 'back' },
    spec: {
      workloads: ['grouped', 'directly-one', 'divided', 'copied', 'waits', 'scaled'].map((name) => ({
        apiVersion: 'apps/v1',
        ...shop('Deployment', name),
      })),
    },
  };
  const { same, different, starts, durations } = await heldAgainstStory(bed, {
    name: 'taints-by-hand',
    neverReady,
    seconds: 115,
    happenings: [
      [0, { taint: maintenance('member1') }],
      [8, place('learns', tolerating('maintenance'))],
      [9, place('forgets', { clusterTolerations: null })],
      // when all have had their turn in the queue, whose order is random
      [15, { taint: cordon('member2') }],
      [16, scale('scaled', 9)],
      // before the next queue: its order is random, and its first turn would find member1 tainted
      [22, { untaint: maintenance('member1') }],
      [24, { taint: maintenance('member3') }],
      [34, { untaint: cordon('member2') }],
      [44, { untaint: maintenance('member3') }],
      [50, { apply: [rebalancer] }],
      // again, and removed while everything is in progress
      [85, { taint: maintenance('member3') }],
      [88, { untaint: maintenance('member3') }],
    ],
  });
  expect(different).toEqual([]);
  expect(same.length).toBeGreaterThan(12);
  expect(median(starts)).toBeLessThan(1.5 + turnsLostByChance(bed));
  expect(median(durations)).toBeLessThan(2);
});
