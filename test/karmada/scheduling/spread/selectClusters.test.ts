import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Placement, SpreadConstraint } from '../../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec } from '../../../../src/karmada/api/work.ts';
import type { RankedClusters } from '../../../../src/karmada/scheduling/rankClusters.ts';
import { createClusterSnapshot } from '../../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedule } from '../../../../src/karmada/scheduling/schedule.ts';
import { schedulerOptions } from '../../../../src/karmada/scheduling/schedulerOptions.ts';
import { selectClusters } from '../../../../src/karmada/scheduling/spread/selectClusters.ts';
import type { SpreadTrace } from '../../../../src/karmada/scheduling/trace.ts';
import { dialectOf } from '../../../../src/karmada/dialects/dialects.ts';

/** A feasible cluster: its location, its capacity, and its existing replicas of the workload. */
interface Feasible {
  name: string;
  region?: string;
  provider?: string;
  zones?: string[];
  room: number;
  has?: number;
}

const by = (spreadByField: string, minGroups: number, maxGroups: number): SpreadConstraint => ({
  spreadByField: spreadByField as SpreadConstraint['spreadByField'],
  minGroups,
  maxGroups,
});
const duplicated: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
const divided: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' };

/** The selection from clusters in order of their rank, or the error. */
function select(
  feasible: Feasible[],
  placement: Placement,
  constraints: SpreadConstraint[],
  { replicas = 3, version = 'v1.18.2' } = {},
): string {
  return selection(feasible, placement, constraints, { replicas, version }).text;
}

function selection(
  feasible: Feasible[],
  placement: Placement,
  spreadConstraints: SpreadConstraint[],
  { replicas = 3, version = 'v1.18.2' } = {},
): { text: string; trace: SpreadTrace | undefined } {
  const clusters = feasible.map(({ name, region, provider, zones }): Cluster => ({
    metadata: { name },
    spec: { ...(region && { region }), ...(provider && { provider }), ...(zones && { zones }) },
  }));
  const snapshot = createClusterSnapshot(clusters, schedulerOptions(dialectOf(version).dialect.defaults));
  const at = (name: string) => snapshot.names.indexOf(name);
  const allocatable = new Int32Array(feasible.length);
  for (const { name, room } of feasible) allocatable[at(name)] = room;
  const ranked: RankedClusters = {
    clusters: feasible.map(({ name }) => at(name)),
    assigned: new Map(feasible.flatMap(({ name, has }) => (has ? [[at(name), has]] : []))),
    allocatable,
  };
  const spec: ResourceBindingSpec = { resource, replicas, placement: { ...placement, spreadConstraints } };
  const trace: { spread?: SpreadTrace } = {};
  const chosen = selectClusters(snapshot, ranked, spec, trace);
  const text =
    'error' in chosen
      ? `${chosen.error.kind}: ${chosen.error.message}`
      : chosen.clusters.map((index) => snapshot.names[index]).join(' ');
  return { text, trace: trace.spread };
}

const roomy = (name: string, more: Partial<Feasible> = {}): Feasible => ({ name, room: 100, ...more });
const four = ['a', 'b', 'c', 'd'].map((name) => roomy(name));

describe('the selection without an effective constraint', () => {
  test('takes all feasible clusters in their order', () => {
    expect(select(four.toReversed(), duplicated, [])).toBe('d c b a');
  });

  test('ignores constraints with static weights, but not with dynamic weights', () => {
    const weighted: Placement = {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: [{ targetCluster: { clusterNames: ['a'] }, weight: 1 }],
        },
      },
    };
    expect(select(four, weighted, [by('cluster', 1, 1), by('region', 9, 9)])).toBe('a b c d');
    // for a dynamic weight the static list is ignored
    const dynamic: Placement = {
      replicaScheduling: {
        ...weighted.replicaScheduling,
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    };
    expect(select(four, dynamic, [by('cluster', 1, 1)])).toBe('a');
  });

  test.each(['provider', 'zone'])('fails with a constraint only by %s', (field) => {
    const clusters = four.map((one) => ({ ...one, provider: 'p', zones: ['z'] }));
    expect(select(clusters, duplicated, [by(field, 1, 1)])).toBe(
      'Error: just support cluster and region spread constraint',
    );
  });

  test('only filters by provider and zone if there is another constraint', () => {
    const clusters = four.map((one) => ({ ...one, provider: 'p', zones: ['z'] }));
    expect(select(clusters, duplicated, [by('provider', 4, 4), by('zone', 4, 4), by('cluster', 1, 2)])).toBe(
      'a b',
    );
  });
});

