import { describe, expect, test } from '@jest/globals';
import {
  completeTask,
  holdTask,
  releaseTask,
  withTasks,
} from '../../../src/karmada/eviction/evictionTasks.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
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
  test(`sets suppressDeletion: ${suppressDeletion} on the tasks of the cluster, and on no other`, () => {
    const before = specOf(task('a', { suppressDeletion: !suppressDeletion }), task('b'), task('a'));
    expect(act(before, 'a')).toEqual(
      specOf(task('a', { suppressDeletion }), task('b'), task('a', { suppressDeletion })),
    );
    expect(before).toEqual(specOf(task('a', { suppressDeletion: !suppressDeletion }), task('b'), task('a')));
  });

  test('gives the same spec if it is so', () => {
    const before = specOf(task('a', { suppressDeletion }), task('b'));
    expect(act(before, 'a')).toBe(before);
  });

  test('gives the same spec if the cluster has no task', () => {
    const before = specOf(task('b'));
    expect(act(before, 'a')).toBe(before);
    const none: ResourceBindingSpec = { resource };
    expect(act(none, 'a')).toBe(none);
  });
});

describe('releasing a task', () => {
  test.each([true, false])('takes suppressDeletion: %s away', (suppressDeletion) => {
    const before = specOf(task('b', { suppressDeletion }), task('a', { suppressDeletion, replicas: 2 }));
    expect(releaseTask(before, 'a')).toEqual(
      specOf(task('b', { suppressDeletion }), task('a', { replicas: 2 })),
    );
  });

  test.each([undefined, null])('gives the same spec if suppressDeletion is %s', (suppressDeletion) => {
    const before = specOf({ ...task('a'), suppressDeletion } as GracefulEvictionTask);
    expect(releaseTask(before, 'a')).toBe(before);
  });
});

test('a change of some tasks leaves the others and the rest of the spec as they are', () => {
  const before = { ...specOf(task('a'), task('b')), clusters: [{ name: 'c' }] };
  const after = withTasks(before, 'b', (one) => ({ ...one, message: 'x' }));
  expect(after).toEqual({ ...specOf(task('a'), task('b', { message: 'x' })), clusters: [{ name: 'c' }] });
  expect(after.gracefulEvictionTasks![0]).toBe(before.gracefulEvictionTasks![0]);
});
