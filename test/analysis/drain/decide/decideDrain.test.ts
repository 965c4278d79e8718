import { describe, expect, test } from '@jest/globals';
import { cordoned, drainTainted, uncordoned } from '../../../../src/analysis/drain/cordon.ts';
import { DRAIN_ANNOTATION } from '../../../../src/analysis/drain/drainOptions.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../../src/karmada/api/meta.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../../src/karmada/api/work.ts';
import { cluster, deployment, failoverOn, START } from '../../../simulator/simulation/controlPlane.ts';
import {
  byCapacity,
  cordonedFor,
  drainer,
  everywhere,
  heldTask,
  onlyOn,
  workload,
  writesOf,
  type Reported,
} from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';

const fleet = ['east-1', 'east-2', 'west-1', 'west-2'].map((name) => cluster(name));
const east = drainOf(['east-1']);
const cordonedEast = cordonedFor(east, fleet);

function on(
  name: string,
  replicas: number,
  clusters: Record<string, number>,
  spec: Partial<ResourceBindingSpec> = {},
) {
  const targets = Object.entries(clusters).map(([cluster, count]) => ({ name: cluster, replicas: count }));
  return deployment(name, { placement: byCapacity, replicas, clusters: targets, spec });
}
const down = (one: Cluster): Cluster => ({ ...one, status: { ...one.status, conditions: [] } });
const web = on('web', 4, { 'east-1': 2, 'west-1': 2 });
const api = on('api', 2, { 'east-1': 2 });

function look(
  bindings: ResourceBinding[],
  options = east,
  clusters: Cluster[] = cordonedFor(options, fleet),
) {
  return drainer({ clusters, bindings }, options).step();
}

describe('a dependent of a drained workload', () => {
  const parent = on('web', 2, { 'east-1': 2 }, { propagateDeps: true });
  const attachedTo = (binding: ResourceBinding): ResourceBinding => {
    const { metadata, spec } = on('web-config', 0, {});
    const { placement: _none, ...rest } = spec;
    const { namespace, name } = binding.metadata;
    return {
      ...on('web-config', 0, {}),
      metadata,
      spec: { ...rest, requiredBy: [{ namespace: namespace!, name, clusters: binding.spec.clusters! }] },
    };
  };
  const works = { 'web-config': { 'east-1': {} } };
  const config = attachedTo(parent);

  test('is held by its own task before the workload is evicted', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [parent, config], works }, east);
    const first = drain.step(START);
    expect(writesOf(first)).toEqual(['hold-dependent web-config from east-1']);
    expect(first.writes[0]).toMatchObject({
      object: {
        spec: {
          requiredBy: config.spec.requiredBy,
          gracefulEvictionTasks: [
            { fromCluster: 'east-1', producer: 'karmada-failover', suppressDeletion: true },
          ],
        },
      },
    });
    expect(first).toMatchObject({ finished: false, requeueAt: START });
    expect(writesOf(drain.step(START))).toEqual(['evict web from east-1']);
  });

  test('is held as long as the old copy of the workload, and does not count as an eviction', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [parent, config], works }, east);
    drain.step(START);
    drain.step(START);
    const later = drain.step(START + 5000);
    expect(workload(later, 'web-config')).toMatchObject({
      phase: 'leaving',
      waitingFor: 'kept for web until the old copy is deleted',
    });
    expect(writesOf(later).filter((one) => one.includes('web-config'))).toEqual([]);
  });

  test('is released once the old copy of the workload is gone', () => {
    const left = { ...parent, spec: { ...parent.spec, clusters: [{ name: 'west-1', replicas: 2 }] } };
    const held = { ...config, spec: { ...config.spec, gracefulEvictionTasks: [heldTask('east-1')] } };
    const drain = drainer({ clusters: cordonedEast, bindings: [left, held], works }, east);
    const step = drain.step(START);
    expect(writesOf(step)).toEqual(['release-dependent web-config from east-1']);
    expect(step.writes[0]).not.toHaveProperty('object.spec.gracefulEvictionTasks');
    drain.stage = { ...drain.stage, works: {} };
    expect(drain.step(START)).toMatchObject({ finished: true });
  });

  test('is released if the workload stays', () => {
    const stays = on('web', 2, { 'east-1': 2 }, { propagateDeps: true, placement: onlyOn('east-1') });
    const held = { ...config, spec: { ...config.spec, gracefulEvictionTasks: [heldTask('east-1')] } };
    const drain = drainer({ clusters: cordonedEast, bindings: [stays, held], works }, east);
    expect(writesOf(drain.step(START))).toEqual(['release-dependent web-config from east-1']);
  });

  test('is not held by a drain without holds', () => {
    const options = drainOf(['east-1'], { hold: false });
    const clusters = cordonedFor(options, fleet);
    const drain = drainer({ clusters, bindings: [parent, config], works }, options);
    expect(writesOf(drain.step(START))).toEqual(['evict web from east-1']);
  });
});

