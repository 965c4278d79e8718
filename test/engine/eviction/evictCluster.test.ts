import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { evictCluster } from '../../../src/engine/eviction/evictCluster.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const spec: ResourceBindingSpec = {
  resource,
  clusters: [{ name: 'a', replicas: 2 }, { name: 'b' }, { name: 'c', replicas: 1 }],
};
const options = { purgeMode: 'Gracefully', producer: 'TaintManager', reason: 'TaintUntolerated' } as const;

describe('evicting a cluster', () => {
  test('takes it out of the result and leaves a task with its replicas', () => {
    const { clusters, gracefulEvictionTasks } = evictCluster(spec, 'a', options);
    expect(clusters).toEqual([{ name: 'b' }, { name: 'c', replicas: 1 }]);
    expect(gracefulEvictionTasks).toEqual([{ fromCluster: 'a', replicas: 2, ...options }]);
  });

  test('a task for no replicas does not mention any', () => {
    expect(evictCluster(spec, 'b', options).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', ...options },
    ]);
  });

  test('keeps what is zero but set, and drops what is empty', () => {
    const set = { gracePeriodSeconds: 0, suppressDeletion: false, message: '', preservedLabelState: {} };
    expect(evictCluster(spec, 'b', { ...options, ...set }).gracefulEvictionTasks).toEqual([
      { fromCluster: 'b', ...options, gracePeriodSeconds: 0, suppressDeletion: false },
    ]);
  });

  test('does nothing for a cluster that is not in the result', () => {
    expect(evictCluster(spec, 'd', options)).toBe(spec);
    expect(evictCluster({ resource }, 'a', options)).toEqual({ resource });
  });

  test('adds no second task for a cluster', () => {
    const task = { fromCluster: 'a', reason: 'Old', producer: 'P' };
    const again = evictCluster({ ...spec, gracefulEvictionTasks: [task] }, 'a', options);
    expect(again.clusters).toHaveLength(2);
    expect(again.gracefulEvictionTasks).toEqual([task]);
  });

  test('twice is once, in no case is the given spec changed, and replicas are not lost', () => {
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
