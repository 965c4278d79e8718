import { describe, expect, test } from '@jest/globals';
import type { GracefulEvictionTask, ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { START } from '../../../simulator/simulation/controlPlane.ts';
import { cordonedFor, drainer, everywhere, heldTask, workload, writesOf, type Works } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { cordonedEast, east, fleet, on, taintTask } from './placedOn.ts';

const moved = (name: string, ...gracefulEvictionTasks: GracefulEvictionTask[]) =>
  on(name, 2, { 'west-1': 2 }, { gracefulEvictionTasks });
const settings = on(
  'settings',
  0,
  { 'west-1': 0 },
  {
    placement: everywhere,
    gracefulEvictionTasks: [heldTask('east-1', { replicas: 0 })],
  },
);
const starting = { 'east-1': {}, 'west-1': { ready: 1, written: 2 } };
const works: Works = { zoo: starting, api: starting };
const old = { creationTimestamp: '2026-09-01T07:00:00Z' };
const step = (...bindings: ResourceBinding[]) =>
  drainer({ clusters: cordonedEast, bindings: [settings, ...bindings], works }, east).step();
const state = (...bindings: ResourceBinding[]) => workload(step(...bindings), 'settings');

describe('a held dependent without replicas', () => {
  test('is kept for all evicted workloads of its namespace whose old copies remain', () => {
    expect(state(moved('zoo', heldTask('east-1')))).toMatchObject({
      phase: 'ready',
      waitingFor: 'kept for zoo until the old copies are deleted',
    });
    expect(state(moved('zoo', heldTask('east-1')), moved('api', heldTask('east-1')))).toMatchObject({
      phase: 'ready',
      waitingFor: 'kept for api and 1 more until the old copies are deleted',
    });
    // also for one that leaves other clusters as well
    expect(state(moved('zoo', taintTask('west-2'), heldTask('east-1')))).toMatchObject({
      waitingFor: 'kept for zoo until the old copies are deleted',
    });
  });

  test('is kept while one of these workloads is in progress, and is stuck if all are stuck', () => {
    const stuck = moved('zoo', heldTask('east-1', old));
    const both = step(stuck, moved('api', heldTask('east-1')));
    expect(both.finished).toBe(false);
    expect(workload(both, 'settings')).toMatchObject({ phase: 'ready' });
    const all = step(stuck, moved('api', heldTask('east-1', old)));
    expect(all).toMatchObject({ writes: [], finished: true });
    expect(workload(all, 'settings')).toMatchObject({
      phase: 'stuck',
      waitingFor: 'kept for api and 1 more, held as well',
    });
  });

  test.each<[string, ResourceBinding]>([
    [
      'a workload in another namespace',
      { ...moved('zoo', heldTask('east-1')), metadata: { ...moved('zoo').metadata, namespace: 'data' } },
    ],
    ['a workload evicted from another cluster', moved('zoo', heldTask('west-2'))],
    ['a workload that another producer evicts', moved('zoo', taintTask('east-1'))],
    ['a workload that is not evicted', moved('zoo')],
    [
      'another object without replicas',
      on('rules', 0, { 'west-1': 0 }, { placement: everywhere, gracefulEvictionTasks: [heldTask('east-1')] }),
    ],
  ])('is not kept for %s', (_what, binding) => {
    expect(writesOf(step(binding))).toContain('release settings from east-1');
  });

  test('does not count against the limit of evictions in flight', () => {
    const one = drainOf(['east-1'], { pace: { ...east.pace, maxConcurrent: 2 } });
    const bindings = [settings, moved('zoo', heldTask('east-1')), on('api', 2, { 'east-1': 2 })];
    const drain = drainer({ clusters: cordonedFor(one, fleet), bindings, works: { zoo: starting } }, one);
    expect(writesOf(drain.step(START))).toEqual(['evict api from east-1']);
  });
});

test('a workload with replicas is released once its replacement is ready, whatever the state of others', () => {
  const ready = { ...works, api: { 'east-1': {}, 'west-1': { ready: 2 } } };
  const bindings = [moved('zoo', heldTask('east-1')), moved('api', heldTask('east-1'))];
  const drain = drainer({ clusters: cordonedEast, bindings, works: ready }, east);
  expect(writesOf(drain.step())).toEqual(['release api from east-1']);
});