describe('a dependent without replicas', () => {
  const settings = on('settings', 0, { 'east-1': 0 }, { placement: everywhere });
  const workloadFirst = on('zoo', 2, { 'east-1': 2 });

  test('is evicted after the workloads, whatever its priority', () => {
    const important = { ...settings, spec: { ...settings.spec, schedulePriority: { priority: 100 } } };
    const drain = drainer({ clusters: cordonedEast, bindings: [important, workloadFirst] }, east);
    expect(writesOf(drain.step(START))).toEqual(['evict zoo from east-1']);
    expect(writesOf(drain.step(START + 2000))).toContain('evict settings from east-1');
  });

  test('is released once no old copy of a workload of its namespace remains', () => {
    const moved = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      spec: {
        ...binding.spec,
        clusters: [{ name: 'west-1', replicas: binding.spec.replicas ?? 0 }],
        gracefulEvictionTasks: [heldTask('east-1', { replicas: 0 })],
      },
    });
    const works = { zoo: { 'east-1': {}, 'west-1': { ready: 1, written: 2 } } };
    const bindings = [moved(settings), moved(workloadFirst)];
    const drain = drainer({ clusters: cordonedEast, bindings, works }, east);
    const waits = drain.step(START);
    expect(waits).toMatchObject({ writes: [], finished: false });
    expect(workload(waits, 'settings')).toMatchObject({
      phase: 'ready',
      waitingFor: 'kept for zoo until the old copies are deleted',
    });
    drain.stage = { ...drain.stage, works: { zoo: { 'west-1': { ready: 2 } } }, bindings: [moved(settings)] };
    expect(writesOf(drain.step(START))).toEqual(['release settings from east-1']);
  });

  const heldZoo = {
    ...workloadFirst,
    spec: {
      ...workloadFirst.spec,
      clusters: [{ name: 'west-1', replicas: 2 }],
      gracefulEvictionTasks: [heldTask('east-1')],
    },
  };
  const keptForZoo = {
    ...settings,
    spec: {
      ...settings.spec,
      clusters: [{ name: 'west-1' }],
      gracefulEvictionTasks: [heldTask('east-1', { replicas: 0 })],
    },
  };

  test('does not count as in flight while it is only held for workloads', () => {
    const two = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 2 } });
    const works = { zoo: { 'east-1': {}, 'west-1': { ready: 1, written: 2 } } };
    const drain = drainer(
      { clusters: cordonedFor(two, fleet), bindings: [heldZoo, keptForZoo, api], works },
      two,
    );
    expect(writesOf(drain.step(START))).toEqual(['evict api from east-1']);
  });

  test('is stuck, and lets the drain end, if every workload that needs it is stuck', () => {
    const works = { zoo: { 'east-1': {}, 'west-1': { ready: 1, written: 2 } } };
    const drain = drainer({ clusters: cordonedEast, bindings: [heldZoo, keptForZoo], works }, east);
    const step = drain.step(START + 3600_000);
    expect(workload(step, 'settings')).toMatchObject({
      phase: 'stuck',
      waitingFor: 'kept for zoo, held as well',
    });
    expect(step.finished).toBe(true);
  });
});

describe('a drain without an answer from the scheduler', () => {
  const queue = ['a', 'b', 'c'].map((name) => on(name, 2, { 'east-1': 2 }));
  const answered = (binding: ResourceBinding): ResourceBinding => ({
    ...binding,
    spec: { ...binding.spec, clusters: [{ name: 'west-1', replicas: 2 }] },
    status: { ...binding.status, schedulerObservedGeneration: binding.metadata.generation ?? 0 },
  });

  test('pauses after 30 seconds, reports the reason, and evicts nothing more', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: queue }, east);
    expect(writesOf(drain.step(START))).toEqual(['evict a from east-1']);
    expect(drain.step(START + 1000)).toMatchObject({ pace: { mode: 'normal' } });
    expect(drain.step(START + 30_999)).toMatchObject({ requeueAt: START + 31_000 });
    const silent = drain.step(START + 31_000);
    expect(silent).toMatchObject({
      writes: [],
      finished: false,
      pace: { mode: 'paused', cause: 'scheduler', rate: 0, reason: expect.stringContaining('for 30s') },
    });
  });

  test('continues after the scheduler has answered', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: queue }, east);
    for (const after of [0, 1000, 40_000]) drain.step(START + after);
    drain.stage = {
      ...drain.stage,
      bindings: drain.stage.bindings.map((one) => (one.spec.gracefulEvictionTasks ? answered(one) : one)),
    };
    const heard = drain.step(START + 60_000);
    expect(heard.pace).toMatchObject({ mode: 'normal', cause: 'clusters' });
    expect(writesOf(heard).at(-1)).toMatch(/^evict . from east-1$/);
  });

  test('continues if another writer restores the evicted workload', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: queue }, east);
    for (const after of [0, 1000]) drain.step(START + after);
    const { metadata, ...rest } = queue[0]!;
    const putBack = { ...rest, metadata: { ...metadata, generation: 3, resourceVersion: 'later' } };
    drain.stage = { ...drain.stage, bindings: [putBack, ...drain.stage.bindings.slice(1)] };
    const step = drain.step(START + 60_000);
    expect(step.pace).toMatchObject({ mode: 'normal', cause: 'clusters' });
    expect(writesOf(step)).toEqual(['evict b from east-1']);
    expect(workload(step, 'a')).toMatchObject({ phase: 'skipped' });
  });

  test('continues if the scheduler answers for another binding, or reports why it found no cluster', () => {
    const refused: ResourceBinding = {
      ...on('a', 2, {}, { gracefulEvictionTasks: [heldTask('east-1')] }),
      status: {
        schedulerObservedGeneration: 1,
        conditions: [{ type: 'Scheduled', status: 'False', reason: 'NoClusterFit', lastTransitionTime: '' }],
      },
    };
    const drain = drainer({ clusters: cordonedEast, bindings: [refused, ...queue.slice(1)] }, east);
    drain.step(START);
    expect(drain.step(START + 60_000).pace).toMatchObject({ mode: 'normal' });
  });

  test('does not wait for an answer about a binding that the scheduler ignores', () => {
    const [a, ...others] = queue;
    const unclaimed = { ...a!, metadata: { ...a!.metadata, labels: {} } };
    const evicted = {
      ...unclaimed,
      spec: { ...a!.spec, clusters: [], gracefulEvictionTasks: [heldTask('east-1')] },
    };
    const behind = { ...evicted, metadata: { ...evicted.metadata, generation: 3 } };
    const drain = drainer({ clusters: cordonedEast, bindings: [behind, ...others] }, east);
    drain.step(START);
    expect(drain.step(START + 60_000).pace).toMatchObject({ mode: 'normal' });
  });
});

