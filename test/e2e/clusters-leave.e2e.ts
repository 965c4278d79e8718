import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { median } from '../recordings/replay.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { heldAgainstStory, steadyBindings } from './heldAgainstStory.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';
import { aggregated, byCapacity, divided, groups, on, one } from './placements.ts';

const dynamic: Placement = {
  replicaScheduling: byCapacity,
};
const static31: Placement = {
  replicaScheduling: {
    ...divided,
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: ['member3', 'member1', 'member2'].map((name) => ({
        targetCluster: { clusterNames: [name] },
        weight: 1,
      })),
    },
  },
};

const workloads: [KubernetesObject, Placement][] = [
  [deployment('shop', 'copied', 2), on('member1', 'member2', 'member3')],
  [deployment('shop', 'everywhere', 1), {}],
  [deployment('shop', 'pinned-3', 2), on('member3')],
  [deployment('shop', 'pinned-1', 2), on('member1')],
  [deployment('shop', 'grouped-3', 2), groups(['member3'], ['member2'])],
  [deployment('shop', 'grouped-1', 2), groups(['member1'], ['member2'])],
  [deployment('shop', 'dynamic', 8), dynamic],
  [deployment('shop', 'static', 9), static31],
  [deployment('shop', 'one-3', 2), { ...on('member2', 'member3'), spreadConstraints: one }],
  [
    deployment('shop', 'packed', 2),
    {
      ...on('member3', 'member4'),
      spreadConstraints: one,
      replicaScheduling: aggregated,
    },
  ],
];

let bed: Bed;

beforeAll(async () => {
  bed = await up(defaultOptions);
  await createAll(bed.api(), [
    namespace('shop'),
    ...workloads.flatMap(([object, placement]) => [object, policyFor(object, placement)]),
  ]);
  await steadyBindings(bed, workloads.length);
  // no policy taints it for that, so everything stays where it is
  await bed.kill('member1-apiserver');
  await eventually('member1 to be found dead', async () => {
    const { status } = await bed
      .api()
      .get<{ status: { conditions: { type: string; status: string }[] } }>(
        '/apis/cluster.karmada.io/v1alpha1/clusters/member1',
      );
    return status.conditions.some((entry) => entry.type === 'Ready' && entry.status !== 'True');
  });
});

afterAll(() => bed?.down());

test('bindings leave deleted clusters with the same steps as in the simulation', async () => {
  const { same, different, off } = await heldAgainstStory(bed, {
    name: 'clusters-leave',
    seconds: 50,
    happenings: [
      [0, { delete: { kind: 'Cluster', name: 'member3' } }],
      [25, { delete: { kind: 'Cluster', name: 'member1' } }],
      [
        40,
        {
          patch: { kind: 'Deployment', namespace: 'shop', name: 'static', merge: { spec: { replicas: 4 } } },
        },
        {
          patch: {
            kind: 'Deployment',
            namespace: 'shop',
            name: 'pinned-3',
            merge: { spec: { replicas: 4 } },
          },
        },
        {
          patch: { kind: 'Deployment', namespace: 'shop', name: 'dynamic', merge: { spec: { replicas: 5 } } },
        },
        { patch: { kind: 'Deployment', namespace: 'shop', name: 'one-3', merge: { spec: { replicas: 3 } } } },
      ],
    ],
  });
  expect(different).toEqual([]);
  expect(same.length).toBeGreaterThan(4);
  expect(median(off)).toBeLessThan(1.5);
});
