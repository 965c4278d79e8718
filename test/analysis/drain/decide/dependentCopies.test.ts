import { describe, expect, test } from '@jest/globals';
import type { GracefulEvictionTask, ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';
import { START } from '../../../simulator/simulation/controlPlane.ts';
import {
  aDrain as anyDrain,
  cordonedFor,
  drainer,
  heldTask,
  lookOf,
  viewOf,
  workload,
  writesOf,
  type Stage,
  type Works,
} from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, down, east, fleet, on, taintTask } from './placedOn.ts';

const TIMEOUT = 600_000;
const both = drainOf(['east-1', 'east-2']);
const web = on('web', 4, { 'east-1': 2, 'west-1': 2 }, { propagateDeps: true });
const evicted = (name: string, ...gracefulEvictionTasks: GracefulEvictionTask[]) =>
  on(name, 4, { 'west-1': 4 }, { propagateDeps: true, gracefulEvictionTasks });
const starting = { 'east-1': {}, 'west-1': { ready: 3, written: 4 } };

/** A dependency of these workloads, without its own placement. */
function neededBy(names: string[], ...gracefulEvictionTasks: GracefulEvictionTask[]): ResourceBinding {
  const { spec, ...binding } = on('config', 0, {});
  const { placement: _none, ...rest } = spec;
  const requiredBy = names.map((name) => ({ namespace: 'shop', name: `${name}-deployment` }));
  return { ...binding, spec: { ...rest, requiredBy, gracefulEvictionTasks } };
}
const works: Works = { config: { 'east-1': {}, 'west-1': {} } };
const aDrain = (...bindings: ResourceBinding[]) => drainer({ clusters: cordonedEast, bindings, works }, east);
const newer = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  metadata: { ...binding.metadata, generation: 9 },
});

describe('a dependent of a workload that is not evicted yet', () => {
  test('is held only on clusters where it has a copy', () => {
    const wide = on('web', 4, { 'east-1': 2, 'east-2': 2 }, { propagateDeps: true });
    const clusters = cordonedFor(both, fleet);
    const config = neededBy(['web']);
    const stepWith = (known: Works) =>
      drainer({ clusters, bindings: [wide, config], works: known }, both).step();
    const held = stepWith({ config: { 'east-2': {}, 'west-1': {} } });
    expect(writesOf(held)).toEqual(['hold-dependent config from east-2']);
    expect(held.writes[0]).toMatchObject({
      object: { spec: { gracefulEvictionTasks: [{ fromCluster: 'east-2', suppressDeletion: true }] } },
    });
    expect(writesOf(stepWith({ config: { 'west-1': {} } }))).toEqual(['evict web from east-1 east-2']);
  });

  test('is not held if its own policy places it', () => {
    const config = neededBy(['web']);
    const placed = { ...config, spec: { ...config.spec, placement: web.spec.placement! } };
    expect(writesOf(aDrain(web, placed).step())).toEqual(['evict web from east-1']);
  });

  test('is not held if it is being deleted', () => {
    const config = neededBy(['web']);
    const metadata = { ...config.metadata, deletionTimestamp: '2026-09-01T08:00:00Z' };
    expect(writesOf(aDrain(web, { ...config, metadata }).step())).toEqual(['evict web from east-1']);
  });

  test('requests a reconcile as soon as the write is visible, and then at the pace', () => {
    const drain = aDrain(web, neededBy(['web']), on('api', 1, { 'east-1': 1 }));
    expect(drain.step(START).requeueAt).toBe(START);
    expect(drain.step(START)).toMatchObject({ requeueAt: START + 2000, finished: false });
  });
});

