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

const REMAINS = expect.stringContaining('whether east-1 still runs an old copy');

describe('an earlier copy on a recently recovered cluster', () => {
  const cart = deployment('cart', {
    placement: {},
    replicas: 2,
    clusters: [{ name: 'east-2', replicas: 2 }],
  });
  const doubts = (state: World, fails: boolean) =>
    outcomeOf(run(state, { events: fails ? [[5, { type: 'fail', cluster: 'east-2' }]] : [] }), 'cart')
      .dependsOn ?? [];

  test('makes the outcome uncertain if the workload moves there', () => {
    expect(doubts(world([backSince('east-1', 60), cluster('east-2')], [cart]), true)).toContainEqual(REMAINS);
    expect(doubts(world([cluster('east-1'), cluster('east-2')], [cart]), true)).not.toContainEqual(REMAINS);
  });

  test('makes the outcome uncertain if the workload is placed there without a Work yet', () => {
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

test('a Work written within two minutes of the recovery of its cluster depends on when Karmada relists it', () => {
  const cart = deployment('cart', {
    placement: { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
    replicas: 2,
    clusters: [{ name: 'east-2', replicas: 2 }],
  });
  const ready = (status: 'True' | 'False') =>
    ({ type: 'condition', cluster: 'east-1', condition: { type: 'Ready', status } }) as const;
  // when east-1 has returned and, some seconds later, the workload has to move there
  const doubts = (seconds: number) =>
    outcomeOf(
      run(world([cluster('east-1'), cluster('east-2')], [cart]), {
        events: [
          [5, ready('False')],
          [60, ready('True')],
          [60 + seconds, { type: 'taint', cluster: 'east-2', taint: { key: 'x', effect: 'NoExecute' } }],
        ],
      }),
      'cart',
    ).dependsOn ?? [];
  const RELISTS = expect.stringContaining('when Karmada relists east-1');
  expect(doubts(30)).toContainEqual(RELISTS);
  expect(doubts(150)).not.toContainEqual(RELISTS);
});

const ID = { 'resourcebinding.karmada.io/permanent-id': 'cart' };
const owner = (made: ReturnType<typeof deployment>) => ({
  ...made,
  metadata: { ...made.metadata, labels: { ...made.metadata.labels, ...ID } },
});

describe('a Work that is still being deleted', () => {
  const cart = owner(
    deployment('cart', { placement: {}, replicas: 2, clusters: [{ name: 'east-2', replicas: 2 }] }),
  );
  /** Deleted half a minute before its cluster returned. */
  const doubts = (backFor: number) => {
    const deletionTimestamp = new Date(START - (backFor + 30) * 1000).toISOString();
    const left: Work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: {
        namespace: 'karmada-es-east-1',
        name: 'cart',
        labels: ID,
        deletionTimestamp,
        finalizers: ['x'],
      },
      spec: { workload: { manifests: [] } },
    };
    const state = world([backSince('east-1', backFor), cluster('east-2')], [cart]);
    const simulation = run(
      { ...state, works: [left] },
      { events: [[1, { type: 'fail', cluster: 'east-2' }]] },
    );
    return outcomeOf(simulation, 'cart').dependsOn ?? [];
  };
  const OVERDUE = expect.stringContaining('when the Work on east-1 is removed');

  // Failing for 30 s, it is retried 41 s after the deletion.
  test('has an unknown retry time after the first retry since the recovery of its cluster', () => {
    expect(doubts(8)).not.toContainEqual(OVERDUE);
    expect(doubts(20)).toContainEqual(OVERDUE);
  });
});

describe('the next report of a cluster', () => {
  const STATUS = { generation: 1 };
  const rules = [{ aliasLabelName: 'ready', jsonPath: '{ .readyReplicas }' }];
  const work = (appliedSeconds: number): Work => ({
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { namespace: 'karmada-es-east-1', name: 'cart', generation: 1, labels: ID },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { namespace: 'shop', name: 'cart' },
            spec: { replicas: 1 },
          },
        ],
      },
    },
    status: {
      conditions: [
        {
          type: 'Applied',
          status: 'True',
          reason: 'AppliedSuccessful',
          lastTransitionTime: new Date(START - appliedSeconds * 1000).toISOString(),
        },
      ],
      manifestStatuses: [
        {
          identifier: {
            ordinal: 0,
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            namespace: 'shop',
            name: 'cart',
          },
          health: 'Unhealthy',
          status: STATUS,
        },
      ] as never,
    },
  });
  const doubts = (appliedSeconds: number, tolerationSeconds: number) => {
    const made = owner(
      deployment('cart', {
        placement: {},
        replicas: 1,
        clusters: [{ name: 'east-1', replicas: 1 }],
        spec: {
          propagateDeps: true,
          failover: {
            application: {
              decisionConditions: { tolerationSeconds },
              purgeMode: 'Directly',
              statePreservation: { rules },
            },
          },
        },
      }),
    );
    const binding = {
      ...made,
      status: {
        ...made.status,
        aggregatedStatus: [
          { clusterName: 'east-1', applied: true, health: 'Unhealthy' as const, status: STATUS },
        ],
      },
    };
    const state = {
      ...world([cluster('east-1'), cluster('east-2')], [binding]),
      works: [work(appliedSeconds)],
    };
    return outcomeOf(run(state, { until: 60 }), 'cart').dependsOn ?? [];
  };
  const NEXT = expect.stringContaining('what its cluster reports next');

  test('makes the outcome uncertain while an eviction fails for missing preserved state', () => {
    expect(doubts(1, 10)).toContainEqual(NEXT);
    expect(doubts(1, 60)).not.toContainEqual(NEXT);
  });

  test('makes the outcome uncertain if a starting workload is Unhealthy for longer than tolerated', () => {
    expect(doubts(25, 20)).toContainEqual(NEXT);
    expect(doubts(25, 60)).not.toContainEqual(NEXT);
  });
});

test('the release of a preserved object is uncertain if its cluster was down in the meantime', () => {
  const moved = owner(
    deployment('cart', {
      placement: {},
      replicas: 1,
      clusters: [{ name: 'east-2', replicas: 1 }],
      spec: { preserveResourcesOnDeletion: true },
    }),
  );
  const leaving = (seconds: number): Work => ({
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      namespace: 'karmada-es-east-1',
      name: 'cart',
      labels: ID,
      deletionTimestamp: new Date(START - seconds * 1000).toISOString(),
    },
    spec: { preserveResourcesOnDeletion: true, workload: { manifests: [] } },
  });
  const doubts = (seconds: number) => {
    const state = world([backSince('east-1', 10), cluster('east-2')], [moved]);
    return outcomeOf(run({ ...state, works: [leaving(seconds)] }, { until: 5 }), 'cart').dependsOn ?? [];
  };
  const RELEASED = expect.stringContaining('when the Work on east-1 is removed');
  expect(doubts(60)).toContainEqual(RELEASED);
  expect(doubts(5)).not.toContainEqual(RELEASED);
});
