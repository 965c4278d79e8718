import { describe, expect, test } from '@jest/globals';
import { possibleOutcomes } from '../../../src/karmada/scheduling/division/tie.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedule } from '../../../src/karmada/scheduling/schedule.ts';
import { scheduleBinding } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import {
  clusterEventObjects,
  handledByScheduler,
  wakesOfCluster,
} from '../../../src/karmada/scheduling/wakeUp.ts';
import { createAffinities } from '../../../src/karmada/selection/clusterAffinity.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import type { FeatureGates } from '../../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../../src/karmada/api/names.ts';
import { aggregated, byCapacity, divided, duplicated, resultText, spec, text } from './carts.ts';

const NOW = Date.parse('2026-09-01T08:00:00Z');

interface About {
  pods?: number;
  region?: string;
  conditions?: [type: string, status: 'True' | 'False'][];
  apis?: string[];
  deleting?: boolean;
}

function cluster(name: string, { pods = 100, region, conditions = [], apis, deleting }: About = {}): Cluster {
  return {
    metadata: { name, ...(deleting ? { deletionTimestamp: '2026-09-01T07:00:00Z' } : {}) },
    spec: { ...(region ? { region } : {}) },
    status: {
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: (apis ?? ['Deployment']).map((kind) => ({ kind })) },
      ],
      resourceSummary: { allocatable: { pods: String(pods) } },
      conditions: conditions.map(([type, status]) => ({ type, status })),
    },
  };
}

const evenly = divided('Weighted');

function snapshotAt(version: string, clusters: Cluster[], gates: Partial<FeatureGates> = {}) {
  const { defaults } = dialectOf(version).dialect;
  return createClusterSnapshot(
    clusters,
    schedulerOptions({ ...defaults, featureGates: { ...defaults.featureGates, ...gates } }),
  );
}

function place(version: string, clusters: Cluster[], wanted: ResourceBindingSpec): string {
  return resultText(schedule(snapshotAt(version, clusters), wanted, undefined));
}

/** A binding whose placement has been processed. */
function binding(wanted: ResourceBindingSpec, status: ResourceBinding['status'] = {}): ResourceBinding {
  return {
    metadata: {
      name: 'cart-deployment',
      generation: 5,
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(wanted.placement) },
    },
    spec: wanted,
    status: { schedulerObservedGeneration: 5, ...status },
  };
}

function look(version: string, one: ResourceBinding, clusters: Cluster[], gates: Partial<FeatureGates> = {}) {
  return scheduleBinding({ snapshot: snapshotAt(version, clusters, gates), binding: one, now: NOW });
}

describe('given a cluster that is being deleted', () => {
  const fleet = [cluster('m1', { deleting: true }), cluster('m2')];

  test.each([
    ['v1.13.10', 'm1×3 m2×3'],
    ['v1.14.0', 'm2×3'],
  ])('%s schedules a duplicated workload to %s', (version, placed) => {
    expect(place(version, fleet, spec(duplicated))).toBe(placed);
  });

  test.each([
    ['v1.13.10', undefined],
    ['v1.14.0', 'a target cluster is being deleted'],
  ])('the reschedule reason of a divided workload on it in %s is: %s', (version, trigger) => {
    const clusters = [{ name: 'm1', replicas: 3 }];
    expect(look(version, binding(spec(byCapacity, { clusters })), fleet).trigger).toBe(trigger);
  });

  test.each([
    ['v1.13.10', 0],
    ['v1.14.0', 1],
  ])('in %s, its deletion causes cluster events for %i objects', (version, count) => {
    const { defaults } = dialectOf(version).dialect;
    expect(clusterEventObjects(cluster('m1'), fleet[0]!, defaults)).toHaveLength(count);
  });
});