describe('a dependent that is held for a workload', () => {
  test('stays held while the workload waits for its eviction', () => {
    const drain = aDrain(web, neededBy(['web'], heldTask('east-1')));
    drain.recalls({ lastEvictionAt: START - 500 });
    const step = drain.step(START);
    expect(step).toMatchObject({ writes: [], finished: false, requeueAt: START + 1500 });
    expect(workload(step, 'config')).toMatchObject({
      phase: 'leaving',
      waitingFor: 'kept for web until the old copy is deleted',
    });
  });

  test('is released if another workload is evicted first', () => {
    const big = on('big', 9, { 'east-1': 9 });
    const drain = aDrain(big, web, neededBy(['web'], heldTask('east-1')));
    expect(writesOf(drain.step())).toEqual(['evict big from east-1', 'release-dependent config from east-1']);
  });

  test('is released if the workload is deleted, has moved, or was never on the cluster', () => {
    const released = ['release-dependent config from east-1'];
    const config = neededBy(['web'], heldTask('east-1'));
    const step = aDrain(config).step();
    expect(writesOf(step)).toEqual(released);
    expect(workload(step, 'config')).toMatchObject({ phase: 'leaving', waitingFor: 'release pending' });
    expect(writesOf(aDrain(config, evicted('web', taintTask('west-2'))).step())).toEqual(released);
    const { clusters: _none, ...spec } = web.spec;
    expect(writesOf(aDrain(config, { ...web, spec }).step())).toEqual(released);
  });

  test('is released on the cluster that the workload has left, and held where the workload is stuck', () => {
    const config = neededBy(['web'], heldTask('east-1'), heldTask('east-2'));
    const stuck = evicted('web', heldTask('east-2', { creationTimestamp: rfc3339(START - TIMEOUT - 1000) }));
    const known = {
      config: { 'east-1': {}, 'east-2': {}, 'west-1': {} },
      web: { ...starting, 'east-2': {} },
    };
    const bindings = [stuck, config];
    const drain = drainer({ clusters: cordonedFor(both, fleet), bindings, works: known }, both);
    const step = drain.step();
    expect(workload(step, 'web')).toMatchObject({ phase: 'stuck' });
    expect(writesOf(step)).toEqual(['release-dependent config from east-1']);
    expect(step.finished).toBe(false);
    expect(drain.step()).toMatchObject({ writes: [], finished: true });
  });

  test('stays held if the workload is also evicted from an undrained cluster', () => {
    const tasks = [taintTask('west-2'), heldTask('east-1')];
    const drain = aDrain(evicted('web', ...tasks), neededBy(['web'], heldTask('east-1')));
    drain.stage = { ...drain.stage, works: { ...works, web: starting } };
    expect(drain.step()).toMatchObject({ writes: [], finished: false });
  });

  test('is released for each cluster separately, and only by the drain that holds it', () => {
    const bindings = [
      evicted('web', heldTask('east-2')),
      neededBy(
        ['web'],
        heldTask('east-1'),
        heldTask('east-2'),
        heldTask('west-2'),
        taintTask('east-1', { suppressDeletion: true }),
      ),
    ];
    const known = { ...works, web: { 'east-2': {}, 'west-1': { ready: 3, written: 4 } } };
    const clusters = cordonedFor(both, fleet);
    const step = drainer({ clusters, bindings, works: known }, both).step();
    expect(writesOf(step)).toEqual(['release-dependent config from east-1']);
    expect(step.writes[0]).toMatchObject({
      object: {
        spec: {
          gracefulEvictionTasks: [
            { fromCluster: 'east-2' },
            { fromCluster: 'west-2' },
            { fromCluster: 'east-1', producer: 'TaintManager' },
          ],
        },
      },
    });
    expect(workload(step, 'config')).toMatchObject({
      waitingFor: 'kept for web until the old copy is deleted',
    });
  });

  test('is ignored if another drain or producer holds it', () => {
    for (const task of [heldTask('west-1'), taintTask('east-1', { suppressDeletion: true })]) {
      const drain = aDrain(neededBy(['web'], task));
      drain.stage = { ...drain.stage, works: { config: { 'west-1': {} } } };
      const step = drain.step();
      expect(step).toMatchObject({ writes: [], finished: true });
      expect(workload(step, 'config')?.phase).not.toBe('leaving');
    }
  });

  test('is not listed without a task', () => {
    const { gracefulEvictionTasks: _none, ...spec } = neededBy(['web']).spec;
    const step = drainer({ clusters: cordonedEast, bindings: [{ ...neededBy(['web']), spec }] }, east).step();
    expect(step).toMatchObject({ writes: [], workloads: [], finished: true });
  });

  test('is not released while a cluster is being cordoned', () => {
    const bindings = [neededBy(['web'], heldTask('east-1'))];
    const drain = drainer({ clusters: fleet, bindings, works }, east);
    const step = drain.step();
    expect(writesOf(step)).toEqual(['cordon east-1']);
    expect(step).toMatchObject({ finished: false });
  });

  test('is reported gone, and stays if a policy places it on the cluster later', () => {
    const drain = aDrain(neededBy(['web'], heldTask('east-1')));
    drain.step();
    drain.stage = { ...drain.stage, bindings: [], works: {} };
    expect(drain.step()).toMatchObject({
      finished: true,
      workloads: [{ phase: 'gone', workload: { name: 'config' }, from: [{ name: 'east-1' }] }],
    });
    const placed = newer(on('config', 0, { 'east-1': 0, 'west-1': 0 }));
    drain.stage = { ...drain.stage, bindings: [placed] };
    expect(drain.step()).toMatchObject({ writes: [], workloads: [{ phase: 'skipped' }] });
  });
});