describe('the selection by cluster', () => {
  test('takes the first clusters up to maxGroups', () => {
    expect(select(four, duplicated, [by('cluster', 1, 3)])).toBe('a b c');
    expect(select(four, duplicated, [by('cluster', 1, 9)])).toBe('a b c d');
  });

  test('uses the last of two cluster constraints', () => {
    expect(select(four, duplicated, [by('cluster', 1, 1), by('cluster', 2, 2)])).toBe('a b');
  });

  test('fails with too few feasible clusters', () => {
    expect(select(four, duplicated, [by('cluster', 4, 4)])).toBe('a b c d');
    expect(select(four, duplicated, [by('cluster', 5, 5)])).toBe(
      'Error: the number of feasible clusters is less than spreadConstraint.MinGroups',
    );
  });

  test('ignores capacity for a duplicated workload, even with a maximum of 0', () => {
    const full = four.map((one) => ({ ...one, room: 0 }));
    expect(select(full, duplicated, [by('cluster', 1, 2)])).toBe('a b');
    expect(select(full, duplicated, [by('cluster', 0, 0)])).toBe('');
  });

  describe('for a divided workload', () => {
    const some = (rooms: number[]): Feasible[] =>
      rooms.map((room, index) => ({ name: 'abcdef'[index]!, room }));

    test('replaces the last clusters with larger ones until the capacity is sufficient', () => {
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 10 })).toBe('a d');
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 14 })).toBe('c d');
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 2 })).toBe('a b');
    });

    test('counts existing replicas as capacity', () => {
      const clusters = [{ name: 'a', room: 0, has: 3 }, ...some([9, 9]).slice(1)];
      expect(select(clusters, divided, [by('cluster', 1, 1)], { replicas: 3 })).toBe('a');
      expect(select(clusters, divided, [by('cluster', 1, 1)], { replicas: 4 })).toBe('b');
    });

    test('prefers earlier clusters of equal capacity and never takes a smaller one', () => {
      expect(select(some([1, 1, 5, 5]), divided, [by('cluster', 1, 2)], { replicas: 6 })).toBe('a c');
      expect(select(some([2, 2, 2, 2]), divided, [by('cluster', 1, 2)], { replicas: 4 })).toBe('a b');
      expect(select(some([2, 3, 1]), divided, [by('cluster', 1, 2)], { replicas: 6 })).toBe(
        'Error: no enough resource when selecting 2 clusters',
      );
    });

    test('fails with the number of clusters if the capacity is too low', () => {
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 15 })).toBe(
        'Error: no enough resource when selecting 2 clusters',
      );
      expect(select(some([1, 1]), divided, [by('cluster', 0, 0)], { replicas: 0 })).toBe(
        'Error: no enough resource when selecting 0 clusters',
      );
    });
  });
});

