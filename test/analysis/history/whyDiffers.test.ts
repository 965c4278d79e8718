import { describe, expect, test } from '@jest/globals';
import type { Moment } from '../../../src/analysis/history/replay/decidingFacts.ts';
import type { PlacementStep } from '../../../src/analysis/history/replay/steps.ts';
import { differenceCause, type DivergedSteps } from '../../../src/analysis/history/replay/whyDiffers.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../src/karmada/api/work.ts';

const seconds = (count: number) => count * 1000;
const way = (...rows: [number, string][]): PlacementStep[] =>
  rows.map(([time, placement]) => ({ time: seconds(time), placement }));

function cluster(name: string, pods: string, tainted = false): Cluster {
  return {
    metadata: { name },
    spec: tainted ? { taints: [{ key: 'broken', effect: 'NoExecute' }] } : {},
    status: { resourceSummary: { allocatable: { pods: '10' }, allocated: { pods } } },
  };
}

function moment(
  clusters: Cluster[],
  health: Record<string, 'Healthy' | 'Unhealthy'> = {},
  tasks: GracefulEvictionTask[] = [],
): Moment {
  const binding: ResourceBinding = {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      gracefulEvictionTasks: tasks,
    },
    status: {
      aggregatedStatus: Object.entries(health).map(([clusterName, one]) => ({ clusterName, health: one })),
    },
  };
  return { binding, clusters };
}

const task = (fromCluster: string, producer: string): GracefulEvictionTask => ({
  fromCluster,
  producer,
  reason: 'x',
});

/**
 * Deviations of which only the given facts are known; every simulation reproduces their recorded steps from shortly
 * before.
 */
function parted(
  given: Partial<DivergedSteps> & Pick<DivergedSteps, 'recorded' | 'predicted'>,
): DivergedSteps {
  const nothing = moment([]);
  return {
    was: () => nothing,
    wasPredicted: () => nothing,
    refused: () => undefined,
    refusedPredicted: () => undefined,
    *from(start) {
      const before = given.recorded.findLastIndex(({ time }) => time <= start);
      yield given.recorded.slice(before);
    },
    end: seconds(1000),
    ...given,
  };
}

describe('the reason for a different outcome', () => {
  test('is the reported capacity of a cluster, if the workload was placed elsewhere', () => {
    const ways = parted({
      recorded: way([0, '- | evicting a'], [5, 'b×1 | evicting a']),
      predicted: way([0, '- | evicting a'], [4, 'c×1 | evicting a']),
      was: () => moment([cluster('c', '10')]),
      wasPredicted: () => moment([cluster('c', '9')]),
    });
    expect(differenceCause(ways)).toMatchObject({
      kind: 'room',
      cluster: 'c',
      recorded: '10 of 10 pods',
      predicted: '9 of 10 pods',
      at: seconds(5),
      confirmedFrom: seconds(5) - 50,
    });
  });

  test('is the reported capacity of a cluster, if the workload was not placed', () => {
    // given a prediction of an immediate placement, and a refusal three seconds later
    const full = seconds(3);
    const ways = parted({
      recorded: way([0, 'a×1 | evicting -'], [1, '- | evicting a'], [60, '- | evicting -']),
      predicted: way([0, 'a×1 | evicting -'], [1, '- | evicting a'], [2, 'b×1 | evicting a']),
      refused: () => full,
      was: (at) => moment([cluster('b', at >= full ? '10' : '1')]),
      wasPredicted: () => moment([cluster('b', '1')]),
    });
    expect(differenceCause(ways)).toMatchObject({ kind: 'room', cluster: 'b', recorded: '10 of 10 pods' });
  });

  test('is the turn in the eviction queue, if both sides evict at different times', () => {
    const evicted = moment([cluster('a', '1', true)], {}, [task('a', 'TaintManager')]);
    const ways = parted({
      recorded: way([0, 'a×1 | evicting -'], [9, '- | evicting a'], [10, 'b×1 | evicting a']),
      predicted: way([0, 'a×1 | evicting -'], [1, '- | evicting a'], [2, 'c×1 | evicting a']),
      was: () => evicted,
      wasPredicted: () => evicted,
    });
    // a consequence of another placement is not the cause
    expect(differenceCause(ways)).toMatchObject({
      kind: 'turn',
      cluster: 'a',
      at: seconds(9),
      turn: { recorded: seconds(9), predicted: seconds(1) },
    });
  });

  test('is the turn in the eviction queue, if the taint was removed before the turn', () => {
    const evicted = moment([cluster('a', '1', true)], {}, [task('a', 'TaintManager')]);
    const ways = parted({
      recorded: way([0, 'a×1 | evicting -']),
      predicted: way([0, 'a×1 | evicting -'], [1, '- | evicting a']),
      was: () => moment([cluster('a', '1', true)]),
      wasPredicted: () => evicted,
    });
    expect(differenceCause(ways)).toMatchObject({ kind: 'turn', turn: { predicted: seconds(1) } });
  });

  test('is the taint, if only one side has it', () => {
    const ways = parted({
      recorded: way([0, 'a×1 | evicting -'], [9, '- | evicting a']),
      predicted: way([0, 'a×1 | evicting -']),
      was: () => moment([cluster('a', '1', true)], {}, [task('a', 'TaintManager')]),
      wasPredicted: () => moment([cluster('a', '1')]),
    });
    expect(differenceCause(ways)).toMatchObject({
      kind: 'cluster',
      cluster: 'a',
      recorded: 'broken:NoExecute',
      predicted: 'no taints',
    });
  });

  test('is the reported health, if application failover evicts or a task ends', () => {
    const producer = 'resource-binding-application-failover-controller';
    const evictions = parted({
      recorded: way([0, 'a×1 | evicting -'], [9, '- | evicting a']),
      predicted: way([0, 'a×1 | evicting -']),
      was: () => moment([], { a: 'Unhealthy' }, [task('a', producer)]),
      wasPredicted: () => moment([], { a: 'Healthy' }),
    });
    const ends = parted({
      recorded: way([0, 'b×1 | evicting a'], [9, 'b×1 | evicting -']),
      predicted: way([0, 'b×1 | evicting a'], [50, 'b×1 | evicting -']),
      was: () => moment([], { b: 'Healthy' }),
      wasPredicted: () => moment([], { b: 'Unhealthy' }),
    });
    expect(differenceCause(evictions)).toMatchObject({
      kind: 'health',
      cluster: 'a',
      recorded: 'Unhealthy, 0 ready',
    });
    expect(differenceCause(ends)).toMatchObject({
      kind: 'health',
      cluster: 'b',
      predicted: 'Unhealthy, 0 ready',
    });
  });

  test('is the processing order, if all inputs are equal and another order takes the same step', () => {
    const ways = parted({
      recorded: way([0, '- | evicting a'], [1, 'b×1 | evicting a']),
      predicted: way([0, '- | evicting a'], [1, 'c×1 | evicting a']),
    });
    expect(differenceCause(ways)).toMatchObject({ kind: 'order', confirmedFrom: seconds(1) - 50 });
  });

  test('is unexplained, if no simulation takes the step', () => {
    const ways = parted({
      recorded: way([0, '- | evicting a'], [1, 'b×1 | evicting a']),
      predicted: way([0, '- | evicting a'], [1, 'c×1 | evicting a']),
      *from() {
        yield way([0, '- | evicting a'], [1, 'c×1 | evicting a']);
      },
    });
    expect(differenceCause(ways)).toEqual({ kind: 'unexplained', at: seconds(1) });
  });
});
