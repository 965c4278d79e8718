import { describe, expect, test } from '@jest/globals';
import { cordoned } from '../../../../src/analysis/drain/cordon.ts';
import { evictFromClusters } from '../../../../src/analysis/drain/drainTasks.ts';
import { restoreClusters } from '../../../../src/analysis/drain/back/restoreClusters.ts';
import { createClusterSnapshot } from '../../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../../src/karmada/scheduling/schedulerOptions.ts';
import type { Placement } from '../../../../src/karmada/api/policy.ts';
import type { ResourceBinding, TargetCluster } from '../../../../src/karmada/api/work.ts';
import { cluster, deployment, START } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, defaults, everywhere, workOf } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';

const targets = (text: string): TargetCluster[] =>
  text.split(' ').map((word) => {
    const [name, replicas] = word.split('=');
    return { name: name!, replicas: Number(replicas) };
  });

const clusters = ['east-1', 'west-1', 'west-2'].map((name) => cluster(name));

/** The scheduler's result for a binding. */
function scheduled(binding: ResourceBinding, drained: string[] = []): ResourceBinding {
  const seen = clusters.map((one) => (drained.includes(one.metadata.name) ? cordoned(one) : one));
  const snapshot = createClusterSnapshot(seen, schedulerOptions(defaults));
  const outcome = scheduleBinding({ snapshot, binding, now: START });
  expect(outcome.failure).toBeUndefined();
  return { ...binding, spec: outcome.spec, ...(outcome.status ? { status: outcome.status } : {}) };
}

/** Evicted from east-1 and rescheduled by Karmada's rules. */
function evictedFrom(placement: Placement, before: string, replicas: number): ResourceBinding {
  const binding = deployment('web', { placement, replicas, clusters: targets(before) });
  const spec = evictFromClusters(binding.spec, ['east-1'], drainOf(['east-1']));
  return scheduled({ ...binding, metadata: { ...binding.metadata, generation: 3 }, spec }, ['east-1']);
}

const works = new Map(['east-1', 'west-1', 'west-2'].map((name) => [name, workOf(name)]));

describe('restoring evicted clusters', () => {
  test.each([
    ['divided by capacity', byCapacity, 'east-1=3 west-1=2', 5],
    ['divided by capacity on one cluster', byCapacity, 'east-1=3', 3],
    ['duplicated', everywhere, 'east-1=2 west-1=2 west-2=2', 2],
    [
      'duplicated on two clusters of three',
      { ...everywhere, spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }] },
      'east-1=2 west-1=2',
      2,
    ],
  ] as [string, Placement, string, number][])(
    'of a workload %s returns it to its earlier placement, and the scheduler keeps it there',
    (_what, placement, before, replicas) => {
      const evicted = evictedFrom(placement, before, replicas);
      const back = restoreClusters(evicted, ['east-1'], works, defaults.rules);
      if (!('spec' in back)) throw new Error(back.refused);
      const placed = (one: TargetCluster[]) =>
        one.map(({ name, replicas = 0 }) => `${name}=${replicas}`).sort();
      expect(placed(back.spec.clusters!)).toEqual(before.split(' '));
      expect(back.spec.gracefulEvictionTasks).toEqual([]);
      expect(back.note).toBeUndefined();
      const metadata = { ...evicted.metadata, generation: 5 };
      const after = scheduled({ ...evicted, metadata, spec: back.spec });
      expect(placed(after.spec.clusters!)).toEqual(before.split(' '));
    },
  );

  test('reports the restored replicas and the replicas that the replacement loses', () => {
    const evicted = evictedFrom(byCapacity, 'east-1=3 west-1=2', 5);
    const back = restoreClusters(evicted, ['east-1'], works, defaults.rules);
    expect(back).toMatchObject({ restored: [{ name: 'east-1', replicas: 3 }] });
    const given = 'given' in back ? back.given : [];
    expect(given.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(3);
  });

  test('after a scale-up takes no replicas from the replacement, and reports that the scheduler divides the rest', () => {
    const evicted = evictedFrom(byCapacity, 'east-1=3 west-1=2', 5);
    const grown = { ...evicted, spec: { ...evicted.spec, replicas: 9 } };
    const back = restoreClusters(grown, ['east-1'], works, defaults.rules);
    expect(back).toMatchObject({ given: [] });
    expect('note' in back && back.note).toMatch(/spec.clusters then has 8 replicas, spec.replicas 9/);
  });

  test('removes unready replicas first if earlier readiness is unknown', () => {
    const evicted = deployment('web', {
      placement: byCapacity,
      replicas: 5,
      clusters: targets('west-2=3 west-1=2'),
      spec: {
        gracefulEvictionTasks: [
          { fromCluster: 'east-1', replicas: 3, producer: 'TaintManager', reason: 'TaintUntolerated' },
        ],
      },
    });
    const starting = new Map(works).set('west-2', workOf('west-2', { ready: 0, written: 3 }));
    const back = restoreClusters(evicted, ['east-1'], starting, defaults.rules);
    expect(back).toMatchObject({
      spec: { clusters: targets('west-1=2 east-1=3') },
      given: [{ name: 'west-2', replicas: 3 }],
    });
  });

  test('is refused if the old copy is incomplete or deleted', () => {
    const evicted = evictedFrom(byCapacity, 'east-1=3 west-1=2', 5);
    const refused = (found: typeof works) => restoreClusters(evicted, ['east-1'], found, defaults.rules);
    expect(refused(new Map())).toEqual({
      refused: 'the copy on east-1 is already deleted; its replacement stays',
    });
    // and without a replacement, it does not claim one
    const nowhere = { ...evicted, spec: { ...evicted.spec, clusters: [] } };
    expect(restoreClusters(nowhere, ['east-1'], new Map(), defaults.rules)).toEqual({
      refused: 'the copy on east-1 is already deleted; nothing has replaced it yet',
    });
    const deleting = new Map(works).set('east-1', workOf('east-1', { deleting: true }));
    expect(refused(deleting)).toHaveProperty('refused');
    expect(restoreClusters(evicted, ['west-2'], works, defaults.rules)).toEqual({
      refused: 'there is no eviction task to cancel',
    });
  });

  test('keeps the tasks of other clusters', () => {
    const evicted = evictedFrom(byCapacity, 'east-1=3 west-1=2', 5);
    const other = { fromCluster: 'north-1', producer: 'TaintManager', reason: 'TaintUntolerated' };
    const spec = {
      ...evicted.spec,
      gracefulEvictionTasks: [other, ...evicted.spec.gracefulEvictionTasks!],
    };
    const back = restoreClusters({ ...evicted, spec }, ['east-1'], works, defaults.rules);
    expect('spec' in back && back.spec.gracefulEvictionTasks).toEqual([other]);
  });
});
