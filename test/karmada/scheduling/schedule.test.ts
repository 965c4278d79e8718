import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AttemptTrace } from '../../../src/karmada/scheduling/trace.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type {
  ResourceBinding,
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../../src/karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../../src/karmada/api/names.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedule } from '../../../src/karmada/scheduling/schedule.ts';
import { scheduleBinding } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { v1_18 } from '../../dialects.ts';
import { aggregated, byCapacity, divided, duplicated, resultText, spec, text } from './carts.ts';

const NOW = Date.parse('2026-09-01T08:00:00Z');
const options = schedulerOptions(v1_18.defaults);

function cluster(
  name: string,
  { pods = '100', region, taints = [] }: { pods?: string; region?: string; taints?: Taint[] } = {},
): Cluster {
  return {
    metadata: { name },
    spec: { ...(region ? { region } : {}), taints },
    status: {
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
      resourceSummary: { allocatable: { pods } },
    },
  };
}

const staticWeights = (...weights: [string, number][]): Placement =>
  divided('Weighted', {
    staticWeightList: weights.map(([name, weight]) => ({ targetCluster: { clusterNames: [name] }, weight })),
  });

function place(clusters: Cluster[], wanted: ResourceBindingSpec, status?: ResourceBindingStatus): string {
  return resultText(schedule(createClusterSnapshot(clusters, options), wanted, status));
}

describe('the filters', () => {
  const tainted = cluster('m2', { taints: [{ key: 'maintenance', effect: 'NoExecute' }] });

  test('exclude a cluster with an untolerated taint, except for existing replicas', () => {
    expect(place([cluster('m1'), tainted], spec(duplicated))).toBe('m1×3');
    expect(
      place([cluster('m1'), tainted], spec(duplicated, { clusters: [{ name: 'm2', replicas: 3 }] })),
    ).toBe('m2×3 m1×3');
  });

  test.each([
    ['*,-TaintToleration', 'm1×3 m2×3'],
    ['-TaintToleration,*', 'm1×3 m2×3'],
    ['*,-TaintToleration,TaintToleration', 'm1×3'],
    ['ClusterAffinity,Own', 'm1×3 m2×3'],
    ['*,-Own', 'm1×3'],
  ])('run as --plugins=%s says', (plugins, placed) => {
    const snapshot = createClusterSnapshot([cluster('m1'), tainted], { ...options, plugins });
    expect(resultText(schedule(snapshot, spec(duplicated), undefined))).toBe(placed);
  });

  test('admit new replicas with a toleration of any duration', () => {
    const clusterTolerations = [{ key: 'maintenance', operator: 'Exists', tolerationSeconds: 0 }];
    expect(place([tainted], spec({ ...duplicated, clusterTolerations }))).toBe('m2×3');
  });

  test('exclude a cluster with an eviction task, even if the result contains it', () => {
    const gracefulEvictionTasks = [{ fromCluster: 'm1', producer: 'p', reason: 'r' }];
    const wanted = spec(duplicated, { clusters: [{ name: 'm1', replicas: 3 }], gracefulEvictionTasks });
    expect(place([cluster('m1'), cluster('m2')], wanted)).toBe('m2×3');
  });

  test('exclude a cluster without the API, unless it already has the workload', () => {
    const bare: Cluster = { metadata: { name: 'm0' } };
    expect(place([bare, cluster('m1')], spec(duplicated))).toBe('m1×3');
    expect(place([bare], spec(duplicated, { clusters: [{ name: 'm0', replicas: 3 }] }))).toBe('m0×3');
  });

  test('exclude a cluster that is being deleted but count it', () => {
    const leaving: Cluster = {
      ...cluster('m1'),
      metadata: { name: 'm1', deletionTimestamp: '2026-09-01T07:00:00Z' },
    };
    expect(place([leaving], spec(duplicated))).toBe(
      'FitError: 0/1 clusters are available: no cluster exists.',
    );
  });

  test('report the counted reasons in text order', () => {
    const placement: Placement = { ...duplicated, clusterAffinity: { clusterNames: ['m2'] } };
    expect(place([cluster('m1'), cluster('m3'), tainted], spec(placement))).toBe(
      'FitError: 0/3 clusters are available: 1 cluster(s) had untolerated taint {maintenance:NoExecute}, 2 cluster(s) did not match the placement cluster affinity constraint.',
    );
  });
});