describe('the selection by region', () => {
  const spread = [
    roomy('a1', { region: 'a' }),
    roomy('a2', { region: 'a' }),
    roomy('b1', { region: 'b' }),
    roomy('c1', { region: 'c' }),
  ];

  test('takes the first cluster of each region, and more clusters only with a cluster constraint', () => {
    expect(select(spread, duplicated, [by('region', 2, 2)])).toBe('a1 b1');
    expect(select(spread, duplicated, [by('region', 2, 2), by('cluster', 2, 2)])).toBe('a1 b1');
    expect(select(spread, duplicated, [by('region', 2, 2), by('cluster', 2, 9)])).toBe('a1 b1 a2');
  });

  test('adds further clusters in ranked order, whatever their region', () => {
    const ranked = [
      roomy('b1', { region: 'b' }),
      roomy('a1', { region: 'a' }),
      roomy('b2', { region: 'b' }),
      roomy('a2', { region: 'a' }),
      roomy('b3', { region: 'b' }),
    ];
    expect(select(ranked, duplicated, [by('region', 2, 2), by('cluster', 2, 4)])).toBe('b1 a1 b2 a2');
  });

  test('takes one cluster of each region even if the cluster constraint allows fewer', () => {
    expect(
      select(spread, duplicated, [by('region', 3, 3), by('cluster', 1, 1)])
        .split(' ')
        .sort(),
    ).toEqual(['a1', 'b1', 'c1']);
  });

  test('fails with too few regions', () => {
    expect(select(spread, duplicated, [by('region', 4, 4)])).toBe(
      'Error: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });

  test('fails if the allowed regions have too few clusters', () => {
    expect(select(spread, duplicated, [by('region', 1, 2), by('cluster', 4, 4)])).toBe(
      'Error: the number of clusters is less than the cluster spreadConstraint.MinGroups',
    );
    expect(select(spread, duplicated, [by('region', 1, 3), by('cluster', 4, 4)]).split(' ')).toHaveLength(4);
  });

  test('ignores clusters without a region', () => {
    expect(select([roomy('x'), ...spread], duplicated, [by('region', 4, 4)])).toBe(
      'Error: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });
});

describe('the score of a region', () => {
  const scores = (
    feasible: Feasible[],
    placement: Placement,
    region: SpreadConstraint,
    more: SpreadConstraint[] = [],
    options: { replicas?: number; version?: string } = {},
  ) =>
    Object.fromEntries(
      (selection(feasible, placement, [region, ...more], options).trace?.regions ?? []).map(
        ({ name, score }) => [name, score],
      ),
    );
  const clusters: Feasible[] = [
    { name: 'a1', region: 'a', room: 2, has: 3 },
    { name: 'a2', region: 'a', room: 10 },
    { name: 'a3', region: 'a', room: 1 },
    { name: 'b1', region: 'b', room: 1 },
  ];

  test('adds a thousand per cluster that fits a duplicated workload, and the mean score of these clusters', () => {
    // a1: 2 + 3 there, a2: 10; the mean of their scores 100 and 0
    expect(scores(clusters, duplicated, by('region', 1, 1))).toEqual({ a: 2050, b: 0 });
  });

  test('adds a thousand per fitting replica of its share of a divided workload', () => {
    // two regions: 3 of 5 replicas each; only a1 has capacity for 5
    expect(scores(clusters, divided, by('region', 2, 2), [], { replicas: 5 })).toEqual({
      a: 3000 + 50,
      b: 1000 + 0,
    });
  });

  test('covers at least the clusters that the constraints require', () => {
    const three = scores(clusters, divided, by('region', 1, 2), [by('cluster', 3, 3)], { replicas: 5 });
    // all three of a: 100, 0 and 0
    expect(three).toMatchObject({ a: 5000 + 33, b: 1000 });
  });

  test('ignores the share without a minimum of regions, as Karmada divides by zero', () => {
    expect(scores(clusters, divided, by('region', 0, 2), [], { replicas: 5 })).toEqual({ a: 100, b: 0 });
  });

  test('is the score of the best cluster up to v1.11', () => {
    expect(scores(clusters, duplicated, by('region', 1, 1), [], { version: 'v1.11.0' })).toEqual({
      a: 100,
      b: 0,
    });
  });

  test('prefers a region with capacity to the first region', () => {
    const full: Feasible[] = [
      { name: 'a1', region: 'a', room: 0 },
      { name: 'b1', region: 'b', room: 9 },
    ];
    expect(select(full, divided, [by('region', 1, 1), by('cluster', 1, 1)])).toBe('b1');
    expect(select(full, duplicated, [by('region', 1, 1), by('cluster', 1, 1)])).toBe('b1');
  });
});

describe('a group that does not fit a duplicated workload', () => {
  const clusters: Feasible[] = [
    { name: 'a', region: 'x', provider: 'p', zones: ['z1', 'z2'], room: 9 },
    { name: 'b', region: 'y', provider: 'p', zones: ['z2'], room: 2 },
  ];

  test.each([
    ['v1.11.4', 'a'],
    [
      'v1.12.0',
      'Panic: runtime error: integer divide by zero (no cluster of region y has capacity for 3 replicas)',
    ],
    [
      'v1.14.9',
      'Panic: runtime error: integer divide by zero (no cluster of region y has capacity for 3 replicas)',
    ],
    ['v1.14.10', 'a'],
    ['v1.15.6', 'a'],
    ['v1.17.0', 'a'],
  ])('in %s, has the result %s', (version, expected) => {
    expect(select(clusters, duplicated, [by('region', 1, 1), by('cluster', 1, 1)], { version })).toBe(
      expected,
    );
  });

  test('crashes the scheduler for zones and providers too, but not for a divided workload', () => {
    const version = 'v1.13.0';
    const crash = (field: string, placement = duplicated) =>
      select(clusters, placement, [by(field, 1, 1), by('cluster', 1, 1)], { version });
    expect(crash('provider')).toBe('a');
    // capacity for exactly these
    const options = { version, replicas: 2 };
    expect(select(clusters, duplicated, [by('region', 1, 1), by('cluster', 1, 1)], options)).toBe('a');
    // z1 and z2 have a
    expect(crash('zone')).toBe('a');
    expect(crash('region', divided)).toBe('a');
    const other = clusters.map((one) => (one.name === 'b' ? { ...one, zones: ['z3'], provider: 'q' } : one));
    const crashes = (field: string) =>
      select(other, duplicated, [by(field, 1, 1), by('cluster', 1, 1)], { version });
    expect(crashes('zone')).toContain('no cluster of zone z3 has capacity');
    expect(crashes('provider')).toContain('no cluster of provider q has capacity');
  });
});

describe('the trace of a selection', () => {
  test('contains the groups of each constraint, the scores of regions and the error', () => {
    const clusters = [
      roomy('a1', { region: 'a', provider: 'p', zones: ['z1', 'z2'] }),
      roomy('a2', { region: 'a', provider: 'q', zones: ['z2'] }),
      roomy('b1', { region: 'b', provider: 'p' }),
    ];
    const constraints = [by('region', 1, 1), by('cluster', 1, 2), by('provider', 1, 2), by('zone', 1, 0)];
    const { trace } = selection(clusters, duplicated, constraints);
    expect(trace).toMatchObject({
      rule: 'region',
      constraints: [
        { field: 'region', minGroups: 1, maxGroups: 1, groups: 2 },
        { field: 'cluster', minGroups: 1, maxGroups: 2, groups: 3 },
        { field: 'provider', groups: 2 },
        { field: 'zone', maxGroups: 0, groups: 2 },
      ],
      regions: [
        { name: 'a', clusters: 2, score: 2000, chosen: true },
        { name: 'b', clusters: 1, score: 1000, chosen: false },
      ],
    });
    expect(trace).not.toHaveProperty('error');
    expect(selection(clusters, duplicated, [by('cluster', 9, 9)]).trace).toMatchObject({
      rule: 'cluster',
      error: 'the number of feasible clusters is less than spreadConstraint.MinGroups',
    });
    expect(selection(clusters, duplicated, []).trace).toEqual({ rule: 'all', constraints: [] });
  });
});

describe('in a scheduling attempt', () => {
  const cluster = (name: string, spec: Cluster['spec'] = {}): Cluster => ({
    metadata: { name },
    spec,
    status: {
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
      resourceSummary: { allocatable: { pods: '100' } },
    },
  });
  const attempt = (clusters: Cluster[], constraints: SpreadConstraint[]) => {
    const snapshot = createClusterSnapshot(clusters, schedulerOptions(dialectOf('v1.18.2').dialect.defaults));
    const placement = { ...duplicated, spreadConstraints: constraints };
    const result = schedule(snapshot, { resource, replicas: 3, placement }, undefined);
    return 'error' in result
      ? `${result.error.kind}: ${result.error.message}`
      : result.clusters.map(({ name }) => name).join(' ');
  };

  test.each([
    ['region', { region: 'x' }, 'region property'],
    ['provider', { provider: 'p' }, 'provider property'],
    ['zone', { zones: ['z'] }, 'zones property'],
  ])('a cluster without a %s is filtered out before the selection', (field, spec, text) => {
    const constraints = [by(field, 1, 1), by('cluster', 1, 2)];
    expect(attempt([cluster('bare'), cluster('fit', spec)], constraints)).toBe('fit');
    expect(attempt([cluster('bare')], constraints)).toBe(
      `FitError: 0/1 clusters are available: 1 cluster(s) did not have ${text}.`,
    );
  });

  test('a selection error becomes a scheduler error with a prefix', () => {
    expect(attempt([cluster('one', { region: 'x' })], [by('region', 2, 2)])).toBe(
      'Error: failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });
});
