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

describe('application failover', () => {
  test('remembers since when an application is Unhealthy, and evicts it once it is for longer than tolerated', () => {
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

  test('forgets about clusters that are Healthy again, and about bindings that are gone', () => {
    const healthy = unhealthyInEast();
    healthy.status!.aggregatedStatus![0]!.health = 'Healthy';
    const memory = { 'east-1': START - 50_000 };
    expect(
      onStage(world(clusters, [healthy])).reconcile(applicationFailover, keyOf('web'), { memory }),
    ).toEqual({});
    expect(onStage(world(clusters, [])).reconcile(applicationFailover, keyOf('web'), { memory })).toEqual({});
  });

  test('keeps its timers while an eviction is not possible', () => {
    const featureGates = { ...failoverOn.featureGates, GracefulEviction: false };
    const stage = onStage(world(clusters, [unhealthyInEast()]), { ...failoverOn, featureGates });
    const memory = { 'east-1': START - 61_000 };
    const step = stage.reconcile(applicationFailover, keyOf('web'), { memory });
    expect(step.writes).toBeUndefined();
    expect(step.memory).toEqual(memory);
    expect(step.failure).toMatchObject({ unless: [{ kind: 'Binding', key: keyOf('web') }] });
  });

  test('any change of a binding that takes part, or took part, wakes it', () => {
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

describe('application failover of a captured world', () => {
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

  test('continues with the toleration of what has been Unhealthy since it was applied', () => {
    // in the middle of the second to which times are truncated, and shortly before it is reported
    expect(resumed(20, () => undefined)).toEqual([
      { key, memory: { 'east-1': START - 19_300 }, after: 40_701 },
    ]);
  });

  test('is in the middle of the toleration of what has turned Unhealthy later, for all that is known', () => {
    expect(resumed(500, () => undefined)).toEqual([
      { key, memory: { 'east-1': START - 30_000 }, after: 30_001 },
    ]);
    expect(resumed(500, () => 0.9)).toEqual([{ key, memory: { 'east-1': START - 54_000 }, after: 6001 }]);
  });

  test('begins with the scheduling that came meanwhile: with it ended an eviction', () => {
    const lastScheduledTime = rfc3339(START - 10_000);
    const scheduled = { ...web, status: { ...web.status, lastScheduledTime } };
    expect(resumed(500, () => undefined, scheduled)).toEqual([
      { key, memory: { 'east-1': START - 9500 }, after: 50_501 },
    ]);
  });

  test('without a toleration waits for the next change of the binding, as no timer runs', () => {
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

  test('restarts if the controller manager does', () => {
    expect(resumed(20)).toEqual([{ key }]);
  });
});
