import { describe, expect, test } from '@jest/globals';
import { gracefulEviction } from '../../../src/karmada/eviction/gracefulEviction.ts';
import type { GracefulEvictionTask } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';
import { keyOf, onStage } from '../controllers/onStage.ts';

const clusters = [cluster('east-1'), cluster('west-1')];
const task = (rest: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'east-1',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  ...rest,
});
const leaving = (...gracefulEvictionTasks: GracefulEvictionTask[]) =>
  deployment('web', {
    placement: {},
    clusters: [{ name: 'west-1', replicas: 1 }],
    replicas: 1,
    spec: { gracefulEvictionTasks },
  });
const stamped = (secondsAgo: number) => ({ creationTimestamp: rfc3339(START - secondsAgo * 1000) });

describe('the graceful eviction controller', () => {
  test('stamps a new task despite a Healthy replacement and requeues the binding after its deadline', () => {
    const stage = onStage(world(clusters, [leaving(task())]));
    const step = stage.reconcile(gracefulEviction, keyOf('web'));
    const [change] = stage.write(...step.writes!);
    expect(stage.binding(keyOf('web')).spec.gracefulEvictionTasks).toEqual([task(stamped(0))]);
    expect(step.requeue).toEqual({ after: 600_001 });
    expect(stage.wakes(gracefulEviction, change!)).toEqual([{ key: keyOf('web') }]);
  });

  test('ends a stamped task with a Healthy replacement', () => {
    const stage = onStage(world(clusters, [leaving(task(stamped(30)))]));
    const [change] = stage.write(...stage.reconcile(gracefulEviction, keyOf('web')).writes!);
    expect(stage.binding(keyOf('web')).spec.gracefulEvictionTasks).toEqual([]);
    expect(stage.wakes(gracefulEviction, change!)).toEqual([]);
  });

  test('requeues a waiting task without a write, and does not requeue a held task', () => {
    const waiting = leaving(task(stamped(100)));
    waiting.status = { ...waiting.status!, schedulerObservedGeneration: 1 };
    expect(onStage(world(clusters, [waiting])).reconcile(gracefulEviction, keyOf('web'))).toEqual({
      requeue: { after: 500_001 },
    });
    const held = leaving(task({ ...stamped(9999), suppressDeletion: true }));
    expect(onStage(world(clusters, [held])).reconcile(gracefulEviction, keyOf('web'))).toEqual({});
  });

  test('resumes with the captured bindings that have tasks', () => {
    const other = deployment('other', { placement: {}, clusters: [] });
    expect(onStage(world(clusters, [leaving(task()), other])).resumes(gracefulEviction)).toEqual([
      { key: keyOf('web') },
    ]);
  });
});
