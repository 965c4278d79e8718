import { describe, expect, test } from '@jest/globals';
import { cordoned, drainTainted } from '../../../../src/analysis/drain/cordon.ts';
import type { DrainOptions } from '../../../../src/analysis/drain/drainOptions.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';
import { failoverByDesign } from '../../../proposal/documents.ts';
import { failoverOn, START } from '../../../simulator/simulation/controlPlane.ts';
import {
  byCapacity,
  cordonedFor,
  drainer,
  everywhere,
  heldTask,
  onlyOn,
  workload,
  writesOf,
  type Works,
} from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, down, east, fleet, freeTask, on, taintTask } from './placedOn.ts';

const one: DrainOptions = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 1 } });
const cordonedOne = cordonedFor(one, fleet);
const TIMEOUT = 600_000;
const web = on('web', 4, { 'east-1': 2, 'west-1': 2 });
const api = on('api', 2, { 'east-1': 2 });
const evicted = (...gracefulEvictionTasks: GracefulEvictionTask[]) =>
  on('web', 4, { 'west-1': 4 }, { gracefulEvictionTasks });
const starting: Works = { web: { 'east-1': {}, 'west-1': { ready: 3, written: 4 } } };
const newer = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  metadata: { ...binding.metadata, generation: 9 },
});
const at = (time: number) => rfc3339(time);

describe('a workload with an earlier eviction', () => {
  test('is tracked until its old copy is deleted, even if the drain no longer selects it', () => {
    const others = drainOf(['east-1'], { selection: { skip: ['deploy/web'] } });
    const clusters = cordonedFor(others, fleet);
    const bindings = [evicted(heldTask('east-1'))];
    const drain = drainer({ clusters, bindings, works: starting }, others);
    expect(workload(drain.step(), 'web')).toMatchObject({ phase: 'starting' });
    drain.stage = { clusters, bindings };
    expect(writesOf(drain.step())).toEqual(['release web from east-1']);
  });

  test('delays the next eviction, counted from the newest timestamp of its tasks', () => {
    const stamped = (fromCluster: string, time: number) =>
      heldTask(fromCluster, { creationTimestamp: at(time) });
    const both = drainOf(['east-1', 'east-2']);
    const clusters = cordonedFor(both, fleet);
    const waitsUntil = (...tasks: GracefulEvictionTask[]) => {
      const step = drainer({ clusters, bindings: [evicted(...tasks), api], works: starting }, both).step();
      expect(step.writes).toEqual([]);
      return step.requeueAt;
    };
    expect(waitsUntil(stamped('east-1', START - 1000), stamped('east-2', START - 9000))).toBe(START + 1000);
    expect(waitsUntil(stamped('east-1', START - 9000), stamped('east-2', START - 1000))).toBe(START + 1000);
    expect(waitsUntil(stamped('east-1', START))).toBe(START + 2000);
    expect(waitsUntil(stamped('east-1', START), heldTask('east-2', { creationTimestamp: null }))).toBe(
      START + 2000,
    );
  });

  test('delays the next eviction even if another writer restored it before this process started', () => {
    const raced = on(
      'web',
      4,
      { 'east-1': 2, 'west-1': 2 },
      { gracefulEvictionTasks: [heldTask('east-1', { creationTimestamp: at(START) })] },
    );
    const drain = drainer({ clusters: cordonedEast, bindings: [raced] }, east);
    expect(drain.step(START + 500)).toMatchObject({ writes: [], requeueAt: START + 2000 });
    expect(writesOf(drain.step(START + 2000))).toEqual(['evict web from east-1']);
  });

  test('is not evicted again if a user places it on the drained cluster after its task has ended', () => {
    const drain = drainer(
      { clusters: cordonedEast, bindings: [evicted(heldTask('east-1'))], works: starting },
      east,
    );
    drain.step();
    drain.stage = { clusters: cordonedEast, bindings: [newer(web)] };
    expect(drain.step(START + 60_000)).toMatchObject({
      writes: [],
      finished: true,
      workloads: [{ phase: 'skipped', waitingFor: expect.stringMatching(/^it was placed on east-1 again/) }],
    });
  });

  test('is evicted again if another writer restores it, but only once', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [web] }, east);
    const writeBack = () => {
      const [binding] = drain.stage.bindings;
      const { metadata, spec } = binding!;
      const generation = (metadata.generation ?? 0) + 1;
      const { clusters = [] } = web.spec;
      const back = { ...binding!, metadata: { ...metadata, generation }, spec: { ...spec, clusters } };
      drain.stage = { ...drain.stage, bindings: [back] };
    };
    expect(writesOf(drain.step(START))).toEqual(['evict web from east-1']);
    writeBack();
    expect(writesOf(drain.step(START + 10_000))).toEqual(['evict web from east-1']);
    writeBack();
    expect(drain.step(START + 20_000)).toMatchObject({
      writes: [],
      finished: true,
      workloads: [{ phase: 'stuck', waitingFor: expect.stringMatching(/^it was placed on east-1 again/) }],
    });
    // It is permanently in flight; queued workloads are not waited for.
    const { bindings } = drain.stage;
    const full = drainer({ clusters: cordonedOne, bindings: [...bindings, api] }, one);
    for (const [key, memory] of drain.remembered) full.remembered.set(key, memory);
    const step = full.step(START + 30_000);
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'api')).toMatchObject({ phase: 'queued' });
  });

  test('is stuck and in flight if it is restored without a possible placement, and lets the drain end', () => {
    const placement = onlyOn('east-1');
    const raced = on(
      'web',
      2,
      { 'east-1': 2 },
      { placement, gracefulEvictionTasks: [heldTask('east-1', { creationTimestamp: null })] },
    );
    const step = drainer({ clusters: cordonedOne, bindings: [raced, api] }, one).step();
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'web')).toMatchObject({ phase: 'stuck' });
    expect(workload(step, 'api')).toMatchObject({ phase: 'queued' });
  });

  test('is reported with its replicas on the drained cluster if its task records them', () => {
    const { replicas: _unknown, ...task } = heldTask('east-1');
    const step = drainer({ clusters: cordonedEast, bindings: [evicted(task)], works: starting }, east).step();
    expect(workload(step, 'web')!.from).toStrictEqual([{ name: 'east-1' }]);
    expect(workload(step, 'web')!.to).toStrictEqual([{ name: 'west-1', replicas: 4 }]);
  });
});