describe('a target cluster that does not list the API of its workload', () => {
  const clusters = [{ name: 'm1', replicas: 3 }];
  const bare = (status: 'True' | 'False') =>
    cluster('m1', { apis: [], conditions: [['CompleteAPIEnablements', status]] });

  test.each([
    ['v1.10.7', false, false],
    ['v1.10.8', true, false],
    ['v1.11.3', false, false],
    ['v1.11.4', true, false],
    ['v1.14.10', true, false],
    ['v1.15.0', true, true],
  ])(
    'in %s, stays a target with an incomplete API list: %s, with a complete one: %s',
    (version, incomplete, complete) => {
      const kept = (status: 'True' | 'False') =>
        place(version, [bare(status), cluster('m2')], spec(duplicated, { clusters })).includes('m1');
      expect([kept('False'), kept('True')]).toEqual([incomplete, complete]);
    },
  );
});

test.each([
  ['v1.17.5', 'FitError'],
  ['v1.18.0', 'm2×3'],
])('in %s, a workload that fits only an overflow group has the result %s', (version, placed) => {
  const placement: Placement = {
    ...aggregated,
    clusterAffinities: [
      {
        affinityName: 'own',
        clusterNames: ['m1'],
        overflowAffinities: [{ affinityName: 'more', clusterNames: ['m2'] }],
      },
    ],
  };
  const outcome = look(version, binding(spec(placement)), [cluster('m2')]);
  expect(outcome.attempts[0]!.error?.kind ?? text(outcome.spec.clusters!)).toBe(placed);
});

test.each([
  ['v1.10.2', 'a×3'],
  ['v1.10.3', 'b×3'],
  ['v1.11.0', 'b×3'],
])('%s selects %s, although cluster b has more capacity than cluster a', (version, placed) => {
  const spreadConstraints = [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }];
  const fleet = [cluster('a', { pods: 10 }), cluster('b', { pods: 90 })];
  expect(place(version, fleet, spec({ ...duplicated, spreadConstraints }))).toBe(placed);
});

describe('the choice of a region', () => {
  const by = (spreadByField: 'cluster' | 'region') => ({ spreadByField, minGroups: 1, maxGroups: 1 });
  const placement: Placement = { ...duplicated, spreadConstraints: [by('region'), by('cluster')] };
  const used = { clusters: [{ name: 'a', replicas: 3 }] };

  test.each([
    ['v1.11.9', 'a×3'],
    ['v1.12.0', 'b×3'],
  ])('in %s, results in %s: the second region has more clusters with capacity', (version, placed) => {
    const fleet = [
      cluster('a', { region: 'x' }),
      cluster('b', { region: 'y' }),
      cluster('c', { region: 'y' }),
    ];
    expect(place(version, fleet, spec(placement, used))).toBe(placed);
  });

  test.each([
    ['v1.11.9', false],
    ['v1.14.9', true],
    ['v1.14.10', false],
    ['v1.15.5', true],
    ['v1.15.6', false],
    ['v1.16.2', true],
    ['v1.16.3', false],
    ['v1.17.0', false],
  ])('in %s, crashes the scheduler for a region without capacity: %s', (version, crashes) => {
    const fleet = [cluster('a', { region: 'x' }), cluster('b', { region: 'y', pods: 1 })];
    const outcome = look(version, binding({ ...spec(placement), replicas: 2 }), fleet);
    expect(outcome.failure?.reason === 'Panic').toBe(crashes);
    expect(outcome.retry).toBe(crashes);
    // the write of a deferred function contradicts it
    expect(outcome.status!.conditions![0]).toMatchObject({ status: 'True', reason: 'Success' });
    if (crashes) expect(outcome.spec.clusters).toBeUndefined();
  });
});

describe('a divided Deployment without replicas', () => {
  const fleet = [cluster('m1'), cluster('m2')];
  const scaledToNone = spec(byCapacity, { replicas: 0, replicaRequirements: {}, clusters: [] });

  test.each([
    ['v1.15.9', 'always rescheduled', 'm1 m2'],
    ['v1.16.0', undefined, ''],
  ])('in %s, has the reschedule reason: %s', (version, trigger, placed) => {
    expect(look(version, binding(scaledToNone), fleet).trigger).toBe(trigger);
    expect(place(version, fleet, scaledToNone)).toBe(placed);
  });
});