describe('spread constraints', () => {
  const by = (spreadByField: string, minGroups: number, maxGroups: number) => ({
    spreadByField,
    minGroups,
    maxGroups,
  });
  const three = [cluster('a', { region: 'x' }), cluster('b', { region: 'x' }), cluster('c', { region: 'y' })];

  test('by cluster prefer clusters with replicas, then more capacity, then the first name', () => {
    const roomy = cluster('d', { pods: '500' });
    const placement = { ...duplicated, spreadConstraints: [by('cluster', 1, 2)] };
    expect(place([...three, roomy], spec(placement))).toBe('d×3 a×3');
    expect(place([...three, roomy], spec(placement, { clusters: [{ name: 'c', replicas: 3 }] }))).toBe(
      'c×3 d×3',
    );
  });

  test('fail with a scheduler error for too few clusters', () => {
    const placement = { ...duplicated, spreadConstraints: [by('cluster', 4, 5)] };
    expect(place(three, spec(placement))).toBe(
      'Error: failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups',
    );
  });

  test('by region select one cluster of each region before other clusters', () => {
    const placement = { ...duplicated, spreadConstraints: [by('region', 2, 2), by('cluster', 2, 2)] };
    expect(place(three, spec(placement)).split(' ').sort()).toEqual(['a×3', 'c×3']);
  });

  test('are ignored with static weights', () => {
    const placement = {
      ...staticWeights(['a', 1], ['b', 1], ['c', 1]),
      spreadConstraints: [by('cluster', 1, 1)],
    };
    expect(place(three, spec(placement))).toBe('a×1 b×1 c×1');
  });

  test('with a maximum of 0 fail for a divided workload', () => {
    const placement = { ...aggregated, spreadConstraints: [by('cluster', 0, 0)] };
    expect(place(three, spec(placement))).toBe(
      'Error: failed to select clusters: no enough resource when selecting 0 clusters',
    );
  });
});

describe('replica division', () => {
  test('with static weights ignores the previous result', () => {
    const two = [cluster('m1'), cluster('m2')];
    expect(place(two, spec(staticWeights(['m1', 1], ['m2', 2])))).toBe('m1×1 m2×2');
    const clusters = [{ name: 'm1', replicas: 3 }];
    expect(place(two, spec(staticWeights(['m1', 1], ['m2', 2]), { clusters }))).toBe('m1×1 m2×2');
  });

  test('by weight uses the Webster method and breaks ties by fewer replicas, then by name', () => {
    const weights = staticWeights(['a', 3], ['b', 2], ['c', 1]);
    expect(place([cluster('a'), cluster('b'), cluster('c')], spec(weights, { replicas: 7 }))).toBe(
      'a×4 b×2 c×1',
    );
    const even = staticWeights(['a', 1], ['b', 1]);
    expect(place([cluster('a'), cluster('b')], spec(even, { replicas: 7 }))).toBe('a×4 b×3');
  });

  test('by capacity keeps the replicas of the remaining clusters after an eviction', () => {
    const clusters = [{ name: 'm2', replicas: 6 }];
    const fleet = [cluster('m2', { pods: '1' }), cluster('m3', { pods: '9' })];
    expect(place(fleet, spec(byCapacity, { replicas: 10, clusters }))).toBe('m2×6 m3×4');
  });

  test('by capacity assigns no replicas if the capacity is too low', () => {
    const clusters = [{ name: 'm2', replicas: 6 }];
    const fleet = [cluster('m2', { pods: '1' }), cluster('m3', { pods: '2' })];
    expect(place(fleet, spec(byCapacity, { replicas: 10, clusters }))).toBe(
      'UnschedulableError: failed to assign replicas: failed to scale up: Clusters available replicas 3 are not enough to schedule.',
    );
  });

  test('in aggregated mode uses the fewest clusters, and clusters with replicas first', () => {
    const fleet = [cluster('m1', { pods: '50' }), cluster('m2', { pods: '9' })];
    expect(place(fleet, spec(aggregated, { replicas: 9 }))).toBe('m1×9');
    expect(place(fleet, spec(aggregated, { replicas: 9, clusters: [{ name: 'm2', replicas: 4 }] }))).toBe(
      'm2×9',
    );
  });

  test('after a rebalance trigger ignores the previous result', () => {
    const fleet = [cluster('m1', { pods: '50' }), cluster('m2', { pods: '9' })];
    const wanted = spec(aggregated, {
      replicas: 4,
      clusters: [{ name: 'm2', replicas: 4 }],
      rescheduleTriggeredAt: '2026-09-01T07:00:00Z',
    });
    expect(place(fleet, wanted, { lastScheduledTime: '2026-09-01T06:00:00Z' })).toBe('m1×4');
    expect(place(fleet, wanted, { lastScheduledTime: '2026-09-01T07:30:00Z' })).toBe('m2×4');
  });
});