describe('a drain', () => {
  test('cordons all of its clusters before it evicts anything', () => {
    const both = drainOf(['east-1', 'east-2']);
    const drain = drainer({ clusters: fleet, bindings: [web] }, both);
    const first = drain.step();
    expect(writesOf(first)).toEqual(['cordon east-1', 'cordon east-2']);
    expect(first).toMatchObject({ finished: false });
    expect(workload(first, 'web')).toMatchObject({ phase: 'queued' });
    expect(writesOf(drain.step())).toEqual(['evict web from east-1']);
  });

  test('evicts nothing in the reconcile that cordons, and continues after it', () => {
    const drain = drainer({ clusters: fleet, bindings: [web] }, east);
    const first = drain.step();
    expect(writesOf(first)).toEqual(['cordon east-1']);
    expect(first).toMatchObject({ finished: false });
    expect(first.evicts).toBeUndefined();
  });

  test('marks its clusters again if another drain of them ends and leaves them cordoned', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [web] }, east);
    drain.step();
    const unmarked = ({ metadata, ...one }: Cluster): Cluster => ({
      ...one,
      metadata: { ...metadata, annotations: {} },
    });
    drain.stage = { ...drain.stage, clusters: drain.stage.clusters.map(unmarked) };
    const step = drain.step();
    expect(step.stopped).toBeUndefined();
    expect(writesOf(step)).toEqual(['cordon east-1']);
  });

  test('replaces a drain mark with other options by its own, and keeps the start time', () => {
    const before = drainOf(['east-1'], { selection: { namespace: 'data' } });
    const drain = drainer({ clusters: cordonedFor(before, fleet), bindings: [web] }, east);
    const first = drain.step(START + 60_000);
    expect(writesOf(first)).toEqual(['cordon east-1']);
    expect(first.writes[0]).toMatchObject({
      object: {
        metadata: {
          annotations: {
            [DRAIN_ANNOTATION]: expect.stringMatching(/"started":"2026-09-01T08:00:00Z".*"selection":{}/),
          },
        },
      },
    });
    expect(writesOf(drain.step(START + 60_000))).toEqual(['evict web from east-1']);
  });

  test('evicts one workload at a time, at the pace, starting with the workload that frees the most capacity', () => {
    const drain = drainer(
      { clusters: cordonedEast, bindings: [api, on('big', 9, { 'east-1': 9 }), web] },
      east,
    );
    expect(writesOf(drain.step())).toEqual(['evict big from east-1']);
    const soon = drain.step(START + 1999);
    expect(soon).toMatchObject({ writes: [], requeueAt: START + 2000 });
    expect(writesOf(drain.step(START + 2000))).toEqual(['evict api from east-1']);
    expect(writesOf(drain.step(START + 4000))).toEqual(['evict web from east-1']);
    expect(drain.step(START + 6000).writes).toEqual([]);
  });

  test('keeps the pace of the process that ran before', () => {
    const evicted = on(
      'old',
      2,
      { 'west-1': 2 },
      { gracefulEvictionTasks: [heldTask('east-1', { creationTimestamp: '2026-09-01T08:00:00Z' })] },
    );
    const drain = drainer({ clusters: cordonedEast, bindings: [api, evicted] }, east);
    drain.stage = { ...drain.stage, works: { old: { 'west-1': { ready: 0, written: 2 } } } };
    expect(drain.step(START + 1000)).toMatchObject({ writes: [], requeueAt: START + 2000 });
    expect(writesOf(drain.step(START + 2000))).toEqual(['evict api from east-1']);
  });

  test('does not wait for an eviction task with a timestamp in the future', () => {
    const task = heldTask('east-1', { creationTimestamp: '2026-09-01T10:00:00Z' });
    const evicted = on('old', 2, { 'west-1': 2 }, { gracefulEvictionTasks: [task] });
    const works = { old: { 'west-1': { ready: 0, written: 2 } } };
    const drain = drainer({ clusters: cordonedEast, bindings: [api, evicted], works }, east);
    expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
  });

  test('stops evicting while too many clusters are faulty, and continues after they recover', () => {
    const faulty = cordonedEast.map((one) => (one.metadata.name === 'west-1' ? one : down(one)));
    const drain = drainer({ clusters: faulty, bindings: [api] }, east);
    const paused = drain.step();
    expect(paused).toMatchObject({ writes: [], finished: false, pace: { mode: 'paused' } });
    drain.stage = { ...drain.stage, clusters: cordonedEast };
    expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
  });

  test('has no more evictions in flight than its limit', () => {
    const one = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 1 } });
    const drain = drainer({ clusters: cordonedFor(one, fleet), bindings: [api, web] }, one);
    expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
    expect(drain.step(START + 60_000)).toMatchObject({ writes: [], finished: false });
  });

  describe('at its limit of evictions in flight', () => {
    const one = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 1 } });

    test('still evicts a workload that another writer has restored', () => {
      const raced = on(
        'web',
        4,
        { 'east-1': 2, 'west-1': 2 },
        { gracefulEvictionTasks: [heldTask('east-1')] },
      );
      const drain = drainer({ clusters: cordonedFor(one, fleet), bindings: [raced] }, one);
      expect(writesOf(drain.step(START + 2000))).toEqual(['evict web from east-1']);
    });

    test('does not count an old copy that remains only on unreachable clusters', () => {
      const clusters = cordonedFor(one, fleet).map((cluster) =>
        cluster.metadata.name === 'east-1' ? down(cluster) : cluster,
      );
      const works = { web: { 'east-1': { deleting: true }, 'west-1': { ready: 4 } } };
      const bindings = [on('web', 4, { 'west-1': 4 }), api];
      const step = drainer({ clusters, bindings, works }, one).step();
      expect(workload(step, 'web')).toMatchObject({ phase: 'leaving' });
      expect(writesOf(step)).toEqual(['evict api from east-1']);
    });
  });

  const marked = (selection: object) =>
    cordonedEast.map((one) =>
      one.metadata.name === 'west-1'
        ? cordoned(one, { started: '', clusters: ['west-1'], selection, hold: true })
        : one,
    );

  test('holds a copy on a cluster of another drain with holds, whatever its own options', () => {
    const direct = drainOf(['east-1'], { hold: false, purgeMode: 'Directly' });
    const [write] = look([web], direct, cordonedFor(direct, marked({}))).writes;
    expect(write).toMatchObject({
      object: {
        spec: {
          gracefulEvictionTasks: [
            { fromCluster: 'east-1', purgeMode: 'Directly' },
            { fromCluster: 'west-1', purgeMode: 'Gracefully', suppressDeletion: true },
          ],
        },
      },
    });
  });

  test('evicts a workload from the clusters of other drains in the same write', () => {
    expect(writesOf(look([web], east, marked({})))).toEqual(['evict web from east-1 west-1']);
    // The other drain does not concern it.
    expect(writesOf(look([web], east, marked({ namespace: 'data' })))).toEqual(['evict web from east-1']);
    // A cordon by itself is not a drain.
    const justCordoned = cordonedEast.map((one) => (one.metadata.name === 'west-1' ? cordoned(one) : one));
    expect(writesOf(look([web], east, justCordoned))).toEqual(['evict web from east-1']);
  });

  test('covers the selected workloads, and evictions in progress', () => {
    const shop = drainOf(['east-1'], { selection: { skip: ['deploy/web'] } });
    const step = look([api, web], shop);
    expect(writesOf(step)).toEqual(['evict api from east-1']);
    expect(workload(step, 'web')).toBeUndefined();
  });
});

