import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement, SpreadConstraint } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import {
  createClusterSnapshot,
  type ClusterSnapshot,
} from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { usualResults, type UsualResult } from '../../../src/karmada/scheduling/usualResults.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';

const NOW = Date.parse('2026-09-01T08:00:00Z');
const options = schedulerOptions(v1_18.defaults);

type Changes = Pick<NonNullable<Cluster['spec']>, 'taints'> & { pods?: string; env?: string; gone?: boolean };

function cluster(name: string, { taints = [], pods = '20', env = 'prod', gone }: Changes = {}): Cluster {
  return {
    metadata: { name, labels: { env }, ...(gone && { deletionTimestamp: rfc3339(NOW) }) },
    spec: { region: name < 'c3' ? 'r1' : 'r2', taints },
    status: {
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
      resourceSummary: { allocatable: { pods } },
    },
  };
}

const NAMES = ['c1', 'c2', 'c3', 'c4', 'c5'];
const taint = { key: 'net', effect: 'NoSchedule' } as const;
const changes: fc.Arbitrary<Changes> = fc.oneof(
  fc.constantFrom<Changes>(
    { taints: [taint] },
    { pods: '40' },
    { pods: '5' },
    { env: 'test' },
    { gone: true },
  ),
  fc.constantFrom<Changes>({ taints: [taint], pods: '30' }, { taints: [] }),
);
const anywhere = fc.dictionary(fc.constantFrom(...NAMES), changes, { maxKeys: 3 });
const snapshotOf = (changed: Record<string, Changes>): Cluster[] =>
  NAMES.map((name) => cluster(name, changed[name]));

const placements: fc.Arbitrary<Placement> = fc.record(
  {
    clusterAffinity: fc.constantFrom({}, { labelSelector: { matchLabels: { env: 'prod' } } }),
    clusterTolerations: fc.constantFrom([], [{ operator: 'Exists' }]),
    spreadConstraints: fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
        .map(([minGroups, maxGroups]) => [{ spreadByField: 'cluster', minGroups, maxGroups }]),
      fc.constant<SpreadConstraint[]>([{ spreadByField: 'region', minGroups: 1, maxGroups: 2 }]),
    ),
    replicaScheduling: fc.constantFrom(
      { replicaSchedulingType: 'Duplicated' },
      { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    ),
  },
  { requiredKeys: [] },
);

/** A binding as the scheduler leaves it on these clusters. */
function settled(snapshot: ClusterSnapshot, placement: Placement, replicas: number): ResourceBinding {
  let binding: ResourceBinding = {
    metadata: { name: 'web', namespace: 'shop', generation: 1 },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, replicas, placement },
  };
  for (let look = 0; look < 3; look++) {
    const { spec, annotations, status } = scheduleBinding({ snapshot, binding, now: NOW });
    const metadata = {
      ...binding.metadata,
      annotations: { ...binding.metadata.annotations, ...annotations },
    };
    binding = { ...binding, metadata, spec, ...(status && { status }) };
  }
  return binding;
}

/** What the scheduler decides, in the words of usual results; undefined: anything else. */
function decided(snapshot: ClusterSnapshot, binding: ResourceBinding): UsualResult | undefined {
  const { trigger, spec, failure } = scheduleBinding({ snapshot, binding, now: NOW + 1000 });
  if (!trigger) return 'idle';
  return spec === binding.spec && !failure ? 'stays' : undefined;
}

/** @param changed one after the other; nothing has changed of an empty one */
function asked(
  before: Record<string, Changes>,
  placement: Placement,
  replicas: number,
  changed: Changes[][],
) {
  const origin = createClusterSnapshot(snapshotOf(before), options);
  const binding = settled(origin, placement, replicas);
  const usual = usualResults(origin, new Map([['shop/web', binding]]));
  const now = changed.reduce<ClusterSnapshot>(
    (snapshot, one) =>
      snapshot.with(
        ...one.flatMap((each, at) => (Object.keys(each).length > 0 ? cluster(NAMES[at]!, each) : [])),
      ),
    origin.fork(),
  );
  return { found: usual.of(now, 'shop/web', binding), expected: decided(now, binding) };
}

describe('usual results of the scheduler', () => {
  test('are what it decides', () => {
    const several = fc.array(fc.array(fc.oneof(changes, fc.constant({})), { maxLength: 5 }), {
      maxLength: 2,
    });
    fc.assert(
      fc.property(anywhere, placements, fc.integer({ min: 0, max: 6 }), several, (...world) => {
        const { found, expected } = asked(...world);
        if (found) expect(found).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('are known where it has nothing to do, and where all stays', () => {
    const one = { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }] };
    const divided = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    };
    const fails = [[{}, {}, {}, {}, { taints: [taint] }]];
    expect(asked({}, one, 2, fails).found).toBe('stays');
    expect(asked({}, divided, 2, fails).found).toBe('idle');
  });

  test('are not known of a cluster that comes to fit, and of an order by other room', () => {
    const all = {};
    expect(asked({ c2: { taints: [taint] } }, all, 2, [[{}, { taints: [] }]]).found).toBeUndefined();
    expect(asked({}, all, 2, [[{}, {}, { pods: '40' }]]).found).toBeUndefined();
  });
});
