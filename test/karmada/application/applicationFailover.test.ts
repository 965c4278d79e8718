import { describe, expect, test } from '@jest/globals';
import { applicationFailover } from '../../../src/karmada/application/applicationFailover.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { keyOf, onStage } from '../controllers/onStage.ts';

const clusters = [cluster('east-1'), cluster('west-1')];
const unhealthyInEast = (rest: Partial<ResourceBinding['spec']> = {}): ResourceBinding => {
  const binding = deployment('web', {
    placement: {},
    clusters: [{ name: 'east-1', replicas: 1 }],
    replicas: 1,
    spec: {
      propagateDeps: true,
      failover: { application: { decisionConditions: { tolerationSeconds: 60 }, purgeMode: 'Gracefully' } },
      ...rest,
    },
  });
  binding.status!.aggregatedStatus = [{ clusterName: 'east-1', health: 'Unhealthy' }];
  return binding;
};

describe('the application failover controller', () => {
  test('starts a timer for an Unhealthy application and evicts it after its toleration', () => {
    const stage = onStage(world(clusters, [unhealthyInEast()]));
    const first = stage.reconcile(applicationFailover, keyOf('web'));
    expect(first).toEqual({ memory: { 'east-1': START }, requeue: { after: 60_001 } });
    const { writes, memory } = stage.reconcile(applicationFailover, keyOf('web'), {
      now: START + 60_001,
      memory: first.memory!,
    });
    expect(memory).toBeUndefined();
    stage.write(...writes!);
    const { spec } = stage.binding(keyOf('web'));
    expect(spec.clusters).toEqual([]);
    expect(spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'east-1', reason: 'ApplicationFailure' },
    ]);
  });

  test('deletes the timers of Healthy clusters and of deleted bindings', () => {
    const healthy = unhealthyInEast();
    healthy.status!.aggregatedStatus![0]!.health = 'Healthy';
    const memory = { 'east-1': START - 50_000 };
    expect(
      onStage(world(clusters, [healthy])).reconcile(applicationFailover, keyOf('web'), { memory }),
    ).toEqual({});
    expect(onStage(world(clusters, [])).reconcile(applicationFailover, keyOf('web'), { memory })).toEqual({});
  });

  test('keeps its timers while the eviction fails', () => {
    const featureGates = { ...failoverOn.featureGates, GracefulEviction: false };
    const stage = onStage(world(clusters, [unhealthyInEast()]), { ...failoverOn, featureGates });
    const memory = { 'east-1': START - 61_000 };
    const step = stage.reconcile(applicationFailover, keyOf('web'), { memory });
    expect(step.writes).toBeUndefined();
    expect(step.memory).toEqual(memory);
    expect(step.failure).toMatchObject({ unless: [{ kind: 'Binding', key: keyOf('web') }] });
  });

  test('reconciles on every change of a binding that has or had failover.application', () => {
    const stage = onStage(world(clusters, [unhealthyInEast()]));
    expect(stage.resumes(applicationFailover)).toEqual([{ key: keyOf('web') }]);
    const change = stage.changeBinding(keyOf('web'), (binding) => {
      const { failover: _, ...spec } = binding.spec;
      return { ...binding, spec };
    });
    expect(stage.wakes(applicationFailover, change)).toEqual([{ key: keyOf('web') }]);
    expect(stage.resumes(applicationFailover)).toEqual([]);
  });
});

describe('given a captured state, the application failover controller', () => {
  const key = keyOf('web');
  const web = unhealthyInEast();
  web.metadata.labels = { 'resourcebinding.karmada.io/permanent-id': 'web' };
  const applied = (secondsAgo: number): Work => ({
    metadata: {
      name: 'web-1',
      namespace: 'karmada-es-east-1',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'web' },
    },
    status: {
      conditions: [
        {
          type: 'Applied',
          status: 'True',
          reason: '',
          message: '',
          lastTransitionTime: rfc3339(START - secondsAgo * 1000),
        },
      ],
    },
  });
  const resumed = (secondsAgo: number, unseen?: () => number | undefined, binding = web) =>
    onStage({ ...world(clusters, [binding]), works: [applied(secondsAgo)] }).resumes(
      applicationFailover,
      unseen,
    );

  test('starts the toleration when the application was applied, if that is recent', () => {
    // in the middle of the second to which times are truncated, and shortly before it is reported
    expect(resumed(20, () => undefined)).toEqual([
      { key, memory: { 'east-1': START - 19_300 }, after: 40_701 },
    ]);
  });

  test('assumes that half of the toleration has passed if the application was applied long ago', () => {
    expect(resumed(500, () => undefined)).toEqual([
      { key, memory: { 'east-1': START - 30_000 }, after: 30_001 },
    ]);
    expect(resumed(500, () => 0.9)).toEqual([{ key, memory: { 'east-1': START - 54_000 }, after: 6001 }]);
  });

  test('starts the toleration at the last scheduling if that is more recent', () => {
    const lastScheduledTime = rfc3339(START - 10_000);
    const scheduled = { ...web, status: { ...web.status, lastScheduledTime } };
    expect(resumed(500, () => undefined, scheduled)).toEqual([
      { key, memory: { 'east-1': START - 9500 }, after: 50_501 },
    ]);
  });

  test('evicts at the next change of the binding, without a timer, if tolerationSeconds is 0', () => {
    const impatient = unhealthyInEast({
      failover: { application: { decisionConditions: { tolerationSeconds: 0 }, purgeMode: 'Gracefully' } },
    });
    const stage = onStage(world(clusters, [impatient]));
    expect(stage.resumes(applicationFailover, () => undefined)).toEqual([{ key }]);
    const first = stage.reconcile(applicationFailover, key);
    expect(first).toEqual({ memory: { 'east-1': START } });
    const next = stage.reconcile(applicationFailover, key, { now: START + 1, memory: first.memory! });
    expect(next.writes).toHaveLength(1);
  });

  test('starts without timers after a restart of the controller manager', () => {
    expect(resumed(20)).toEqual([{ key }]);
  });
});