describe('the scheduler', () => {
  function binding(
    placement: Placement,
    more: Partial<ResourceBinding> & { applied?: Placement | undefined } = {},
  ): ResourceBinding {
    const { applied = placement, ...rest } = more;
    return {
      metadata: {
        name: 'cart-deployment',
        generation: 5,
        annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(applied) },
      },
      spec: spec(placement, { clusters: [{ name: 'm1', replicas: 3 }] }),
      status: { schedulerObservedGeneration: 5 },
      ...rest,
    };
  }
  const look = (one: ResourceBinding, clusters = [cluster('m1'), cluster('m2')]) =>
    scheduleBinding({ snapshot: createClusterSnapshot(clusters, options), binding: one, now: NOW });

  test('does not reschedule a divided workload with all its replicas', () => {
    const outcome = look(binding(aggregated));
    expect(outcome).toMatchObject({ attempts: [], retry: false });
    expect(outcome.trigger).toBeUndefined();
  });

  test('updates the observed generation if there is nothing to schedule', () => {
    const outcome = look(binding(aggregated, { status: { schedulerObservedGeneration: 4 } }));
    expect(outcome.status).toEqual({ schedulerObservedGeneration: 5 });
  });

  test('reschedules a duplicated workload every time', () => {
    const outcome = look(binding(duplicated));
    expect(outcome.trigger).toBe('always rescheduled');
    expect(text(outcome.spec.clusters!)).toBe('m1×3 m2×3');
    expect(outcome.status).toMatchObject({
      schedulerObservedGeneration: 5,
      lastScheduledTime: '2026-09-01T08:00:00Z',
    });
  });

  test('clears the result if no cluster fits, and does not retry', () => {
    const one = binding({ ...duplicated, clusterAffinity: { clusterNames: ['m9'] } });
    const outcome = look(one);
    expect(outcome.spec.clusters).toEqual([]);
    expect(outcome).toMatchObject({
      failure: { reason: 'NoClusterFit' },
      retry: false,
      status: { schedulerObservedGeneration: 5 },
    });
    expect(outcome.status!.lastScheduledTime).toBeUndefined();
  });

  test('keeps the result and retries if capacity is missing or a constraint fails', () => {
    const short = look({
      ...binding(aggregated),
      spec: spec(aggregated, { replicas: 500, clusters: [{ name: 'm1', replicas: 3 }] }),
    });
    expect(short).toMatchObject({ failure: { reason: 'Unschedulable' }, retry: true });
    expect(text(short.spec.clusters!)).toBe('m1×3');
    const placement = {
      ...duplicated,
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 3 }],
    };
    expect(look(binding(placement))).toMatchObject({ failure: { reason: 'SchedulerError' }, retry: true });
  });

  describe('with affinity groups', () => {
    const placement: Placement = {
      ...aggregated,
      clusterAffinities: [
        { affinityName: 'one', clusterNames: ['m1'] },
        { affinityName: 'two', clusterNames: ['m2'] },
      ],
    };
    const at = (name: string, clusters: TargetCluster[]) =>
      binding(placement, {
        spec: spec(placement, { clusters }),
        status: { schedulerObservedGeneration: 5, schedulerObservingAffinityName: name },
      });

    test('tries the next group if the observed group fails', () => {
      const outcome = look(at('one', []), [cluster('m2')]);
      expect(outcome.attempts.map(({ affinityName, error }) => [affinityName, error?.kind])).toEqual([
        ['one', 'FitError'],
        ['two', undefined],
      ]);
      expect(outcome.status!.schedulerObservingAffinityName).toBe('two');
    });

    test('never returns to an earlier group', () => {
      const outcome = look(at('two', []), [cluster('m1')]);
      expect(outcome.attempts.map(({ affinityName }) => affinityName)).toEqual(['two']);
      expect(outcome).toMatchObject({ failure: { reason: 'NoClusterFit' } });
      expect(outcome.status!.schedulerObservingAffinityName).toBe('two');
    });
  });
});

