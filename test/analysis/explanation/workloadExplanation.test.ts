import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { explain } from './explain.ts';

const east1 = cluster('east-1');
const east2 = cluster('east-2');
const west1 = cluster('west-1');
const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const duplicated = { replicaSchedulingType: 'Duplicated' };
const inGroups: Placement = {
  clusterAffinities: [
    { affinityName: 'primary', clusterNames: ['east-1', 'east-2'] },
    { affinityName: 'backup', clusterNames: ['west-1'] },
  ],
  replicaScheduling: aggregated,
};
const cart = (placement: Placement, ...clusters: string[]) =>
  deployment('cart', { placement, replicas: 3, clusters: clusters.map((name) => ({ name, replicas: 3 })) });

describe('a workload whose cluster fails', () => {
  const bystander = deployment('search', {
    placement: { replicaScheduling: duplicated },
    clusters: [{ name: 'west-1' }],
  });
  const { chain, verdict, decision } = explain(
    world([east1, east2, west1], [cart({ replicaScheduling: aggregated }, 'east-1'), bystander]),
    { ifFails: ['east-1'] },
  );

  test('has a chain of events from the failure to the deleted Work, without events of other workloads', () => {
    expect(chain.map(({ type, object }) => `${type} ${object.name}`)).toEqual([
      'ClusterFailed east-1',
      'ConditionChanged east-1',
      'TaintAdded east-1',
      'TaintAdded east-1',
      'Evicted cart-deployment',
      'Scheduled cart-deployment',
      'WorkCreated cart-deployment',
      'HealthChanged cart-deployment',
      'TaskStamped cart-deployment',
      'HealthChanged cart-deployment',
      'TaskEnded cart-deployment',
      'WorkDeleted cart-deployment',
    ]);
  });

  test('has a verdict that counts running replicas', () => {
    expect(verdict).toMatchObject({
      outcome: 'moves',
      before: [{ name: 'east-1', replicas: 3 }],
      after: [{ name: 'east-2', replicas: 3 }],
      replicas: { wanted: 3, readyAtStart: 3, fewest: 0, readyAtEnd: 3 },
      gap: { replicas: 3, open: false },
    });
    expect(verdict.settledAt! - START).toBeGreaterThan(55_000);
  });

  test('shows the scheduling attempt that followed the eviction', () => {
    expect(decision).toMatchObject({
      hypothetical: false,
      trigger: 'replicas changed',
      before: [],
      result: [{ name: 'east-2', replicas: 3 }],
    });
    expect(decision.groups[0]!.clusters.map(({ name, fits }) => [name, fits])).toEqual([
      ['east-1', false],
      ['east-2', true],
      ['west-1', true],
    ]);
  });
});