describe('a workload with tasks of the drain', () => {
  const both = drainOf(['east-1', 'east-2']);
  const clusters = cordonedFor(both, fleet);

  test('is released once its replacement is ready, even if only one task is held', () => {
    const tasks = [freeTask('east-1'), heldTask('east-2')];
    const step = drainer({ clusters, bindings: [evicted(...tasks)] }, both).step();
    expect(writesOf(step)).toEqual(['release web from east-2']);
    expect(step.writes[0]).toMatchObject({
      object: { spec: { gracefulEvictionTasks: [freeTask('east-1'), freeTask('east-2')] } },
    });
  });

  test('keeps the held tasks of other producers', () => {
    const foreign = taintTask('west-2', { suppressDeletion: true });
    const bindings = [evicted(heldTask('east-1'), foreign)];
    const step = drainer({ clusters: cordonedEast, bindings }, east).step();
    expect(writesOf(step)).toEqual(['release web from east-1']);
    expect(step.writes[0]).toMatchObject({
      object: { spec: { gracefulEvictionTasks: [freeTask('east-1'), foreign] } },
    });
  });

  test('is not released while its cluster is being cordoned', () => {
    const drain = drainer({ clusters: fleet, bindings: [evicted(heldTask('east-1'))] }, east);
    const first = drain.step();
    expect(writesOf(first)).toEqual(['cordon east-1']);
    expect(workload(first, 'web')).toMatchObject({ phase: 'ready', waitingFor: 'release pending' });
    expect(writesOf(drain.step())).toEqual(['release web from east-1']);
  });

  test('blocks further evictions at the limit while it is stuck, but not the end of the drain', () => {
    const bindings = [evicted(heldTask('east-1')), api];
    const drain = drainer({ clusters: cordonedOne, bindings, works: starting }, one);
    const before = drain.step(START);
    expect(before).toMatchObject({ writes: [], finished: false });
    expect(workload(before, 'web')).toMatchObject({ phase: 'starting' });
    const after = drain.step(START + TIMEOUT);
    expect(after).toMatchObject({ writes: [], finished: true });
    expect(workload(after, 'web')).toMatchObject({ phase: 'stuck' });
    expect(workload(after, 'api')).toMatchObject({ phase: 'queued' });
  });

  test('is left to Karmada with a deadline if its task is not held', () => {
    const says = (task: GracefulEvictionTask, hold = true) => {
      const options = drainOf(['east-1'], { hold });
      const stage = { clusters: cordonedFor(options, fleet), bindings: [evicted(task)], works: starting };
      const step = drainer(stage, options).step();
      expect(step).toMatchObject({ writes: [], finished: false });
      return workload(step, 'web');
    };
    const creationTimestamp = at(START - 10_000);
    expect(says(freeTask('east-1', { creationTimestamp }))).toMatchObject({
      phase: 'leaving',
      waitingFor: `Karmada will end the task, at the latest at ${at(START - 10_000 + TIMEOUT)}`,
    });
    expect(says(freeTask('east-1', { creationTimestamp: null }))).toMatchObject({
      phase: 'leaving',
      waitingFor: 'Karmada will end the task',
    });
    expect(says(freeTask('east-1', { creationTimestamp: null }), false)).toMatchObject({
      phase: 'starting',
      waitingFor: 'west-1: 3 of 4 replicas ready; Karmada ends the task',
    });
  });

  test('has a deadline without holds only if each of its tasks has one', () => {
    const says = (...gracePeriods: (number | undefined)[]) => {
      const options = drainOf(['east-1', 'east-2'], { hold: false });
      const tasks = ['east-1', 'east-2'].map((name, index) =>
        freeTask(name, {
          creationTimestamp: at(START),
          ...(gracePeriods[index] !== undefined && { gracePeriodSeconds: gracePeriods[index] }),
        }),
      );
      const stage = { clusters: cordonedFor(options, fleet), bindings: [evicted(...tasks)], works: starting };
      // in these designs a task only times out by its own grace period
      const { defaults: configuration } = dialectOf('proposal+application-failover').dialect;
      return workload(drainer(stage, options, configuration).step(), 'web')?.waitingFor;
    };
    const ends = 'west-1: 3 of 4 replicas ready; Karmada ends the task';
    expect(says(60, 90)).toBe(`${ends}, at the latest at ${at(START + 90_000)}`);
    expect(says(60)).toBe(ends);
  });

  test('has no deadline without holds if the graceful eviction controller is off', () => {
    const withoutController = {
      ...failoverOn,
      controllerManager: { ...failoverOn.controllerManager, controllers: '*,-gracefulEviction' },
    };
    const stage = { clusters: cordonedEast, bindings: [evicted(freeTask('east-1'))], works: starting };
    const reported = workload(drainer(stage, east, withoutController).step(), 'web')!;
    expect(reported.waitingFor).toBe('Karmada will end the task');
    expect(reported.deadline).toBeUndefined();
  });

  test('is released from all clusters of its eviction after an accepted loss, except those of another drain', () => {
    const options = drainOf(['east-1'], { accept: { ...east.accept, loss: true } });
    const marked = (list: Cluster[], name: string) =>
      changed(list, name, (cluster) =>
        cordoned(cluster, { started: '', clusters: [name], selection: {}, hold: true }),
      );
    const fleetMarked = marked(marked(cordonedFor(options, fleet), 'east-2'), 'west-1');
    const together = {
      message: 'before: east-1=2 east-2=1 west-2=1',
      creationTimestamp: at(START - 700_000),
    };
    const tasks = ['east-1', 'east-2', 'west-2'].map((name) => heldTask(name, together));
    const bindings = [evicted(...tasks)];
    const step = drainer({ clusters: fleetMarked, bindings, works: starting }, options).step();
    expect(writesOf(step)).toEqual(['release web from east-1 west-2']);
    expect(workload(step, 'web')).toMatchObject({
      phase: 'ready',
      waitingFor: 'past its timeout, and its loss is accepted: west-1: 3 of 4 replicas ready',
    });
  });

  test('without replicas and without a hold does not wait for other workloads', () => {
    const zoo = on('zoo', 2, { 'west-1': 2 }, { gracefulEvictionTasks: [heldTask('east-1')] });
    const settings = (task: GracefulEvictionTask) =>
      on('settings', 0, { 'west-1': 0 }, { placement: everywhere, gracefulEvictionTasks: [task] });
    const works: Works = {
      zoo: { 'east-1': {}, 'west-1': { ready: 1, written: 2 } },
      settings: { 'east-1': { ready: 0 }, 'west-1': { ready: 0, applied: false } },
    };
    const phaseOf = (task: GracefulEvictionTask, known: Works) => {
      const stage = { clusters: cordonedEast, bindings: [zoo, settings(task)], works: known };
      return workload(drainer(stage, east).step(), 'settings')?.phase;
    };
    expect(phaseOf(heldTask('east-1'), works)).toBe('starting');
    expect(phaseOf(freeTask('east-1'), { zoo: works['zoo']! })).toBe('leaving');
    expect(phaseOf(heldTask('east-1'), { zoo: works['zoo']! })).toBe('ready');
  });
});