describe('a dependent that is held for several workloads', () => {
  const config = neededBy(['web', 'api'], heldTask('east-1'));
  const old = heldTask('east-1', { creationTimestamp: '2026-09-01T07:00:00Z' });
  const stepWith = (...parents: ResourceBinding[]) => {
    const known = { ...works, web: starting, api: starting };
    return drainer({ clusters: cordonedEast, bindings: [...parents, config], works: known }, east).step();
  };

  test('is stuck if all of them are stuck, and lets the drain end', () => {
    const step = stepWith(evicted('web', old), evicted('api', old));
    expect(step).toMatchObject({ writes: [], finished: true });
    expect(workload(step, 'config')).toMatchObject({
      phase: 'stuck',
      waitingFor: 'kept for web, api, held as well',
    });
  });

  test('stays held while one of them is in progress', () => {
    const step = stepWith(evicted('web', old), evicted('api', heldTask('east-1')));
    expect(step).toMatchObject({ writes: [], finished: false });
    expect(workload(step, 'config')).toMatchObject({
      phase: 'leaving',
      waitingFor: 'kept for web, api until the old copy is deleted',
    });
  });

  test('stays held for the workload that has not moved', () => {
    const step = stepWith(on('web', 4, { 'west-1': 4 }), evicted('api', heldTask('east-1')));
    expect(workload(step, 'config')?.waitingFor).toBe('kept for api until the old copy is deleted');
  });

  test('shows a workload once in its reason, even if it leaves several clusters', () => {
    const tasks = [heldTask('east-1'), heldTask('east-2')];
    const bindings = [evicted('web', ...tasks), neededBy(['web'], ...tasks)];
    const stage: Stage = {
      clusters: cordonedFor(both, fleet),
      bindings,
      works: { config: { 'east-1': {}, 'east-2': {} }, web: starting },
    };
    const step = drainer(stage, both).step(START + 2 * TIMEOUT);
    expect(workload(step, 'config')?.waitingFor).toBe('kept for web, held as well');
  });
});

describe('in a reconcile of single bindings, a held dependent', () => {
  const round = (clusters = cordonedEast, ...bindings: ResourceBinding[]) => {
    const config = neededBy(['web'], heldTask('east-1'));
    const view = viewOf({ clusters, bindings: [...bindings, config], works });
    return lookOf(anyDrain(east), view, { bindings: [config], aim: { evicts: false } });
  };

  test('stays held while its workload is on the cluster', () => {
    const step = round(cordonedEast, web);
    expect(step).toMatchObject({ writes: [], finished: false });
    expect(round(changed(cordonedEast, 'east-1', down), web)).toMatchObject({ writes: [], finished: false });
  });

  test('is released once its workload has moved', () => {
    expect(writesOf(round(cordonedEast, on('web', 4, { 'west-1': 4 })))).toEqual([
      'release-dependent config from east-1',
    ]);
  });
});
