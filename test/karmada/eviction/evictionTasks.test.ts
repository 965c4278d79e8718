import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import {
  completeTask,
  evictCluster,
  holdTask,
  releaseTask,
  removeCluster,
  withTasks,
} from '../../../src/karmada/eviction/evictionTasks.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const spec: ResourceBindingSpec = {
  resource,
  clusters: [{ name: 'a', replicas: 2 }, { name: 'b' }, { name: 'c', replicas: 1 }],
};
const options = { purgeMode: 'Gracefully', producer: 'TaintManager', reason: 'TaintUntolerated' } as const;

describe('evicting a cluster', () => {
  test('removes it from the scheduling result and adds a task with its replicas', () => {
    const { clusters, gracefulEvictionTasks } = evictCluster(spec, 'a', options);
    expect(clusters).toEqual([{ name: 'b' }, { name: 'c', replicas: 1 }]);
    expect(gracefulEvictionTasks).toEqual([{ fromCluster: 'a', replicas: 2, ...options }]);
  });

  test('omits the replicas of a target without any', () => {
    expect(evictCluster(spec, 'b', options).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', ...options },
    ]);
  });

  test('keeps fields set to zero or false and drops empty fields', () => {
    const set = { gracePeriodSeconds: 0, suppressDeletion: false, message: '', preservedLabelState: {} };
    expect(evictCluster(spec, 'b', { ...options, ...set }).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', ...options, gracePeriodSeconds: 0, suppressDeletion: false },
    ]);
  });

  test('records the message, the state and the earlier clusters in the task', () => {
    const reported = {
      message: 'off',
      preservedLabelState: { leader: 'web-0' },
      clustersBeforeFailover: ['a', 'b'],
      suppressDeletion: true,
      gracePeriodSeconds: 30,
    };
    expect(evictCluster(spec, 'b', { ...options, ...reported }).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', ...options, ...reported },
    ]);
    expect(evictCluster(spec, 'b', { clustersBeforeFailover: [] }).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', reason: '', producer: '' },
    ]);
  });

  test('appends its task to the existing tasks', () => {
    const task = { fromCluster: 'x', reason: 'Old', producer: 'P' };
    const after = evictCluster({ ...spec, gracefulEvictionTasks: [task] }, 'b', options);
    expect(after.gracefulEvictionTasks).toEqual([task, { fromCluster: 'b', ...options }]);
  });

  test('does nothing for a cluster outside the scheduling result', () => {
    expect(evictCluster(spec, 'd', options)).toBe(spec);
    expect(evictCluster({ resource }, 'a', options)).toEqual({ resource });
  });

  test('adds no second task for a cluster', () => {
    const task = { fromCluster: 'a', reason: 'Old', producer: 'P' };
    const again = evictCluster({ ...spec, gracefulEvictionTasks: [task] }, 'a', options);
    expect(again.clusters).toHaveLength(2);
    expect(again.gracefulEvictionTasks).toEqual([task]);
  });

  test('is idempotent, does not mutate its input and preserves the total replicas', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const target = fc.record({ name, replicas: fc.nat(3) });
    fc.assert(
      fc.property(fc.uniqueArray(target, { selector: (one) => one.name }), name, (clusters, cluster) => {
        const before: ResourceBindingSpec = { resource, clusters };
        const copy = structuredClone(before);
        const once = evictCluster(before, cluster, options);
        expect(evictCluster(once, cluster, options)).toEqual(once);
        expect(before).toEqual(copy);
        const sum = (all: { replicas?: number }[] = []) =>
          all.reduce((total, { replicas = 0 }) => total + replicas, 0);
        expect(sum(once.clusters) + sum(once.gracefulEvictionTasks)).toBe(sum(clusters));
      }),
    );
  });
});

describe('removing a cluster', () => {
  test('removes it from the scheduling result without a task', () => {
    expect(removeCluster(spec, 'a')).toEqual({
      resource,
      clusters: [{ name: 'b' }, { name: 'c', replicas: 1 }],
    });
    expect(spec.clusters).toHaveLength(3);
  });

  test('does nothing for a cluster outside the scheduling result', () => {
    expect(removeCluster(spec, 'd')).toBe(spec);
    const none: ResourceBindingSpec = { resource };
    expect(removeCluster(none, 'a')).toBe(none);
  });
});

const task = (fromCluster: string, rest: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  ...rest,
});
const specOf = (...gracefulEvictionTasks: GracefulEvictionTask[]): ResourceBindingSpec => ({
  resource,
  gracefulEvictionTasks,
});

describe.each([
  ['holding', holdTask, true],
  ['completing', completeTask, false],
] as const)('%s a task', (_name, act, suppressDeletion) => {
  test(`sets suppressDeletion: ${suppressDeletion} only on the tasks of its cluster`, () => {
    const before = specOf(task('a', { suppressDeletion: !suppressDeletion }), task('b'), task('a'));
    expect(act(before, 'a')).toEqual(
      specOf(task('a', { suppressDeletion }), task('b'), task('a', { suppressDeletion })),
    );
    expect(before).toEqual(specOf(task('a', { suppressDeletion: !suppressDeletion }), task('b'), task('a')));
  });

  test('returns the same spec if nothing changes', () => {
    const before = specOf(task('a', { suppressDeletion }), task('b'));
    expect(act(before, 'a')).toBe(before);
  });

  test('returns the same spec if the cluster has no task', () => {
    const before = specOf(task('b'));
    expect(act(before, 'a')).toBe(before);
    const none: ResourceBindingSpec = { resource };
    expect(act(none, 'a')).toBe(none);
  });
});

describe('releasing a task', () => {
  test.each([true, false])('removes suppressDeletion: %s', (suppressDeletion) => {
    const before = specOf(task('b', { suppressDeletion }), task('a', { suppressDeletion, replicas: 2 }));
    expect(releaseTask(before, 'a')).toEqual(
      specOf(task('b', { suppressDeletion }), task('a', { replicas: 2 })),
    );
  });

  test.each([undefined, null])('returns the same spec if suppressDeletion is %s', (suppressDeletion) => {
    const before = specOf({ ...task('a'), suppressDeletion } as GracefulEvictionTask);
    expect(releaseTask(before, 'a')).toBe(before);
  });
});

test('a change of one task leaves the other tasks and the rest of the spec unchanged', () => {
  const before = { ...specOf(task('a'), task('b')), clusters: [{ name: 'c' }] };
  const after = withTasks(before, 'b', (one) => ({ ...one, message: 'x' }));
  expect(after).toEqual({ ...specOf(task('a'), task('b', { message: 'x' })), clusters: [{ name: 'c' }] });
  expect(after.gracefulEvictionTasks![0]).toBe(before.gracefulEvictionTasks![0]);
});
