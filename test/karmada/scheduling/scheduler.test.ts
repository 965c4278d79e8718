import { describe, expect, test } from '@jest/globals';
import { scheduler } from '../../../src/karmada/scheduling/scheduler.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { otherOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { keyOf, onStage } from '../controllers/onStage.ts';

const on = (...names: string[]) => names.map((name) => ({ name, replicas: 2 }));
const divided: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const duplicated: Placement = { clusterAffinity: { clusterNames: ['east-1', 'east-2'] } };
const clusters = [cluster('east-1'), cluster('east-2'), cluster('west-1')];
const evicted = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  spec: {
    ...binding.spec,
    clusters: [],
    gracefulEvictionTasks: [
      { fromCluster: 'east-1', reason: 'TaintUntolerated', producer: 'TaintManager', replicas: 2 },
    ],
  },
});
const tainted = (one: Cluster): Cluster => ({
  ...one,
  metadata: { ...one.metadata, generation: 2 },
  spec: { ...one.spec, taints: [{ key: 'net', effect: 'NoSchedule' }] },
});
const scheduledCondition = ({ status }: ResourceBinding) =>
  status?.conditions?.find(({ type }) => type === 'Scheduled');

describe('the scheduler', () => {
  const web = deployment('web', { placement: divided, clusters: on('east-1'), replicas: 2 });

  test('writes the previous generation as observed after a reschedule, and the current one after its second reconcile', () => {
    const stage = onStage(world(clusters, [web]));
    stage.changeBinding(keyOf('web'), evicted);
    const { writes, failure } = stage.reconcile(scheduler, keyOf('web'));
    expect(failure).toBeUndefined();
    expect(writes).toMatchObject([
      { part: 'object', lock: false },
      { part: 'status', lock: false },
    ]);
    const [patch] = stage.write(...writes!);
    const placed = stage.binding(keyOf('web'));
    expect(placed.spec.clusters).toEqual(on('east-2'));
    expect([placed.metadata.generation, placed.status?.schedulerObservedGeneration]).toEqual([4, 3]);

    expect(stage.wakes(scheduler, patch!)).toEqual([{ key: keyOf('web') }]);
    const second = stage.reconcile(scheduler, keyOf('web'));
    expect(second.writes).toMatchObject([{ part: 'status' }]);
    stage.write(...second.writes!);
    expect(stage.binding(keyOf('web')).status?.schedulerObservedGeneration).toBe(4);
    expect(stage.reconcile(scheduler, keyOf('web')).writes).toEqual([]);
  });

  describe('with FederatedQuotaEnforcement', () => {
    const quota = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      metadata: { name: 'q', namespace: 'shop' },
      spec: { overall: { cpu: '3' } },
    };
    const asking = deployment('web', {
      placement: divided,
      clusters: on('east-1'),
      replicas: 4,
      spec: { replicaRequirements: { resourceRequest: { cpu: '1' } } },
    });
    const stageWith = (version: string) => {
      const { defaults } = dialectOf(version).dialect;
      const featureGates = { ...defaults.featureGates, FederatedQuotaEnforcement: true };
      const stage = onStage({ ...world(clusters, [asking]), others: [quota] }, { ...defaults, featureGates });
      stage.changeBinding(keyOf('web'), (one) => ({
        ...one,
        metadata: { ...one.metadata, generation: (one.metadata.generation ?? 0) + 1 },
      }));
      return stage;
    };

    test('retries a result that exceeds the quota and writes only its condition', () => {
      const stage = stageWith('v1.18.2');
      const { writes, failure } = stage.reconcile(scheduler, keyOf('web'));
      expect(failure).toMatchObject({
        reason: 'QuotaExceeded',
        message: expect.stringContaining('FederatedResourceQuota(shop/q) exceeded for resource cpu'),
      });
      stage.write(...writes!);
      const { spec } = stage.binding(keyOf('web'));
      expect(spec.clusters).toEqual(on('east-1'));
      expect(scheduledCondition(stage.binding(keyOf('web')))).toMatchObject({
        status: 'False',
        reason: 'QuotaExceeded',
      });
    });

    test('reports SchedulerError instead of QuotaExceeded before v1.15.5', () => {
      expect(stageWith('v1.15.2').reconcile(scheduler, keyOf('web')).failure?.reason).toBe('SchedulerError');
    });
  });

  test('clears the placement if no cluster fits, and does not retry', () => {
    const only = deployment('web', { placement: duplicated, clusters: on('east-1'), replicas: 2 });
    const stage = onStage(world(clusters.map(tainted), [only]));
    stage.changeBinding(keyOf('web'), evicted);
    const step = stage.reconcile(scheduler, keyOf('web'));
    expect(step.failure).toBeUndefined();
    stage.write(...step.writes!);
    expect(scheduledCondition(stage.binding(keyOf('web')))).toMatchObject({
      status: 'False',
      reason: 'NoClusterFit',
    });
    expect(stage.binding(keyOf('web')).status?.schedulerObservedGeneration).toBe(2);
    expect(stage.reconcile(scheduler, keyOf('web')).writes).toEqual([]);
  });

  describe('without enough capacity', () => {
    const large = deployment('large', { placement: divided, clusters: on('east-1'), replicas: 3000 });

    test('retries with back-off until the binding or a cluster changes', () => {
      const stage = onStage(world(clusters, [large]));
      stage.changeBinding(keyOf('large'), evicted);
      const { failure } = stage.reconcile(scheduler, keyOf('large'));
      expect(failure).toMatchObject({
        reason: 'Unschedulable',
        unless: [{ kind: 'Binding', key: keyOf('large') }, { kind: 'Cluster' }],
      });
      expect(failure?.backOff).toEqual({ first: 5, longest: 1_000_000 });
    });

    test('retries after five minutes with the gate PriorityBasedScheduling', () => {
      const featureGates = { ...failoverOn.featureGates, PriorityBasedScheduling: true };
      const stage = onStage(world(clusters, [large]), { ...failoverOn, featureGates });
      stage.changeBinding(keyOf('large'), evicted);
      expect(stage.reconcile(scheduler, keyOf('large')).failure?.backOff).toEqual({
        first: 300_000,
        longest: 300_000,
        flush: 30_000,
      });
    });

    test.each([
      ['v1.13.2', 300_000],
      ['v1.13.3', 1000],
    ])(
      'in %s, retries other failures after %i ms with the gate PriorityBasedScheduling',
      (version, first) => {
        const { rules } = dialectOf(version).dialect;
        const featureGates = { ...failoverOn.featureGates, PriorityBasedScheduling: true };
        const { placement: _, ...spec } = web.spec;
        const stage = onStage(world(clusters, [{ ...web, spec }]), { ...failoverOn, rules, featureGates });
        expect(stage.reconcile(scheduler, keyOf('web')).failure?.backOff?.first).toBe(first);
      },
    );

    test('writes nothing after a second failure', () => {
      const stage = onStage(world(clusters, [large]));
      stage.changeBinding(keyOf('large'), evicted);
      stage.write(...stage.reconcile(scheduler, keyOf('large')).writes!);
      expect(stage.reconcile(scheduler, keyOf('large'), { now: START + 60_000 }).writes).toEqual([]);
    });
  });

  test('fails without a placement, with the message of Karmada', () => {
    const { placement: _, ...spec } = web.spec;
    const { failure, writes } = onStage(world(clusters, [{ ...web, spec }])).reconcile(
      scheduler,
      keyOf('web'),
    );
    expect(writes).toEqual([]);
    expect(failure?.message).toBe('failed to get placement from resourceBinding(shop/web-deployment)');
  });

  test('notes stale health if a Healthy target cluster is scaled up', () => {
    const spread = deployment('web', {
      placement: divided,
      clusters: [
        { name: 'east-1', replicas: 2 },
        { name: 'east-2', replicas: 2 },
      ],
      replicas: 4,
    });
    const leaveEast1 = (binding: ResourceBinding): ResourceBinding => ({
      ...evicted(binding),
      spec: { ...evicted(binding).spec, clusters: on('east-2') },
    });
    const stage = onStage(world([cluster('east-1'), cluster('east-2')], [spread]));
    stage.changeBinding(keyOf('web'), leaveEast1);
    expect(stage.reconcile(scheduler, keyOf('web')).notes).toEqual([
      { type: 'FreeChoice', binding: keyOf('web'), choice: 'stale health' },
    ]);

    const ontoAnother = onStage(world(clusters, [web]));
    ontoAnother.changeBinding(keyOf('web'), evicted);
    expect(ontoAnother.reconcile(scheduler, keyOf('web')).notes).toEqual([]);
  });
});