describe('a workload that another producer evicts', () => {
  const foreign = evicted(taintTask('east-1', { replicas: 2 }));

  test('waits for the other producers, each listed once', () => {
    const both = drainOf(['east-1', 'east-2']);
    const waitingFor = (...tasks: GracefulEvictionTask[]) =>
      workload(
        drainer({ clusters: cordonedFor(both, fleet), bindings: [evicted(...tasks)] }, both).step(),
        'web',
      )?.waitingFor;
    expect(waitingFor(taintTask('east-1'), taintTask('east-2'))).toBe(
      'Karmada will end the task of TaintManager',
    );
    expect(waitingFor(taintTask('east-1'), taintTask('east-2', { producer: 'Anna' }))).toBe(
      'Karmada will end the task of TaintManager, Anna',
    );
  });

  test('has the deadline of its last task, if Karmada ends every task at a deadline', () => {
    const both = drainOf(['east-1', 'east-2'], { method: 'taint' });
    const reported = (seconds: (number | undefined)[], configuration = failoverOn) => {
      const tasks = ['east-1', 'east-2'].map((name, index) =>
        taintTask(name, {
          creationTimestamp: at(START),
          ...(seconds[index] !== undefined && { gracePeriodSeconds: seconds[index] }),
        }),
      );
      const stage = { clusters: cordonedFor(both, fleet), bindings: [evicted(...tasks)] };
      return workload(drainer(stage, both, configuration).step(), 'web')!;
    };
    expect(reported([60, undefined])).toMatchObject({
      deadline: START + TIMEOUT,
      waitingFor: `Karmada will end the task of TaintManager, at the latest at ${at(START + TIMEOUT)}`,
    });
    expect(reported([60, 90]).deadline).toBe(START + 90_000);
    const { defaults: byGraceAlone } = dialectOf('proposal+application-failover').dialect;
    expect(reported([60], byGraceAlone).deadline).toBeUndefined();
  });

  test('is reported gone once its old copy is deleted', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [foreign] }, east);
    drain.step();
    drain.stage = { clusters: cordonedEast, bindings: [newer(on('web', 4, { 'west-1': 4 }))] };
    expect(drain.step()).toMatchObject({
      finished: true,
      workloads: [{ phase: 'gone', from: [{ name: 'east-1', replicas: 2 }], to: [], evidence: [] }],
    });
  });

  test('is evicted by the drain if another client restores it', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [foreign] }, east);
    drain.step();
    drain.stage = { clusters: cordonedEast, bindings: [newer(web)] };
    expect(writesOf(drain.step())).toEqual(['evict web from east-1']);
  });

  test('does not count as moved if it is a dependent', () => {
    const { placement: _none, ...spec } = evicted(taintTask('east-1')).spec;
    const follower = { ...foreign, spec: { ...spec, requiredBy: [{ namespace: 'shop', name: 'other' }] } };
    const drain = drainer({ clusters: cordonedEast, bindings: [follower] }, east);
    expect(drain.step()).toMatchObject({ finished: false, workloads: [{ phase: 'leaving' }] });
    drain.stage = { clusters: cordonedEast, bindings: [] };
    expect(drain.step()).toMatchObject({ finished: true, workloads: [] });
  });
});