describe('the check before each eviction', () => {
  const reasonFor = (spec: Partial<ResourceBindingSpec>, clusters = cordonedEast) => {
    const step = look([{ ...api, spec: { ...api.spec, ...spec } }], east, clusters);
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'api')).toMatchObject({ phase: 'skipped' });
    return workload(step, 'api')!.waitingFor;
  };

  test.each<[string, Partial<ResourceBindingSpec>, RegExp]>([
    ['fits on no other cluster', { placement: onlyOn('east-1') }, /^0\/4 clusters are available/],
    [
      'needs more clusters than remain',
      {
        placement: {
          ...onlyOn('east-1', 'east-2'),
          spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 2 }],
        },
      },
      /less than spreadConstraint.MinGroups/,
    ],
    [
      'has no free capacity',
      { replicaRequirements: { resourceRequest: { cpu: '200' } } },
      /not enough to schedule/,
    ],
    ['has suspended scheduling', { suspension: { scheduling: true } }, /its scheduling is suspended/],
    ['has suspended dispatching', { suspension: { dispatching: true } }, /its dispatching is suspended/],
    [
      'would move to a cluster with suspended dispatching',
      {
        placement: onlyOn('east-1', 'west-1'),
        suspension: { dispatchingOnClusters: { clusterNames: ['west-1'] } },
      },
      /it would move to west-1, where its dispatching is suspended/,
    ],
    ['has another scheduler', { schedulerName: 'fair' }, /scheduled by "fair"/],
    ['has no placement', { placement: undefined } as never, /no placement/],
    ['has no replicas', { replicas: 0, clusters: [{ name: 'east-1', replicas: 0 }] }, /it has 0 replicas/],
    [
      'another producer evicts',
      {
        gracefulEvictionTasks: [
          { fromCluster: 'east-1', producer: 'TaintManager', reason: 'TaintUntolerated' },
        ],
      },
      /TaintManager has an eviction task for east-1/,
    ],
    [
      'moves with preserved state',
      {
        gracefulEvictionTasks: [
          {
            fromCluster: 'west-1',
            producer: 'ResourceBindingApplicationFailover',
            reason: 'ApplicationFailure',
            purgeMode: 'Directly',
            preservedLabelState: { 'shop/checkpoint': '7' },
          },
        ],
      },
      /ResourceBindingApplicationFailover moves it from west-1 with its preserved state/,
    ],
  ])('skips a workload that %s, with the reason', (_what, spec, reason) => {
    expect(reasonFor(spec)).toMatch(reason);
  });

  test('keeps a workload that tolerates the cordon, and the drain ends without it', () => {
    const placement = { ...byCapacity, clusterTolerations: [{ operator: 'Exists' as const }] };
    const step = look([{ ...api, spec: { ...api.spec, placement } }], east, cordonedEast);
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'api')).toMatchObject({
      phase: 'stays',
      waitingFor: expect.stringMatching(/^tolerates cluster.karmada.io\/unschedulable:NoSchedule on east-1/),
    });
  });

  test('keeps a finished Job, which would run again', () => {
    const resource = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'api' };
    const ran = (status: object, clusters = api.spec.clusters!, placement = byCapacity) => ({
      ...api,
      spec: { ...api.spec, resource, clusters, placement },
      status: {
        ...api.status,
        aggregatedStatus: clusters.map(({ name }) => ({ clusterName: name, status })),
      },
    });
    const ended = { succeeded: 2, conditions: [{ type: 'Complete', status: 'True' }] };
    const capable = cordonedEast.map((one) => ({
      ...one,
      status: { ...one.status, apiEnablements: [{ groupVersion: 'batch/v1', resources: [{ kind: 'Job' }] }] },
    })) as unknown as Cluster[];
    expect(workload(look([ran(ended)], east, capable), 'api')).toMatchObject({
      phase: 'stays',
      waitingFor: 'it has completed on east-1: on another cluster it would run again',
    });
    expect(writesOf(look([ran({ active: 2 })], east, capable))).toEqual(['evict api from east-1']);
    // it has run everywhere
    const copies = capable.map(({ metadata: { name } }) => ({ name, replicas: 2 }));
    expect(writesOf(look([ran(ended, copies, everywhere)], east, capable))).toEqual([
      'evict api from east-1',
    ]);
  });

  test('skips a workload that no policy claims', () => {
    const unclaimed = { ...api, metadata: { ...api.metadata, labels: {} } };
    expect(workload(look([unclaimed]), 'api')?.waitingFor).toMatch(/no policy claims it/);
  });

  test('skips a workload that would move to a cluster that is not Ready', () => {
    const clusters = cordonedEast.map((one) => (one.metadata.name === 'west-1' ? down(one) : one));
    expect(reasonFor({ placement: onlyOn('east-1', 'west-1') }, clusters)).toBe(
      'it would move to west-1, which is not Ready',
    );
  });

  test('skips a workload whose other copies are all unreachable', () => {
    const known = cordonedEast.map((one) => (one.metadata.name === 'west-1' ? down(one) : one));
    const placement = { ...everywhere, clusterAffinity: { clusterNames: ['east-1', 'west-1'] } };
    const clusters = [
      { name: 'east-1', replicas: 2 },
      { name: 'west-1', replicas: 2 },
    ];
    expect(reasonFor({ placement, clusters }, known)).toBe('it would remain only on west-1, not Ready');
  });

  test('allows a workload that tolerates the cordon but no longer selects the cluster', () => {
    const placement = { ...onlyOn('west-1'), clusterTolerations: [{ operator: 'Exists' }] };
    const moved = { ...api, spec: { ...api.spec, placement } };
    expect(writesOf(look([moved]))).toEqual(['evict api from east-1']);
  });

  test('skips a workload without capacity, evicts others first, and evicts it when capacity is free', () => {
    const pinned = on('pinned', 9, { 'east-1': 9 }, { placement: onlyOn('east-1', 'south-1') });
    const drain = drainer({ clusters: cordonedEast, bindings: [pinned, api] }, east);
    expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
    const alone = drain.step(START + 2000);
    expect(workload(alone, 'pinned')).toMatchObject({ phase: 'skipped' });
    drain.stage = { ...drain.stage, clusters: [...cordonedEast, cluster('south-1')] };
    expect(writesOf(drain.step(START + 4000))).toEqual(['evict pinned from east-1']);
  });

  test('holds the other copies that the scheduler would remove in the same placement', () => {
    // The second group takes all of it: without a task, the copy on east-2 would be deleted at once.
    const placement = {
      ...byCapacity,
      clusterAffinity: undefined,
      clusterAffinities: [
        { affinityName: 'east', clusterNames: ['east-1', 'east-2'] },
        { affinityName: 'west', clusterNames: ['west-1', 'west-2'] },
      ],
    };
    const full = cordonedEast.map((one) =>
      one.metadata.name === 'east-2'
        ? {
            ...one,
            status: {
              ...one.status,
              resourceSummary: {
                allocatable: { cpu: '1', memory: '1Gi', pods: '10' },
                allocated: { cpu: '1', pods: '10' },
              },
            },
          }
        : one,
    );
    const grouped = deployment('web', {
      placement,
      replicas: 4,
      clusters: [
        { name: 'east-1', replicas: 2 },
        { name: 'east-2', replicas: 2 },
      ],
    });
    const step = look([grouped], east, full);
    expect(writesOf(step)).toEqual(['evict web from east-1 east-2']);
    expect(step.writes[0]).toMatchObject({
      object: {
        spec: {
          clusters: [],
          gracefulEvictionTasks: [{ suppressDeletion: true }, { suppressDeletion: true }],
        },
      },
    });
  });

  test('allows a workload on every cluster to lose only the copy on the drained cluster', () => {
    const agent = deployment('agent', {
      placement: everywhere,
      replicas: 1,
      clusters: fleet.map(({ metadata }) => ({ name: metadata.name, replicas: 1 })),
    });
    expect(look([agent]).writes[0]).toMatchObject({
      object: { spec: { clusters: [{ name: 'east-2' }, { name: 'west-1' }, { name: 'west-2' }] } },
    });
  });
});