describe('the note of a random tie', () => {
  const weighted: Placement = {
    clusterAffinity: { clusterNames: ['east-1', 'east-2'] },
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
  };
  const fresh = (replicas: number, uid?: string): ResourceBinding => {
    const binding = deployment('web', { placement: weighted, applied: null, clusters: [], replicas });
    const { uid: _, ...resource } = binding.spec.resource;
    return { ...binding, spec: { ...binding.spec, resource: { ...resource, ...(uid && { uid }) } } };
  };
  const notesOf = (binding: ResourceBinding, configuration = failoverOn) =>
    onStage(world(clusters, [binding]), configuration).reconcile(scheduler, keyOf('web')).notes;
  const tie = [{ type: 'FreeChoice', binding: keyOf('web'), choice: 'random tie' }];

  test('is written if the uid that decides a tie is missing', () => {
    expect(notesOf(fresh(3))).toEqual(tie);
    expect(notesOf(fresh(2))).toEqual([]);
    expect(notesOf(fresh(3, 'known'))).toEqual([]);
  });

  test('is written for every tie before v1.16', () => {
    const configuration = { ...failoverOn, rules: dialectOf('v1.15.0').dialect.rules };
    expect(notesOf(fresh(3, 'known'), configuration)).toEqual(tie);
    expect(notesOf(fresh(2, 'known'), configuration)).toEqual([]);
  });
});

