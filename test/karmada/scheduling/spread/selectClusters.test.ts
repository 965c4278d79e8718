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

describe('without a constraint that counts', () => {
  test('all feasible clusters are taken, in their order', () => {
    expect(select(four.toReversed(), duplicated, [])).toBe('d c b a');
  });

  test('static weights divide all replicas, whatever the capacity', () => {
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

  test.each(['provider', 'zone'])('a constraint by %s alone is an error: none chooses by it', (field) => {
    const clusters = four.map((one) => ({ ...one, provider: 'p', zones: ['z'] }));
    expect(select(clusters, duplicated, [by(field, 1, 1)])).toBe(
      'Error: just support cluster and region spread constraint',
    );
  });

  test('a constraint by provider or zone beside others only filters', () => {
    const clusters = four.map((one) => ({ ...one, provider: 'p', zones: ['z'] }));
    expect(select(clusters, duplicated, [by('provider', 4, 4), by('zone', 4, 4), by('cluster', 1, 2)])).toBe(
      'a b',
    );
  });
});

describe('by cluster', () => {
  test('the first ones are taken, as many as are allowed', () => {
    expect(select(four, duplicated, [by('cluster', 1, 3)])).toBe('a b c');
    expect(select(four, duplicated, [by('cluster', 1, 9)])).toBe('a b c d');
  });

  test('of two such constraints the last one counts', () => {
    expect(select(four, duplicated, [by('cluster', 1, 1), by('cluster', 2, 2)])).toBe('a b');
  });

  test('too few feasible ones are an error', () => {
    expect(select(four, duplicated, [by('cluster', 4, 4)])).toBe('a b c d');
    expect(select(four, duplicated, [by('cluster', 5, 5)])).toBe(
      'Error: the number of feasible clusters is less than spreadConstraint.MinGroups',
    );
  });

  test('a duplicated workload goes there whatever the capacity, also to none', () => {
    const full = four.map((one) => ({ ...one, room: 0 }));
    expect(select(full, duplicated, [by('cluster', 1, 2)])).toBe('a b');
    expect(select(full, duplicated, [by('cluster', 0, 0)])).toBe('');
  });

  describe('a divided workload needs capacity in all', () => {
    const some = (rooms: number[]): Feasible[] =>
      rooms.map((room, index) => ({ name: 'abcdef'[index]!, room }));

    test('from the last one up, each is exchanged for the roomiest of the rest', () => {
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 10 })).toBe('a d');
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 14 })).toBe('c d');
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 2 })).toBe('a b');
    });

    test('present replicas count as capacity', () => {
      const clusters = [{ name: 'a', room: 0, has: 3 }, ...some([9, 9]).slice(1)];
      expect(select(clusters, divided, [by('cluster', 1, 1)], { replicas: 3 })).toBe('a');
      expect(select(clusters, divided, [by('cluster', 1, 1)], { replicas: 4 })).toBe('b');
    });

    test('with equal capacity the earlier one is taken, or stays, and none is exchanged for less', () => {
      expect(select(some([1, 1, 5, 5]), divided, [by('cluster', 1, 2)], { replicas: 6 })).toBe('a c');
      expect(select(some([2, 2, 2, 2]), divided, [by('cluster', 1, 2)], { replicas: 4 })).toBe('a b');
      expect(select(some([2, 3, 1]), divided, [by('cluster', 1, 2)], { replicas: 6 })).toBe(
        'Error: no enough resource when selecting 2 clusters',
      );
    });

    test('too little of it is an error that counts the clusters', () => {
      expect(select(some([1, 1, 5, 9]), divided, [by('cluster', 1, 2)], { replicas: 15 })).toBe(
        'Error: no enough resource when selecting 2 clusters',
      );
      expect(select(some([1, 1]), divided, [by('cluster', 0, 0)], { replicas: 0 })).toBe(
        'Error: no enough resource when selecting 0 clusters',
      );
    });
  });
});