describe('the division by weight', () => {
  const fleet = ['a', 'b', 'c'].map((name) => cluster(name));
  const results = (version: string, wanted: ResourceBindingSpec) => {
    const { outcomes, complete } = possibleOutcomes((winners) =>
      schedule(snapshotAt(version, fleet), wanted, undefined, undefined, winners),
    );
    expect(complete).toBe(true);
    return outcomes.map((result) => ('error' in result ? result.error.kind : text(result.clusters)));
  };

  test('in v1.15 assigns the remainder randomly, and to the first names for a single result', () => {
    const wanted = spec(evenly, { replicas: 4 });
    expect(results('v1.15.9', wanted)).toEqual(['a×2 b×1 c×1', 'b×2 a×1 c×1', 'c×2 a×1 b×1']);
    const first = schedule(snapshotAt('v1.15.9', fleet), wanted, undefined);
    expect(first).toMatchObject({ tie: { clusters: ['a', 'b', 'c'], winners: 1 } });
  });

  test('in v1.15 assigns the remainder to the cluster with more previous replicas', () => {
    const clusters = [{ name: 'c', replicas: 2 }];
    expect(results('v1.15.9', spec(evenly, { replicas: 4, clusters }))).toEqual(['c×2 a×1 b×1']);
  });

  test('in v1.15 assigns the remainder to the highest weights', () => {
    const placement = divided('Weighted', {
      staticWeightList: [
        { targetCluster: { clusterNames: ['a'] }, weight: 5 },
        { targetCluster: { clusterNames: ['b'] }, weight: 4 },
      ],
    });
    expect(results('v1.15.9', spec(placement, { replicas: 8 }))).toEqual(['a×5 b×3']);
    expect(results('v1.16.0', spec(placement, { replicas: 8 }))).toEqual(['a×4 b×4']);
  });

  test('in v1.16 breaks ties by name and UID', () => {
    const at = (uid: string) =>
      results('v1.16.0', spec(evenly, { replicas: 4, resource: { ...spec(evenly).resource, uid } }));
    expect([at('1'), at('2')]).toEqual([['a×2 b×1 c×1'], ['a×1 b×1 c×2']]);
  });

  test('lists all possible outcomes of an attempt up to a limit', () => {
    const one = { ...binding(spec(evenly, { replicas: 5 })), metadata: { name: 'cart-deployment' } };
    const request = { snapshot: snapshotAt('v1.13.10', fleet), binding: one, now: NOW };
    const look = (winners?: ReadonlySet<string>) => scheduleBinding({ ...request, winners });
    const all = possibleOutcomes(look);
    expect(all.complete).toBe(true);
    expect(all.outcomes.map(({ spec: { clusters } }) => text(clusters!))).toEqual([
      'a×2 b×2 c×1',
      'a×2 c×2 b×1',
      'b×2 c×2 a×1',
    ]);
    expect(possibleOutcomes(look, 2)).toMatchObject({ complete: false, outcomes: [{}, {}] });
  });
});

describe('a reduction of replicas', () => {
  const clusters = [
    { name: 'a', replicas: 4 },
    { name: 'b', replicas: 4 },
    { name: 'gone', replicas: 4 },
  ];
  const placement: Placement = { ...byCapacity, clusterAffinity: { clusterNames: ['a', 'b'] } };

  test.each([
    ['v1.16.8', 'a×2 b×2 gone×2'],
    ['v1.17.0', 'a×3 b×3'],
  ])('in %s, results in %s', (version, placed) => {
    expect(place(version, [cluster('a'), cluster('b')], spec(placement, { replicas: 6, clusters }))).toBe(
      placed,
    );
  });
});

test.each([
  ['v1.15.7', 'SchedulerError'],
  ['v1.15.8', 'Unschedulable'],
  ['v1.16.4', 'SchedulerError'],
  ['v1.16.5', 'Unschedulable'],
  ['v1.17.1', 'SchedulerError'],
  ['v1.17.2', 'Unschedulable'],
  ['v1.18.0', 'Unschedulable'],
])('the failure reason for insufficient capacity in %s is %s', (version, reason) => {
  const outcome = look(version, binding(spec(byCapacity, { replicas: 500 })), [cluster('m1')]);
  expect(outcome).toMatchObject({ failure: { reason }, retry: true });
});