describe('the scheduler queue', () => {
  const web = deployment('web', { placement: duplicated, clusters: on('east-1'), replicas: 2 });
  const other = deployment('other', {
    placement: { clusterAffinity: { clusterNames: ['west-1'] } },
    clusters: on('west-1'),
    replicas: 2,
  });
  const clusterChange = (before: Cluster, after: Cluster) =>
    ({ kind: 'Cluster', key: after.metadata.name, before, after }) as const;

  test('receives a binding with a new generation, but not with a new status', () => {
    const stage = onStage(world(clusters, [web]));
    const change = stage.changeBinding(keyOf('web'), evicted);
    expect(stage.wakes(scheduler, change)).toEqual([{ key: keyOf('web') }]);
    const [status] = stage.write({
      verb: 'update',
      kind: 'Binding',
      key: keyOf('web'),
      part: 'status',
      lock: false,
      base: stage.binding(keyOf('web')),
      object: { ...stage.binding(keyOf('web')), status: { schedulerObservedGeneration: 99 } },
    });
    expect(stage.wakes(scheduler, status!)).toEqual([]);
  });

  test('receives the matching bindings after a cluster spec change, but not after a status change, creation or deletion', () => {
    const stage = onStage(world(clusters, [web, other]));
    const [east] = clusters as [Cluster];
    expect(stage.wakes(scheduler, clusterChange(east, tainted(east)))).toEqual([{ key: keyOf('web') }]);
    expect(stage.wakes(scheduler, clusterChange(east, { ...east, status: {} }))).toEqual([]);
    expect(stage.wakes(scheduler, { kind: 'Cluster', key: 'east-1', after: east })).toEqual([]);
    expect(stage.wakes(scheduler, { kind: 'Cluster', key: 'east-1', before: east })).toEqual([]);
  });

  test('receives all ResourceBindings before the ClusterResourceBindings after a cluster change', () => {
    const { namespace: _, ...metadata } = deployment('aa', { placement: divided, clusters: [] }).metadata;
    const clusterWide = {
      ...deployment('aa', { placement: duplicated, clusters: on('east-1') }),
      kind: 'ClusterResourceBinding',
      metadata: { ...metadata, creationTimestamp: '2020-01-01T00:00:00Z' },
    } as ResourceBinding;
    const [east] = clusters as [Cluster];
    const stage = onStage(world(clusters, [clusterWide, web]));
    expect(stage.wakes(scheduler, clusterChange(east, tainted(east)))).toEqual([
      { key: keyOf('web') },
      { key: '/aa-deployment' },
    ]);
  });

  test('receives a binding without a policy after a cluster change, but not after a change of that binding', () => {
    const { labels: _, ...metadata } = deployment('web', {
      placement: divided,
      clusters: [],
      replicas: 2,
    }).metadata;
    const orphan = { ...deployment('web', { placement: divided, clusters: [], replicas: 2 }), metadata };
    const stage = onStage(world(clusters, [orphan]));
    const [east] = clusters as [Cluster];
    const change = stage.changeBinding(keyOf('web'), (binding) => ({
      ...binding,
      spec: { ...binding.spec, replicas: 3 },
    }));
    expect(stage.wakes(scheduler, change)).toEqual([]);
    expect(stage.resumes(scheduler)).toEqual([]);
    expect(stage.wakes(scheduler, clusterChange(tainted(east), east))).toEqual([{ key: keyOf('web') }]);
    stage.write(...stage.reconcile(scheduler, keyOf('web')).writes!);
    expect(stage.binding(keyOf('web')).spec.clusters).toEqual([{ name: 'east-1', replicas: 3 }]);
  });

  test('orders bindings by priority with the gate PriorityBasedScheduling', () => {
    const important = deployment('zz-important', {
      placement: duplicated,
      clusters: on('east-1'),
      replicas: 2,
      spec: { schedulePriority: { priority: 1000 } },
    });
    const [east] = clusters as [Cluster];
    const change = clusterChange(east, tainted(east));
    expect(onStage(world(clusters, [web, important])).wakes(scheduler, change)).toEqual([
      { key: keyOf('web') },
      { key: keyOf('zz-important') },
    ]);
    const featureGates = { ...failoverOn.featureGates, PriorityBasedScheduling: true };
    const byPriority = onStage(world(clusters, [web, important]), { ...failoverOn, featureGates });
    expect(byPriority.wakes(scheduler, change)).toEqual([
      { key: keyOf('zz-important') },
      { key: keyOf('web') },
    ]);
  });

  test('resumes with bindings on a cluster that is being deleted, in versions that reschedule them', () => {
    const [east, ...rest] = clusters as [Cluster, ...Cluster[]];
    const deleted = { ...east, metadata: { ...east.metadata, deletionTimestamp: rfc3339(START - 60_000) } };
    const given = world([deleted, ...rest], [web]);
    expect(onStage(given).resumes(scheduler)).toEqual([{ key: keyOf('web') }]);
    const { defaults } = dialectOf('v1.12.1')!.dialect;
    expect(onStage(given, defaults).resumes(scheduler)).toEqual([]);
  });

  test('resumes with bindings behind their observed generation and with failures that Karmada retries', () => {
    const behind = { ...web, status: { ...web.status!, schedulerObservedGeneration: 1 } };
    const failed = (reason: string) => ({
      ...other,
      status: {
        ...other.status!,
        conditions: [
          {
            type: 'Scheduled',
            status: 'False' as const,
            reason,
            message: 'no room',
            lastTransitionTime: rfc3339(START - 60_000),
          },
        ],
      },
    });
    expect(onStage(world(clusters, [behind, other])).resumes(scheduler)).toEqual([{ key: keyOf('web') }]);
    expect(onStage(world(clusters, [web, failed('Unschedulable')])).resumes(scheduler)).toEqual([
      // 5 ms doubled: 81.915 s after the first failure
      { key: keyOf('other'), after: 21_915 },
    ]);
    expect(onStage(world(clusters, [web, failed('NoClusterFit')])).resumes(scheduler)).toEqual([]);
    // A failure does not change the observed generation: the scheduler has processed this one, and a new process
    // processes all.
    const unfit = failed('NoClusterFit');
    unfit.status.schedulerObservedGeneration = 1;
    const stage = onStage(world(clusters, [web, unfit]));
    expect(stage.resumes(scheduler, () => undefined)).toEqual([]);
    expect(stage.resumes(scheduler)).toEqual([{ key: keyOf('other') }]);
    // It may have been changed just before the capture: other orders try that.
    expect(stage.resumes(scheduler, () => 0.9)).toEqual([{ key: keyOf('other') }]);
  });

  describe('with random ties before v1.16', () => {
    const evenly: Placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
    };
    const configuration = { ...failoverOn, rules: dialectOf('v1.15.9').dialect.rules };
    const web = deployment('web', { placement: evenly, clusters: [], replicas: 4 });

    test('the scheduler assigns the remainder to the first names and notes the tie', () => {
      const stage = onStage(world(clusters, [web]), configuration);
      const { writes, notes } = stage.reconcile(scheduler, keyOf('web'));
      stage.write(...writes!);
      expect(stage.binding(keyOf('web')).spec.clusters).toEqual([
        { name: 'east-1', replicas: 2 },
        { name: 'east-2', replicas: 1 },
        { name: 'west-1', replicas: 1 },
      ]);
      expect(notes).toEqual([{ type: 'FreeChoice', binding: keyOf('web'), choice: 'random tie' }]);
    });

    test('the scheduler varies the remainder between processing orders', () => {
      const stage = onStage(world(clusters, [web]), configuration);
      const winners = Array.from({ length: 20 }, (_, number) => {
        const { draw } = otherOrdering(number);
        const { writes } = scheduler.reconcile({
          key: keyOf('web'),
          view: stage.store,
          memory: undefined,
          configuration,
          now: START,
          evidence: undefined,
          draw,
        });
        const [patch] = writes as unknown as { object: ResourceBinding }[];
        return patch!.object.spec.clusters!.find(({ replicas }) => replicas === 2)!.name;
      });
      expect(new Set(winners)).toEqual(new Set(['east-1', 'east-2', 'west-1']));
    });
  });
});