describe('the scheduling attempt in an explanation', () => {
  test('is the present placement if no reschedule is pending', () => {
    const { decision, chain } = explain(
      world([east1, west1], [cart({ replicaScheduling: aggregated }, 'east-1')]),
    );
    expect(chain).toEqual([]);
    expect(decision).toMatchObject({
      hypothetical: true,
      time: START,
      result: [{ name: 'east-1', replicas: 3 }],
    });
  });

  test('shows the result of a rebalance', () => {
    const placement: Placement = {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    };
    const { decision } = explain(world([east1, west1], [cart(placement, 'east-1')]));
    expect(decision.result).toEqual([{ name: 'east-1', replicas: 3 }]);
    expect(decision.dividedAnew?.map(({ name }) => name).sort()).toEqual(['east-1', 'west-1']);
  });

  describe('of a workload without a pending reschedule (#5206)', () => {
    const byWeight: Placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
    };
    const replayed = { replayed: true };

    test('lists the clusters that a WorkloadRebalancer would choose after a recovery', () => {
      const { rebalance } = explain(world([east1, west1], [cart(byWeight, 'east-1')]), replayed);
      expect(rebalance).toMatchObject({ moves: true });
      expect(rebalance!.gives.map(({ name }) => name).sort()).toEqual(['east-1', 'west-1']);
      expect(explain(world([east1], [cart(byWeight, 'east-1')]), replayed).rebalance).toBeUndefined();
      const failing = { ...replayed, ifFails: ['east-1'] };
      expect(explain(world([east1, west1], [cart(byWeight, 'east-1')]), failing).rebalance).toBeUndefined();
    });

    test('shows that before v1.19 a WorkloadRebalancer does not return to an earlier affinity group', () => {
      const groups: Placement = {
        clusterAffinities: [
          { affinityName: 'first', clusterNames: ['west-1'] },
          { affinityName: 'last', clusterNames: ['east-1'] },
        ],
      };
      const placed = cart(groups, 'east-1');
      const later = { ...placed, status: { ...placed.status, schedulerObservingAffinityName: 'last' } };
      const { rebalance } = explain(world([east1, west1], [later]), replayed);
      expect(rebalance).toMatchObject({ moves: false, gives: [{ name: 'east-1' }] });
    });
  });

  describe('with a random choice', () => {
    const evenly: Placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
    };
    const fleet = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => cluster(name));
    const drawn = (version: string, replicas: number, clusters = fleet) => {
      const binding = deployment('cart', { placement: evenly, replicas, clusters: [] });
      const { dialect } = dialectOf(version);
      return explain(world(clusters, [binding]), { configuration: { ...failoverOn, rules: dialect.rules } })
        .decision;
    };

    test('lists all results up to v1.15, the predicted one first', () => {
      const { result, drawn: lots } = drawn('v1.15.9', 4, fleet.slice(0, 3));
      const more = (first: string, ...others: string[]) => [
        { name: first, replicas: 2 },
        ...others.map((name) => ({ name, replicas: 1 })),
      ];
      expect(lots).toEqual({
        among: [more('a', 'b', 'c'), more('b', 'a', 'c'), more('c', 'a', 'b')],
        complete: true,
      });
      expect(lots?.among[0]).toEqual(result);
    });

    test('lists some of many results, and shows that there are more', () => {
      const { drawn: lots } = drawn('v1.15.9', 10);
      expect(lots?.complete).toBe(false);
      expect(lots?.among).toHaveLength(10);
    });

    test('has one result since v1.16, or if no replica remains to divide', () => {
      expect(drawn('v1.16.0', 4)).not.toHaveProperty('drawn');
      expect(drawn('v1.15.9', 7)).not.toHaveProperty('drawn');
    });
  });

  test('lists the affinity groups that were tried, and the reason against each other group', () => {
    const state = world([east1, east2, west1], [cart(inGroups, 'east-1')]);
    const now = explain(state).decision;
    expect(now.groups.map(({ affinityName }) => affinityName)).toEqual(['primary']);
    expect(now.untried).toEqual([
      { affinityName: 'backup', earlier: false, why: 'not needed: primary has capacity' },
    ]);
    const later = explain(state, { ifFails: ['east-1', 'east-2'] }).decision;
    expect(later.groups.map(({ affinityName, error }) => [affinityName, error === undefined])).toEqual([
      ['primary', false],
      ['backup', true],
    ]);
  });

  test('never returns to an earlier affinity group', () => {
    const binding = cart(inGroups, 'west-1');
    const moved: ResourceBinding = {
      ...binding,
      status: { ...binding.status, schedulerObservingAffinityName: 'backup' },
    };
    expect(explain(world([east1, east2, west1], [moved])).decision.untried).toEqual([
      {
        affinityName: 'primary',
        earlier: true,
        why: 'it is before backup, the group of the binding: the scheduler does not return to it',
      },
    ]);
  });
});