describe('an evicted workload', () => {
  const evicted = on('web', 4, { 'west-1': 4 }, { gracefulEvictionTasks: [heldTask('east-1')] });
  const starting = (ready: number): Record<string, Reported> => ({
    'east-1': { ready: 2 },
    'west-1': { ready, written: 4 },
  });
  const stage = (ready: number, binding: ResourceBinding = evicted) => ({
    clusters: cordonedEast,
    bindings: [binding],
    works: { web: starting(ready) },
  });
  const without = (changes = {}) => {
    const { suppressDeletion: _held, ...task } = heldTask('east-1', changes);
    return task;
  };

  test('is held until all assigned replicas are ready, and then released', () => {
    const drain = drainer(stage(3), east);
    expect(drain.step()).toMatchObject({
      writes: [],
      finished: false,
      workloads: [
        { phase: 'starting', waitingFor: 'west-1: 3 of 4 replicas ready', from: [{ name: 'east-1' }] },
      ],
    });
    drain.stage = stage(4);
    expect(drain.step()).toMatchObject({
      writes: [{ object: { spec: { gracefulEvictionTasks: [without()] } } }],
      workloads: [{ phase: 'ready' }],
    });
    const released = drain.step();
    expect(released).toMatchObject({ writes: [], workloads: [{ phase: 'leaving' }], finished: false });
  });

  test('is stuck at its timeout, not released, and the drain then ends', () => {
    const timeout = START - 10_000 + 600_000;
    const drain = drainer(stage(3), east);
    expect(drain.step()).toMatchObject({ requeueAt: timeout + 1 });
    expect(drain.step(timeout + 1)).toMatchObject({
      writes: [],
      finished: true,
      workloads: [{ phase: 'stuck', waitingFor: 'west-1: 3 of 4 replicas ready' }],
    });
    // It is still released when the replacement comes up late.
    drain.stage = stage(4);
    expect(writesOf(drain.step(timeout + 5000))).toEqual(['release web from east-1']);
  });

  test('is released after its timeout, not before, if its loss is accepted', () => {
    const reckless = drainOf(['east-1'], { accept: { ...east.accept, loss: true } });
    const quick = on(
      'web',
      4,
      { 'west-1': 4 },
      { gracefulEvictionTasks: [heldTask('east-1', { gracePeriodSeconds: 30 })] },
    );
    const drain = drainer({ ...stage(3, quick), clusters: cordonedFor(reckless, fleet) }, reckless);
    expect(drain.step(START + 20_000)).toMatchObject({ writes: [] });
    expect(writesOf(drain.step(START + 20_001))).toEqual(['release web from east-1']);
  });

  test('is not released for a loss that another drain has not accepted', () => {
    const reckless = drainOf(['east-1'], { accept: { ...east.accept, loss: true } });
    const clusters = cordonedFor(reckless, fleet).map((one) =>
      one.metadata.name === 'east-2'
        ? cordoned(one, { started: '', clusters: ['east-2'], selection: {}, hold: true })
        : one,
    );
    const long = { creationTimestamp: '2026-09-01T07:00:00Z' };
    const both = on(
      'web',
      4,
      { 'west-1': 4 },
      { gracefulEvictionTasks: [heldTask('east-1', long), heldTask('east-2')] },
    );
    const step = drainer({ ...stage(3, both), clusters }, reckless).step();
    expect(writesOf(step)).toEqual(['release web from east-1']);
    expect(step.writes[0]).toMatchObject({
      object: {
        spec: { gracefulEvictionTasks: [without(long), { fromCluster: 'east-2', suppressDeletion: true }] },
      },
    });
  });

  test('is left to Karmada if it is not held', () => {
    const judged = on('web', 4, { 'west-1': 4 }, { gracefulEvictionTasks: [without()] });
    const step = drainer(stage(3, judged), drainOf(['east-1'], { hold: false })).step();
    expect(step).toMatchObject({
      writes: [{ kind: 'Cluster' }],
      workloads: [
        {
          phase: 'starting',
          waitingFor: expect.stringMatching(/Karmada ends the task, at the latest at 2026-09-01T08:09:50Z/),
        },
      ],
    });
  });

  test('is not evicted again by a second process', () => {
    const drain = drainer(stage(3), east);
    expect(drain.step().writes).toEqual([]);
    expect(drain.step(START + 60_000).writes).toEqual([]);
  });

  test('is gone once its task and Work are deleted, and the drain ends', () => {
    const drain = drainer(stage(4), east);
    drain.step();
    const placed = on('web', 4, { 'west-1': 4 });
    const ended = { ...placed, metadata: { ...placed.metadata, generation: 9 } };
    drain.stage = {
      ...stage(4, ended),
      works: { web: { 'east-1': { deleting: true }, 'west-1': { ready: 4 } } },
    };
    expect(drain.step()).toMatchObject({ finished: false, workloads: [{ phase: 'leaving' }] });
    drain.stage = { ...stage(4, ended), works: { web: { 'west-1': { ready: 4 } } } };
    expect(drain.step()).toMatchObject({
      finished: true,
      workloads: [{ phase: 'gone', workload: { name: 'web' }, from: [{ name: 'east-1', replicas: 2 }] }],
    });
  });

  test('does not count as moved if it is a dependent, but the drain waits for it', () => {
    const { placement: _none, ...spec } = on('web-config', 0, {}).spec;
    const follower = on('web-config', 0, {}, { requiredBy: [{ namespace: 'shop', name: 'web-deployment' }] });
    const attached = { ...follower, spec: { ...spec, requiredBy: follower.spec.requiredBy! } };
    const drain = drainer({ clusters: cordonedEast, bindings: [attached] }, east);
    drain.stage = { ...drain.stage, works: { 'web-config': { 'east-1': { deleting: true } } } };
    expect(drain.step()).toMatchObject({ finished: false, workloads: [{ phase: 'leaving' }] });
    drain.stage = { ...drain.stage, works: {} };
    expect(drain.step()).toMatchObject({ finished: true, workloads: [] });
  });

  test('is reported, and not evicted, if a user places it on the cluster again', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [web] }, east);
    drain.step();
    drain.stage = { clusters: cordonedEast, bindings: [on('web', 4, { 'west-1': 4 })] };
    drain.step();
    const metadata = { ...web.metadata, generation: 9 };
    drain.stage = { clusters: cordonedEast, bindings: [{ ...web, metadata }] };
    expect(drain.step(START + 60_000)).toMatchObject({
      writes: [],
      finished: true,
      workloads: [{ phase: 'skipped', waitingFor: expect.stringMatching(/placed on east-1 again/) }],
    });
  });

  test('is evicted again, without a second task, if the scheduler restores it from stale state', () => {
    const raced = on('web', 4, { 'east-1': 2, 'west-1': 2 }, { gracefulEvictionTasks: [heldTask('east-1')] });
    const drain = drainer({ clusters: cordonedEast, bindings: [raced] }, east);
    const step = drain.step(START + 2000);
    expect(writesOf(step)).toEqual(['evict web from east-1']);
    expect(step.writes[0]).toMatchObject({
      object: { spec: { clusters: [{ name: 'west-1' }], gracefulEvictionTasks: [heldTask('east-1')] } },
    });
  });

  test('waits for the task of another producer, and does not change a hold of that producer', () => {
    const task = { fromCluster: 'east-1', producer: 'TaintManager', reason: 'TaintUntolerated' };
    const other = on('web', 4, { 'west-1': 4 }, { gracefulEvictionTasks: [task] });
    expect(drainer(stage(4, other), east).step()).toMatchObject({
      writes: [],
      finished: false,
      workloads: [{ phase: 'leaving' }],
    });
    const holding = on(
      'web',
      4,
      { 'west-1': 4 },
      { gracefulEvictionTasks: [{ ...task, suppressDeletion: true }] },
    );
    expect(drainer(stage(4, holding), east).step()).toMatchObject({
      writes: [],
      finished: true,
      workloads: [{ phase: 'skipped' }],
    });
  });
});

