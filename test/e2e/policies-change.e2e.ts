import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { median } from '../recordings/replay.ts';
import type { Bed } from './controlPlane/bed.ts';
import type { Happening } from './happening.ts';
import { heldAgainstStory } from './heldAgainstStory.ts';
import { bedWith, place, scale, shop } from './shop.ts';
import { deployment, policyFor } from './workloads.ts';
import { aggregated, byCapacity, byWeight, groups, on, one } from './placements.ts';

const weighted = (weights: Record<string, number>): Placement => ({
  clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] },
  replicaScheduling: byWeight(weights),
});
const dynamic: Placement = {
  ...on('member1', 'member2', 'member3', 'member4'),
  replicaScheduling: byCapacity,
};
const failover = (purgeMode: string, tolerationSeconds: number) => ({
  failover: { application: { decisionConditions: { tolerationSeconds }, purgeMode } },
  propagateDeps: true,
});

const workloads: [KubernetesObject, Placement, object?][] = [
  [deployment('shop', 'narrowed', 2), on('member1', 'member2', 'member3')],
  [deployment('shop', 'moved', 2), on('member1')],
  [deployment('shop', 'gathered', 4), weighted({ member1: 1, member2: 1 })],
  [deployment('shop', 'weighted', 3), weighted({ member1: 1, member3: 2 })],
  [deployment('shop', 'reweighted', 6), weighted({ member1: 1, member3: 2 })],
  [deployment('shop', 'dynamic', 4), dynamic],
  [deployment('shop', 'packed', 3), { ...on('member1', 'member2'), replicaScheduling: aggregated }],
  [deployment('shop', 'copied', 2), on('member1', 'member2')],
  [deployment('shop', 'tolerant', 2), on('member1', 'member2')],
  [deployment('shop', 'regrouped', 2), groups(['member1'], ['member2'])],
  [deployment('shop', 'held', 2), on('member1')],
  [deployment('shop', 'parked', 2), on('member1')],
  [deployment('shop', 'orphan', 2), on('member1')],
  [deployment('shop', 'claimed', 2), on('member1')],
  [deployment('shop', 'nowhere', 2), on('member1')],
  [deployment('shop', 'spread', 4), on('member1', 'member2', 'member3')],
  [
    deployment('shop', 'app-gracefully', 2),
    { ...on('member1', 'member2'), spreadConstraints: one },
    failover('Gracefully', 12),
  ],
  [
    deployment('shop', 'app-directly', 2),
    { ...on('member1', 'member2'), spreadConstraints: one },
    failover('Directly', 12),
  ],
  [
    deployment('shop', 'app-never', 2),
    { ...on('member1', 'member2'), spreadConstraints: one },
    failover('Never', 12),
  ],
  [deployment('shop', 'app-groups', 2), groups(['member1'], ['member2']), failover('Gracefully', 12)],
];
const suspend = (name: string, scheduling: boolean): Happening => ({
  patch: {
    ...shop('ResourceBinding', `${name}-deployment`),
    merge: { spec: { suspension: { scheduling } } },
  },
});
/** New containers, which never become ready where they are. */
const breakDown = (name: string): Happening[] => [
  {
    patch: {
      ...shop('Deployment', name),
      merge: {
        metadata: { annotations: { 'e2e.karmada-failover/ready-after': 'member1=never' } },
        spec: { template: { metadata: { annotations: { release: '2' } } } },
      },
    },
  },
  { health: { ...shop('Deployment', name), cluster: 'member1', status: 'Unhealthy' } },
];

let bed: Bed;

beforeAll(async () => {
  bed = await bedWith(workloads);
});

afterAll(() => bed?.down());

test('bindings follow changed policies and templates with the same steps as in the simulation', async () => {
  const late = deployment('shop', 'late', 3);
  const claim = policyFor(deployment('shop', 'claimed', 2), on('member3'), {
    priority: 10,
    preemption: 'Always',
  });
  const { same, different, off } = await heldAgainstStory(bed, {
    name: 'policies-change',
    seconds: 62,
    neverReady: ['gracefully', 'directly', 'never', 'groups'].map((mode) => ({
      ...shop('Deployment', `app-${mode}`),
      cluster: 'member1',
    })),
    happenings: [
      [0, place('narrowed', on('member1', 'member2'))],
      [1, place('moved', on('member3')), ...breakDown('app-gracefully')],
      [
        2,
        place('gathered', {
          spreadConstraints: one,
          replicaScheduling: { ...aggregated, weightPreference: null },
        }),
      ],
      [3, scale('weighted', 9), ...breakDown('app-directly')],
      [4, scale('dynamic', 10)],
      [5, scale('packed', 7), ...breakDown('app-never')],
      [6, scale('copied', 5)],
      [
        7,
        place('tolerant', { clusterTolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }] }),
        ...breakDown('app-groups'),
      ],
      [
        8,
        place('regrouped', groups(['member3'], ['member1'])),
        place('reweighted', weighted({ member1: 2, member2: 1 })),
      ],
      [9, { apply: [late, policyFor(late, weighted({ member2: 2, member3: 1 }))] }],
      [10, suspend('held', true), scale('held', 4)],
      [11, { delete: shop('PropagationPolicy', 'orphan') }],
      [12, { apply: [{ ...claim, metadata: { name: 'claim', namespace: 'shop' } }] }],
      [13, place('nowhere', on('member9'))],
      [
        14,
        {
          patch: {
            ...shop('PropagationPolicy', 'parked'),
            merge: { spec: { suspension: { dispatching: true } } },
          },
        },
      ],
      [
        15,
        place('spread', { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }] }),
      ],
      [16, scale('orphan', 3), scale('parked', 3)],
      [17, place('held', on('member2'))],
      [19, scale('weighted', 2), scale('dynamic', 3), scale('packed', 2), scale('copied', 1)],
      [20, suspend('held', false)],
      [21, place('nowhere', on('member2'))],
      [22, place('moved', { ...on('member1', 'member2'), spreadConstraints: one })],
      [
        24,
        {
          patch: {
            ...shop('PropagationPolicy', 'parked'),
            merge: { spec: { suspension: { dispatching: false } } },
          },
        },
      ],
      [25, { delete: shop('Deployment', 'late') }],
      [
        40,
        {
          patch: {
            ...shop('ResourceBinding', 'app-never-deployment'),
            merge: {
              spec: {
                gracefulEvictionTasks: [
                  {
                    fromCluster: 'member1',
                    reason: 'ApplicationFailure',
                    producer: 'e2e',
                    suppressDeletion: false,
                  },
                ],
              },
            },
          },
        },
      ],
    ],
  });
  expect(different).toEqual([]);
  expect(same.length).toBeGreaterThan(12);
  expect(median(off)).toBeLessThan(1.5);
});