describe('a state captured during an eviction', () => {
  const task = {
    fromCluster: 'east-1',
    replicas: 3,
    purgeMode: 'Gracefully' as const,
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    creationTimestamp: '2026-09-01T07:55:00Z',
  };
  const gone = cluster('east-1', [
    { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' },
    { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: '2026-09-01T07:54:59Z' },
  ]);
  const failed = {
    ...gone,
    status: { ...gone.status, conditions: [{ type: 'Ready', status: 'False' as const }] },
  };

  test('shows a workload as lost if its last copy is evicted without a replacement', () => {
    const binding = cart({ clusterAffinity: { clusterNames: ['east-1'] }, replicaScheduling: duplicated });
    const stuck: ResourceBinding = {
      ...binding,
      spec: { ...binding.spec, gracefulEvictionTasks: [task] },
      status: {
        conditions: [{ type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: '0/2' }],
      },
    };
    const { verdict, present, changes } = explain(world([failed, west1], [stuck]));
    expect(present).toMatchObject({
      clusters: [],
      evictions: [{ fromCluster: 'east-1', verdict: 'stuck', atDeadline: 'lost' }],
      scheduled: { status: 'False', reason: 'NoClusterFit' },
      upToDate: false,
    });
    expect(verdict).toMatchObject({
      outcome: 'lost',
      leaving: [{ name: 'east-1', replicas: 3 }],
      replicas: { wanted: 3, readyAtStart: 0, fewest: 0, readyAtEnd: 0 },
      oldCopyEnds: { clusters: ['east-1'] },
    });
    expect(changes?.items[0]).toMatchObject({ gives: [{ name: 'west-1', replicas: 3 }] });
  });

  test('shows the time at which new replicas run as an estimate', () => {
    const binding = cart({ replicaScheduling: aggregated }, 'west-1');
    const starting: ResourceBinding = {
      ...binding,
      spec: { ...binding.spec, gracefulEvictionTasks: [task] },
      status: {
        ...binding.status,
        lastScheduledTime: '2026-09-01T07:59:50Z',
        aggregatedStatus: [
          { clusterName: 'west-1', applied: true, health: 'Unhealthy', status: { readyReplicas: 0 } },
        ],
      },
    };
    const { verdict, doubts } = explain(world([failed, west1], [starting]));
    expect(verdict).toMatchObject({ outcome: 'moves', replicas: { readyAtStart: 0, readyAtEnd: 3 } });
    // 20s after the Works scheduled 10s before the start were applied, and 2s until Karmada knows
    expect(verdict.settledAt! - START).toBe(12_140);
    expect(doubts).toContainEqual(
      expect.objectContaining({
        certainty: 'estimate',
        what: expect.stringContaining('the replicas on west-1'),
      }),
    );
  });
});

describe('the dependents of a workload', () => {
  const parent = cart({ replicaScheduling: aggregated }, 'east-1');
  const config = (more: object): ResourceBinding => ({
    ...deployment('config', { placement: {}, clusters: [] }),
    metadata: { name: 'config-configmap', namespace: 'shop', ...more },
    spec: {
      resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'config' },
      clusters: [{ name: 'west-1' }],
      requiredBy: [{ namespace: 'shop', name: 'cart-deployment', clusters: [{ name: 'east-1' }] }],
    },
  });
  const propagating: ResourceBinding = {
    ...parent,
    metadata: {
      ...parent.metadata,
      annotations: {
        ...parent.metadata.annotations,
        'resourcebinding.karmada.io/dependencies': JSON.stringify([
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'config' },
          { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'keys' },
          { apiVersion: 'v1', kind: 'Service', namespace: 'shop', labelSelector: {} },
        ]),
      },
    },
    spec: { ...parent.spec, propagateDeps: true },
  };

  test('are listed, with missing ones, and appear in the chain of events', () => {
    const { dependencies, chain } = explain(world([east1, east2], [propagating, config({})]), {
      ifFails: ['east-1'],
    });
    expect(dependencies).toMatchObject({
      propagateDeps: true,
      follow: [{ workload: { kind: 'ConfigMap', name: 'config' }, ownClusters: [] }],
      missing: [{ kind: 'Secret', namespace: 'shop', name: 'keys' }],
    });
    expect(chain.map(({ type, object }) => [type, object.name])).toContainEqual([
      'DependenciesFollowed',
      'config-configmap',
    ]);
  });

  test('also stay where their own policies place them', () => {
    const own = {
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'own' },
      annotations: {
        'propagationpolicy.karmada.io/namespace': 'shop',
        'propagationpolicy.karmada.io/name': 'config',
      },
    };
    const { dependencies } = explain(world([east1, west1], [propagating, config(own)]));
    expect(dependencies.follow[0]!.ownClusters).toEqual([{ name: 'west-1' }]);
  });

  test('have no placement and no links of their own', () => {
    const required = config({});
    const clusters = [{ name: 'east-1', replicas: 3 }];
    const attached: ResourceBinding = {
      ...required,
      spec: {
        resource: required.spec.resource,
        requiredBy: [{ namespace: 'shop', name: 'cart-deployment', clusters }],
      },
    };
    const { present, verdict, links, decision } = explain(world([east1, west1], [attached, propagating]));
    expect(present.clusters).toMatchObject([{ name: 'east-1', replicas: 0 }]);
    expect(verdict).toMatchObject({ outcome: 'stays', before: [{ name: 'east-1', replicas: 0 }] });
    expect([links, decision.groups]).toEqual([[], []]);
  });

  test('that are lost get no proposal for a placement, which they do not have', () => {
    const { resource } = config({}).spec;
    const snapshot = {
      namespace: 'shop',
      name: 'cart-deployment',
      clusters: [{ name: 'east-1', replicas: 3 }],
    };
    const attached: ResourceBinding = { ...config({}), spec: { resource, requiredBy: [snapshot] } };
    const pinned = { ...propagating, spec: { ...propagating.spec, placement: inGroups } };
    const { verdict, changes } = explain(world([east1], [attached, pinned]), {
      ifFails: ['east-1'],
      replayed: true,
    });
    expect(verdict.outcome).toBe('lost');
    expect(changes).toBeUndefined();
  });

  test('are not listed without propagateDeps', () => {
    expect(explain(world([east1, west1], [parent])).dependencies).toEqual({
      propagateDeps: false,
      follow: [],
      missing: [],
      requiredBy: [],
    });
  });
});

test('an answer lists its uncertain inputs, and how to confirm them', () => {
  const binding = cart({ replicaScheduling: aggregated }, 'east-1');
  const foreign: ResourceBinding = { ...binding, spec: { ...binding.spec, schedulerName: 'other' } };
  const { doubts, verdict, links } = explain(world([east1, west1], [foreign]), { ifFails: ['east-1'] });
  expect(verdict).toMatchObject({ certainty: 'unknown' });
  expect(doubts).toContainEqual({
    certainty: 'unknown',
    what: expect.stringContaining('the scheduler "other"'),
  });
  expect(links).toContainEqual(expect.objectContaining({ id: 'scheduler-name', state: 'unknown' }));
});