describe('a workload with several components', () => {
  const gates = { MultiplePodTemplatesScheduling: true };
  const component = (name: string) => ({ name, replicas: 1 });
  const placement: Placement = {
    ...aggregated,
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  };
  const several = (count: number, more: Partial<ResourceBindingSpec> = {}) =>
    spec(placement, {
      replicas: 2,
      components: ['driver', 'executor'].slice(0, count).map(component),
      clusters: [],
      ...more,
    });

  test.each([
    ['v1.16.1', undefined],
    ['v1.16.2', 'replicas changed'],
    ['v1.17.0', 'replicas changed'],
  ])('in %s, has this reschedule reason after the loss of all clusters: %s', (version, trigger) => {
    const lost = several(2, { replicas: 0 });
    expect(look(version, binding(lost), [cluster('m1')], gates).trigger).toBe(trigger);
  });

  test.each([
    ['v1.17.5', undefined],
    ['v1.18.0', 'replicas changed'],
  ])('in %s, has this reschedule reason with only one component: %s', (version, trigger) => {
    expect(look(version, binding(several(1, { replicas: 0 })), [cluster('m1')], gates).trigger).toBe(trigger);
  });

  test.each([
    ['v1.16.5', 'Error'],
    ['v1.16.6', 'm1'],
    ['v1.17.2', 'Error'],
    ['v1.17.3', 'm1'],
    ['v1.18.0', 'm1'],
  ])('in %s, with capacity for one set but not for all replicas, has the result %s', (version, placed) => {
    const result = schedule(snapshotAt(version, [cluster('m1', { pods: 3 })], gates), several(2), undefined);
    expect('error' in result ? result.error.kind : text(result.clusters)).toBe(placed);
  });

  test.each([
    ['v1.18.2', undefined],
    ['head', ['driver', 'executor'].map(component)],
  ])('in %s, has these components in its result: %j', (version, components) => {
    const result = schedule(snapshotAt(version, [cluster('m1')], gates), several(2), undefined);
    expect('clusters' in result && result.clusters[0]!.components).toEqual(components);
  });
});

test.each([
  ['v1.18.2', ['two']],
  ['head', ['one']],
])('a rebalance in %s starts with the affinity group %j', (version, groups) => {
  const placement: Placement = {
    ...aggregated,
    clusterAffinities: [
      { affinityName: 'one', clusterNames: ['m1'] },
      { affinityName: 'two', clusterNames: ['m2'] },
    ],
  };
  const rebalanced = binding(
    spec(placement, {
      clusters: [{ name: 'm2', replicas: 3 }],
      rescheduleTriggeredAt: '2026-09-01T07:30:00Z',
    }),
    { schedulerObservingAffinityName: 'two', lastScheduledTime: '2026-09-01T07:00:00Z' },
  );
  const { attempts } = look(version, rebalanced, [cluster('m1'), cluster('m2')]);
  expect(attempts.map(({ affinityName }) => affinityName)).toEqual(groups);
});

test.each([
  ['v1.12.10', true, true],
  ['v1.13.0', false, true],
  ['v1.13.3', false, false],
  ['v1.14.0', false, false],
])(
  'in %s, a suspended binding reaches the scheduler by its own events: %s, by cluster events: %s',
  (version, own, clusters) => {
    const { defaults } = dialectOf(version).dialect;
    const suspended = binding(spec(duplicated, { suspension: { scheduling: true } }));
    suspended.metadata.labels = { 'propagationpolicy.karmada.io/permanent-id': 'x' };
    const affinities = createAffinities(defaults.rules.scheduling);
    expect(handledByScheduler(suspended, defaults)).toBe(own);
    expect(wakesOfCluster([cluster('m1')], suspended, defaults, affinities)).toBe(clusters);
  },
);