describe('by region', () => {
  const spread = [
    roomy('a1', { region: 'a' }),
    roomy('a2', { region: 'a' }),
    roomy('b1', { region: 'b' }),
    roomy('c1', { region: 'c' }),
  ];

  test('each chosen region gives its first cluster; others come only as a cluster constraint allows', () => {
    expect(select(spread, duplicated, [by('region', 2, 2)])).toBe('a1 b1');
    expect(select(spread, duplicated, [by('region', 2, 2), by('cluster', 2, 2)])).toBe('a1 b1');
    expect(select(spread, duplicated, [by('region', 2, 2), by('cluster', 2, 9)])).toBe('a1 b1 a2');
  });

  test('the others are taken in ranked order, whatever their region', () => {
    const ranked = [
      roomy('b1', { region: 'b' }),
      roomy('a1', { region: 'a' }),
      roomy('b2', { region: 'b' }),
      roomy('a2', { region: 'a' }),
      roomy('b3', { region: 'b' }),
    ];
    expect(select(ranked, duplicated, [by('region', 2, 2), by('cluster', 2, 4)])).toBe('b1 a1 b2 a2');
  });

  test('one cluster of each region is taken also if fewer clusters are asked for', () => {
    expect(
      select(spread, duplicated, [by('region', 3, 3), by('cluster', 1, 1)])
        .split(' ')
        .sort(),
    ).toEqual(['a1', 'b1', 'c1']);
  });

  test('too few regions are an error', () => {
    expect(select(spread, duplicated, [by('region', 4, 4)])).toBe(
      'Error: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });

  test('regions that together have too few clusters are another one', () => {
    expect(select(spread, duplicated, [by('region', 1, 2), by('cluster', 4, 4)])).toBe(
      'Error: the number of clusters is less than the cluster spreadConstraint.MinGroups',
    );
    expect(select(spread, duplicated, [by('region', 1, 3), by('cluster', 4, 4)]).split(' ')).toHaveLength(4);
  });

  test('clusters without a region belong to none', () => {
    expect(select([roomy('x'), ...spread], duplicated, [by('region', 4, 4)])).toBe(
      'Error: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });
});

describe('a region scores', () => {
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

  test('for a duplicated workload a thousand for each cluster that fits all of it, and the scores of these', () => {
    // a1: 2 + 3 there, a2: 10; the mean of their scores 100 and 0
    expect(scores(clusters, duplicated, by('region', 1, 1))).toEqual({ a: 2050, b: 0 });
  });

  test('for a divided one a thousand for each replica of its share, if it fits', () => {
    // two regions: 3 of 5 replicas each; only a1 has capacity for 5
    expect(scores(clusters, divided, by('region', 2, 2), [], { replicas: 5 })).toEqual({
      a: 3000 + 50,
      b: 1000 + 0,
    });
  });

  test('of as many clusters as the constraints ask for at least', () => {
    const three = scores(clusters, divided, by('region', 1, 2), [by('cluster', 3, 3)], { replicas: 5 });
    // all three of a: 100, 0 and 0
    expect(three).toMatchObject({ a: 5000 + 33, b: 1000 });
  });

  test('without a minimum of regions nothing for its share: Karmada divides by none', () => {
    expect(scores(clusters, divided, by('region', 0, 2), [], { replicas: 5 })).toEqual({ a: 100, b: 0 });
  });

  test('up to v1.11 only as its best cluster', () => {
    expect(scores(clusters, duplicated, by('region', 1, 1), [], { version: 'v1.11.0' })).toEqual({
      a: 100,
      b: 0,
    });
  });

  test('so that the region with the capacity is chosen, and not the first one', () => {
    const full: Feasible[] = [
      { name: 'a1', region: 'a', room: 0 },
      { name: 'b1', region: 'b', room: 9 },
    ];
    expect(select(full, divided, [by('region', 1, 1), by('cluster', 1, 1)])).toBe('b1');
    expect(select(full, duplicated, [by('region', 1, 1), by('cluster', 1, 1)])).toBe('b1');
  });
});

describe('the scheduler crashes if no cluster of a group fits a duplicated workload', () => {
  const clusters: Feasible[] = [
    { name: 'a', region: 'x', provider: 'p', zones: ['z1', 'z2'], room: 9 },
    { name: 'b', region: 'y', provider: 'p', zones: ['z2'], room: 2 },
  ];

  test.each([
    ['v1.11.4', 'a'],
    [
      'v1.12.0',
      'Panic: runtime error: integer divide by zero (no cluster of region y has room for 3 replicas)',
    ],
    [
      'v1.14.9',
      'Panic: runtime error: integer divide by zero (no cluster of region y has room for 3 replicas)',
    ],
    ['v1.14.10', 'a'],
    ['v1.15.6', 'a'],
    ['v1.17.0', 'a'],
  ])('in %s: %s', (version, expected) => {
    expect(select(clusters, duplicated, [by('region', 1, 1), by('cluster', 1, 1)], { version })).toBe(
      expected,
    );
  });

  test('whether the group is chosen or not, by any field but the cluster, and never for a divided one', () => {
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
    expect(crashes('zone')).toContain('no cluster of zone z3 has room');
    expect(crashes('provider')).toContain('no cluster of provider q has room');
  });
});

describe('what was seen', () => {
  test('is reported: each constraint with its groups, the regions with what they score, the error', () => {
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

describe('in an attempt of the scheduler', () => {
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
  ])('a cluster without a %s is out before anything is chosen', (field, spec, text) => {
    const constraints = [by(field, 1, 1), by('cluster', 1, 2)];
    expect(attempt([cluster('bare'), cluster('fit', spec)], constraints)).toBe('fit');
    expect(attempt([cluster('bare')], constraints)).toBe(
      `FitError: 0/1 clusters are available: 1 cluster(s) did not have ${text}.`,
    );
  });

  test('errors of the choice are errors of the scheduler, with its words before them', () => {
    expect(attempt([cluster('one', { region: 'x' })], [by('region', 2, 2)])).toBe(
      'Error: failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
    );
  });
});