describe('an old copy in deletion', () => {
  const placed = on('web', 4, { 'west-1': 4 });
  const works: Works = { web: { 'east-1': { deleting: true }, 'west-1': { ready: 4 } } };

  test('counts as in flight until it is deleted, and is then reported gone', () => {
    const drain = drainer({ clusters: cordonedOne, bindings: [placed, api], works }, one);
    const leaving = drain.step();
    expect(leaving).toMatchObject({ writes: [], finished: false });
    expect(workload(leaving, 'web')).toEqual(
      expect.objectContaining({
        phase: 'leaving',
        waitingFor: 'the Work for east-1 is being removed',
        from: [{ name: 'east-1' }],
        to: [{ name: 'west-1', replicas: 4 }],
        evidence: [],
      }),
    );
    drain.stage = { ...drain.stage, works: { web: { 'west-1': { ready: 4 } } } };
    const gone = drain.step();
    expect(workload(gone, 'web')).toEqual(
      expect.objectContaining({ phase: 'gone', from: [{ name: 'east-1' }], to: [], evidence: [] }),
    );
    expect(writesOf(gone)).toEqual(['evict api from east-1']);
  });

  test('is evicted if it is placed on the cluster again, because the drain has not evicted it before', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [placed], works }, east);
    drain.step();
    drain.stage = { clusters: cordonedEast, bindings: [newer(web)] };
    expect(writesOf(drain.step())).toEqual(['evict web from east-1']);
  });

  test('counts as in flight if one of its clusters is reachable; the unreachable ones are listed', () => {
    const both = drainOf(['east-1', 'east-2'], { pace: { ...east.pace, maxConcurrent: 1 } });
    const clusters = changed(cordonedFor(both, fleet), 'east-2', down);
    const left: Works = { web: { ...works['web'], 'east-2': { deleting: true } } };
    const step = drainer({ clusters, bindings: [placed, api], works: left }, both).step();
    expect(step.writes).toEqual([]);
    expect(workload(step, 'web')).toMatchObject({
      phase: 'leaving',
      waitingFor: 'east-2 is not Ready: the old copy is deleted once it is Ready again',
    });
  });

  test('keeps the drain open if its binding is deleted, even without a replacement', () => {
    const deleting = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      metadata: { ...binding.metadata, deletionTimestamp: at(START) },
    });
    const drain = drainer({ clusters: cordonedEast, bindings: [deleting(web)] }, east);
    expect(drain.step()).toMatchObject({
      writes: [],
      finished: false,
      workloads: [
        { phase: 'leaving', waitingFor: 'the binding is being deleted', from: [{ name: 'east-1' }] },
      ],
    });
    drain.stage = { ...drain.stage, works: { web: { 'west-1': {} } } };
    expect(drain.step()).toMatchObject({ finished: true, workloads: [{ phase: 'gone' }] });
    const elsewhere = deleting(on('web', 4, { 'west-1': 4 }));
    expect(drainer({ clusters: cordonedEast, bindings: [elsewhere] }, east).step()).toMatchObject({
      finished: true,
      workloads: [],
    });
  });

  test('is found even if the binding has no clusters', () => {
    const { clusters: _none, ...spec } = placed.spec;
    const drain = drainer({ clusters: cordonedEast, bindings: [{ ...placed, spec }], works }, east);
    expect(drain.step()).toMatchObject({
      finished: false,
      workloads: [{ phase: 'leaving', from: [{ name: 'east-1' }], to: [] }],
    });
  });
});