describe('a drain stops', () => {
  const begun = () => {
    const drain = drainer({ clusters: fleet, bindings: [web, api] }, east);
    drain.step();
    drain.step();
    return drain;
  };
  test.each<[string, (one: Cluster) => Cluster | undefined, RegExp]>([
    ['uncordons a cluster', uncordoned, /a user has uncordoned Cluster east-1/],
    ['removes a cluster', () => undefined, /Cluster east-1 was deleted/],
    [
      'deletes a cluster',
      (one) => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: '2026-09-01T08:00:00Z' } }),
      /Cluster east-1 is being deleted/,
    ],
  ])('if a user %s', (_what, change, reason) => {
    const drain = begun();
    const clusters = drain.stage.clusters.flatMap((one) =>
      one.metadata.name === 'east-1'
        ? (change({ ...one, metadata: { ...one.metadata, generation: 9 } }) ?? [])
        : one,
    );
    drain.stage = { ...drain.stage, clusters };
    const step = drain.step(START + 60_000);
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(step.stopped).toMatch(reason);
  });

  test('but continues if its cluster is no longer Ready, and keeps its holds', () => {
    const drain = begun();
    const clusters = drain.stage.clusters.map((one) => (one.metadata.name === 'east-1' ? down(one) : one));
    drain.stage = { ...drain.stage, clusters };
    expect(writesOf(drain.step(START + 60_000))).toContain('evict web from east-1');
  });
});

