import { describe, expect, test } from '@jest/globals';
import { evictedTogether, evictFromClusters, releaseTasks } from '../../../src/analysis/drain/drainTasks.ts';
import { placementBefore } from '../../../src/karmada/eviction/drainTask.ts';
import { completeTask, holdTask, releaseTask } from '../../../src/karmada/eviction/evictionTasks.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { createMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import { v1_18 } from '../../dialects.ts';
import { deployment } from '../../simulator/simulation/controlPlane.ts';
import { byCapacity, heldTask } from './aDrain.ts';
import { drainOf } from './drainOf.ts';

const foreign: GracefulEvictionTask = {
  fromCluster: 'north-1',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
};

const { spec } = deployment('web', {
  placement: byCapacity,
  replicas: 6,
  clusters: [
    { name: 'east-1', replicas: 3 },
    { name: 'east-2', replicas: 1 },
    { name: 'west-1', replicas: 2 },
  ],
  spec: { gracefulEvictionTasks: [foreign] },
});
const tasksOf = ({ gracefulEvictionTasks }: ResourceBindingSpec) => gracefulEvictionTasks;

describe('an eviction', () => {
  test('removes all drained clusters in one write, each with a task that holds its copy', () => {
    const after = evictFromClusters(spec, ['east-1', 'east-2'], drainOf(['east-1', 'east-2']));
    const task = {
      purgeMode: 'Gracefully',
      reason: 'ClusterDrain',
      message: 'drained by kubectl karmada-failover, before: east-1=3 east-2=1 west-1=2',
      producer: 'karmada-failover',
      suppressDeletion: true,
    };
    expect(createMergePatch(spec, after)).toEqual({
      clusters: [{ name: 'west-1', replicas: 2 }],
      gracefulEvictionTasks: [
        foreign,
        { fromCluster: 'east-1', replicas: 3, ...task },
        { fromCluster: 'east-2', replicas: 1, ...task },
      ],
    });
  });

  test('sets no creationTimestamp, and no suppressDeletion without holds', () => {
    const drain = drainOf([], { hold: false, purgeMode: 'Directly', gracePeriodSeconds: 0 });
    const task = tasksOf(evictFromClusters(spec, ['east-1'], drain))!.at(-1)!;
    expect(task).toMatchObject({ purgeMode: 'Directly', gracePeriodSeconds: 0 });
    expect(Object.keys(task)).not.toContain('suppressDeletion');
    expect(Object.keys(task)).not.toContain('creationTimestamp');
  });

  test('changes nothing for clusters that the workload is not on', () => {
    expect(evictFromClusters(spec, ['south-1'], drainOf(['south-1']))).toBe(spec);
  });

  test('adds no second task to a cluster that has one', () => {
    const evicted = evictFromClusters(spec, ['east-1'], drainOf(['east-1']));
    const again = { ...evicted, clusters: spec.clusters! };
    expect(evictFromClusters(again, ['east-1'], drainOf(['east-1']))).toEqual(evicted);
  });

  test('holds a copy again if it returns after its release', () => {
    const evicted = evictFromClusters(spec, ['east-1'], drainOf(['east-1']));
    const again = { ...releaseTasks(evicted, ['east-1'], v1_18.defaults), clusters: spec.clusters! };
    expect(evictFromClusters(again, ['east-1'], drainOf(['east-1']))).toEqual(evicted);
  });

  test('records the earlier placement in the message of its task', () => {
    const [, task] = tasksOf(evictFromClusters(spec, ['east-1'], drainOf(['east-1'])))!;
    expect(placementBefore(task!)).toEqual(spec.clusters);
    expect(placementBefore({ ...task!, producer: 'TaintManager' })).toBeUndefined();
    expect(placementBefore({ ...task!, message: 'before: lunch' })).toBeUndefined();
  });
});

describe('an eviction task', () => {
  const held = { ...spec, gracefulEvictionTasks: [foreign, heldTask('east-1'), heldTask('east-2')] };

  test('is released by removing suppressDeletion; a drain releases only its own tasks', () => {
    const { suppressDeletion: _held, ...released } = heldTask('east-1');
    expect(tasksOf(releaseTasks(held, ['east-1', 'north-1'], v1_18.defaults))).toEqual([
      foreign,
      released,
      heldTask('east-2'),
    ]);
    const suppressed = { ...spec, gracefulEvictionTasks: [{ ...foreign, suppressDeletion: true }] };
    expect(releaseTasks(suppressed, ['north-1'], v1_18.defaults)).toBe(suppressed);
    expect(tasksOf(releaseTask(suppressed, 'north-1'))).toEqual([foreign]);
  });

  test('of any producer can be held and completed', () => {
    expect(tasksOf(holdTask(held, 'north-1'))![0]).toEqual({ ...foreign, suppressDeletion: true });
    expect(tasksOf(completeTask(held, 'east-1'))![1]).toEqual({
      ...heldTask('east-1'),
      suppressDeletion: false,
    });
  });

  test('stays the same object if nothing changes', () => {
    expect(holdTask(held, 'east-1')).toBe(held);
    expect(releaseTask(held, 'north-1')).toBe(held);
    expect(completeTask(held, 'south-1')).toBe(held);
  });
});

test('clusters evicted in the same write are restored together, unless another drain has cordoned them', () => {
  const evicted = evictFromClusters(spec, ['east-1', 'east-2'], drainOf(['east-1']));
  const earlier = heldTask('south-1', { message: 'drained by kubectl karmada-failover, before: south-1=1' });
  const all = { ...evicted, gracefulEvictionTasks: [...evicted.gracefulEvictionTasks!, earlier] };
  expect(evictedTogether(all, ['east-1'], () => false)).toEqual(['east-1', 'east-2']);
  expect(evictedTogether(all, ['east-1'], (name) => name === 'east-2')).toEqual(['east-1']);
  expect(evictedTogether(all, ['south-1'], () => false)).toEqual(['south-1']);
});