describe('a drain by taint', () => {
  const both = drainOf(['east-1', 'east-2'], { method: 'taint' });
  const added = at(START - 60_000);
  const taintedSince = (timeAdded: string, names = both.clusters) =>
    cordonedFor(both, fleet).map((cluster) => {
      if (!names.includes(cluster.metadata.name)) return cluster;
      const { spec, ...rest } = drainTainted(cluster);
      const taints = spec!.taints!.map((taint) =>
        taint.effect === 'NoExecute' ? { ...taint, timeAdded } : taint,
      );
      return {
        ...rest,
        spec: {
          ...spec,
          taints: [...taints, { key: `on-${rest.metadata.name}`, effect: 'NoExecute' as const, timeAdded }],
        },
      };
    });
  const tolerant = (clusterTolerations: object[], ...names: string[]) =>
    on('web', 2, Object.fromEntries(names.map((name) => [name, 2])), {
      placement: { ...everywhere, clusterTolerations: clusterTolerations as never },
    });
  const drain = { key: 'karmada-failover/drain', operator: 'Exists' };
  const forever = (name: string) => ({ key: `on-${name}`, operator: 'Exists' });
  const seconds = (name: string, tolerationSeconds: number) => ({ ...forever(name), tolerationSeconds });
  const look = (binding: ResourceBinding, clusters = taintedSince(added)) => {
    const found = drainer({ clusters, bindings: [binding] }, both, failoverOn);
    return { found, step: found.step() };
  };
  const waitingFor = (binding: ResourceBinding) => workload(look(binding).step, 'web')?.waitingFor;

  test('queues a workload for the taint manager while its cluster lacks the taint', () => {
    const binding = tolerant([drain, forever('east-1')], 'east-1');
    const { step } = look(binding, cordonedFor(both, fleet));
    expect(writesOf(step)).toEqual(['taint east-1', 'taint east-2']);
    expect(workload(step, 'web')).toMatchObject({
      phase: 'queued',
      waitingFor: "Karmada's taint manager will evict it",
      evidence: [],
    });
    const bare = fleet.map(({ spec: _none, ...cluster }) => cluster);
    expect(workload(look(binding, bare).step, 'web')).toMatchObject({ phase: 'queued' });
  });

  test('waits for the end of a toleration with tolerationSeconds', () => {
    const binding = tolerant([drain, seconds('east-1', 300)], 'east-1');
    const { step, found } = look(binding);
    expect(step).toMatchObject({ writes: [], finished: false, requeueAt: START + 240_000 });
    expect(workload(step, 'web')).toMatchObject({
      phase: 'queued',
      waitingFor: `tolerates the taints of east-1 until ${at(START + 240_000)}`,
      from: [{ name: 'east-1', replicas: 2 }],
    });
    // Nothing had to be evicted yet: what leaves before then leaves by itself.
    found.stage = { ...found.stage, bindings: [] };
    expect(found.step()).toMatchObject({ finished: true, workloads: [] });
  });

  test('checks the tolerations for each cluster of a workload separately', () => {
    expect(waitingFor(tolerant([drain], 'east-1', 'east-2'))).toBe("Karmada's taint manager will evict it");
    expect(waitingFor(tolerant([drain, seconds('east-2', 300)], 'east-1', 'east-2'))).toBe(
      `Karmada's taint manager will evict it from east-1; it tolerates the taints of east-2 until ${at(START + 240_000)}`,
    );
    expect(waitingFor(tolerant([drain, forever('east-1'), seconds('east-2', 300)], 'east-1', 'east-2'))).toBe(
      `tolerates the taints of east-2 until ${at(START + 240_000)}; it tolerates the taints of east-1`,
    );
    expect(waitingFor(tolerant([drain, forever('east-1'), forever('east-2')], 'east-1', 'east-2'))).toBe(
      'tolerates the taints of east-1, east-2',
    );
  });

  test('reports evictions between two reconciles for the clusters whose taints were not tolerated', () => {
    const { found } = look(tolerant([drain, forever('east-2')], 'east-1', 'east-2'));
    found.stage = { ...found.stage, bindings: [] };
    expect(found.step()).toMatchObject({
      workloads: [{ phase: 'gone', from: [{ name: 'east-1', replicas: 2 }] }],
    });
  });

  test('does not wait for a workload that tolerates its taints, even if it leaves an undrained cluster', () => {
    const binding = tolerant([drain, forever('east-1')], 'east-1');
    const spec = { ...binding.spec, gracefulEvictionTasks: [taintTask('west-1')] };
    const { step } = look({ ...binding, spec });
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'web')).toMatchObject({
      phase: 'stays',
      waitingFor: 'tolerates the taints of east-1',
      evidence: [{ rule: 'every NoExecute taint is tolerated forever' }],
    });
  });

  test('waits for a workload if Karmada evicts it from only one of its clusters', () => {
    // given an affinity that now excludes east-2, and two clusters required
    const placement: Placement = {
      ...everywhere,
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 }],
    };
    const phaseOf = (...names: string[]) => {
      const binding = on('web', 2, Object.fromEntries(names.map((name) => [name, 2])), { placement });
      const found = drainer({ clusters: taintedSince(added), bindings: [binding] }, both, failoverByDesign);
      return workload(found.step(), 'web')?.phase;
    };
    // then only west-1 is left for one that leaves east-1, and two for one that leaves east-2
    expect(phaseOf('east-1')).toBe('stays');
    expect(phaseOf('east-2')).toBe('queued');
    expect(phaseOf('east-1', 'east-2')).toBe('queued');
  });

  test('still reports its workloads when it stops for a deleted cluster', () => {
    const { step } = look(
      tolerant([], 'east-1'),
      taintedSince(added).filter(({ metadata }) => metadata.name !== 'east-1'),
    );
    expect(step).toMatchObject({ writes: [], stopped: 'Cluster east-1 was deleted' });
    expect(workload(step, 'web')).toMatchObject({ phase: 'queued' });
  });

  test('evicts nothing itself', () => {
    const binding = on('web', 2, { 'east-1': 2 }, { placement: byCapacity });
    expect(look(binding).step).toMatchObject({ writes: [], finished: false });
  });
});