describe('a drain by taint', () => {
  const byTaint = drainOf(['east-1'], { method: 'taint' });
  test('taints its clusters after all cordons, and leaves evictions to Karmada', () => {
    const tolerant = deployment('tolerant', {
      placement: { ...byCapacity, clusterTolerations: [{ operator: 'Exists' }] },
      replicas: 2,
      clusters: [{ name: 'east-1', replicas: 2 }],
    });
    const drain = drainer({ clusters: fleet, bindings: [web, tolerant] }, byTaint, failoverOn);
    expect(writesOf(drain.step())).toEqual(['cordon east-1']);
    expect(writesOf(drain.step())).toEqual(['taint east-1']);
    const waiting = drain.step();
    expect(waiting).toMatchObject({ writes: [], finished: false });
    expect(workload(waiting, 'web')).toMatchObject({ phase: 'queued' });
    expect(workload(waiting, 'tolerant')).toMatchObject({ phase: 'stays' });
  });

  test('waits for a workload that tolerates the taints of only one cluster until it has left the other', () => {
    const both = drainOf(['east-1', 'east-2'], { method: 'taint' });
    const clusters = cordonedFor(both, fleet).map((one) => {
      const { name } = one.metadata;
      if (!both.clusters.includes(name)) return one;
      const tainted = drainTainted(one);
      const own: Taint = { key: `only-on-${name}`, effect: 'NoExecute' };
      return { ...tainted, spec: { ...tainted.spec, taints: [...tainted.spec!.taints!, own] } };
    });
    const exists = (key: string) => ({ key, operator: 'Exists' as const });
    const placement = {
      ...everywhere,
      clusterTolerations: [exists(DRAIN_ANNOTATION), exists('only-on-east-1')],
    };
    const settledOn = (names: string[], leaves: string[] = []) =>
      deployment('settled', {
        placement,
        replicas: 2,
        clusters: names.map((name) => ({ name, replicas: 2 })),
        spec: {
          gracefulEvictionTasks: leaves.map((name) => {
            const { suppressDeletion: _held, ...task } = heldTask(name, { producer: 'TaintManager' });
            return task;
          }),
        },
      });
    const stepWith = (binding: ResourceBinding) =>
      drainer({ clusters, bindings: [binding] }, both, failoverOn).step();

    const before = stepWith(settledOn(['east-1', 'east-2']));
    expect(before).toMatchObject({ finished: false });
    expect(workload(before, 'settled')).toMatchObject({
      phase: 'queued',
      waitingFor: "Karmada's taint manager will evict it from east-2; it tolerates the taints of east-1",
    });
    const leaving = stepWith(settledOn(['east-1'], ['east-2']));
    expect(leaving).toMatchObject({ finished: false });
    expect(workload(leaving, 'settled')).toMatchObject({ phase: 'leaving' });
    const stays = stepWith(settledOn(['east-1']));
    expect(stays).toMatchObject({ finished: true });
    expect(workload(stays, 'settled')).toMatchObject({
      phase: 'stays',
      waitingFor: 'tolerates the taints of east-1',
    });
  });
});