describe('scheduling with any fleet and placement', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const fleet = fc.uniqueArray(
    fc.record({
      name,
      pods: fc.integer({ min: 0, max: 30 }),
      region: fc.constantFrom('x', 'y', ''),
      tainted: fc.boolean(),
    }),
    { selector: (one) => one.name, minLength: 1, maxLength: 6 },
  );
  const placement = fc.constantFrom<Placement>(
    aggregated,
    byCapacity,
    duplicated,
    staticWeights(['a', 2], ['b', 1], ['c', 5]),
    { ...aggregated, spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }] },
    {
      ...byCapacity,
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 1, maxGroups: 2 },
        { spreadByField: 'cluster', minGroups: 1, maxGroups: 4 },
      ],
    },
  );
  const previous = fc.uniqueArray(fc.record({ name, replicas: fc.integer({ min: 1, max: 8 }) }), {
    selector: (one) => one.name,
    maxLength: 4,
  });
  const clustersOf = (members: { name: string; pods: number; region: string; tainted: boolean }[]) =>
    members.map((one) =>
      cluster(one.name, {
        pods: String(one.pods),
        ...(one.region ? { region: one.region } : {}),
        taints: one.tainted ? [{ key: 'k', effect: 'NoSchedule' }] : [],
      }),
    );

  test('assigns all replicas of a divided workload or no replicas', () => {
    fc.assert(
      fc.property(
        fleet,
        placement,
        previous,
        fc.integer({ min: 1, max: 20 }),
        (members, wanted, clusters, replicas) => {
          const result = schedule(
            createClusterSnapshot(clustersOf(members), options),
            spec(wanted, { clusters, replicas }),
            undefined,
          );
          if ('error' in result) return;
          const total = result.clusters.reduce((sum, one) => sum + (one.replicas ?? 0), 0);
          if (wanted !== duplicated) expect(total).toBe(replicas);
          else expect(result.clusters.every((one) => one.replicas === replicas)).toBe(true);
        },
      ),
    );
  });

  test('returns the same result when it is repeated without changes', () => {
    fc.assert(
      fc.property(fleet, placement, fc.integer({ min: 1, max: 20 }), (members, wanted, replicas) => {
        const snapshot = createClusterSnapshot(clustersOf(members), options);
        const first = schedule(snapshot, spec(wanted, { replicas }), undefined);
        if ('error' in first) return;
        const second = schedule(snapshot, spec(wanted, { replicas, clusters: first.clusters }), undefined);
        const sorted = (clusters: TargetCluster[]) => clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        expect('error' in second ? second.error : sorted(second.clusters)).toEqual(sorted(first.clusters));
      }),
    );
  });

  test('returns the same result for a changed snapshot and a new snapshot, with and without a trace', () => {
    fc.assert(
      fc.property(fleet, fleet, placement, previous, (members, changed, wanted, clusters) => {
        const before = createClusterSnapshot(clustersOf(members), options);
        schedule(before, spec(wanted, { clusters }), undefined);
        const next = clustersOf(changed);
        const names = new Set<string>(changed.map((one) => one.name));
        const fresh = createClusterSnapshot(
          [...clustersOf(members).filter(({ metadata }) => !names.has(metadata.name)), ...next],
          options,
        );
        const expected = schedule(fresh, spec(wanted, { clusters }), undefined);
        expect(schedule(before.with(...next), spec(wanted, { clusters }), undefined)).toEqual(expected);
        expect(schedule(fresh, spec(wanted, { clusters }), undefined, { clusters: [] })).toEqual(expected);
      }),
    );
  });

  test('returns the same result for a snapshot after the removal of a cluster and a new snapshot', () => {
    fc.assert(
      fc.property(fleet, fc.nat(), placement, previous, (members, which, wanted, before) => {
        const all = clustersOf(members);
        const lost = all[which % all.length]?.metadata.name ?? 'none';
        const clusters = before.filter(({ name }) => name !== lost);
        const asked = (of: typeof all, absent?: string) => {
          const snapshot = createClusterSnapshot(of, options);
          schedule(snapshot, spec(wanted, { clusters }), undefined);
          const left = absent === undefined ? snapshot : snapshot.without(absent);
          const trace: AttemptTrace = { clusters: [] };
          return [schedule(left, spec(wanted, { clusters }), undefined, trace), trace.clusters];
        };
        const fresh = all.filter(({ metadata }) => metadata.name !== lost);
        expect(asked(all, lost)).toEqual(asked(fresh));
      }),
    );
  });
});
