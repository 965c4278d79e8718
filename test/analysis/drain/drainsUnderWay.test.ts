import { describe, expect, test } from '@jest/globals';
import { cordoned, markOfDrain, uncordoned } from '../../../src/analysis/drain/cordon.ts';
import { drainsUnderWay } from '../../../src/analysis/drain/drainsUnderWay.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { byCapacity, heldTask } from './aDrain.ts';
import { drainOf } from './drainOf.ts';

const options = drainOf(['east-1', 'east-2'], { selection: { skip: ['deployment/api'] } });
const mark = markOfDrain(options, '2026-09-01T08:00:00Z', 'anna@bastion-1');
const fleet = ['east-1', 'east-2', 'west-1'].map((name) => cluster(name));
const marked = fleet.map((one) => (one.metadata.name.startsWith('east') ? cordoned(one, mark) : one));
const on = (name: string, where: string, tasks = [] as ReturnType<typeof heldTask>[]) =>
  deployment(name, {
    placement: byCapacity,
    replicas: 2,
    clusters: [{ name: where, replicas: 2 }],
    spec: tasks.length > 0 ? { gracefulEvictionTasks: tasks } : {},
  });
const bindings = [
  on('web', 'east-1'),
  on('api', 'east-2'),
  on('held', 'west-1', [heldTask('east-1', { creationTimestamp: '2026-09-01T08:00:10Z' })]),
  on('released', 'west-1', [
    { ...heldTask('east-2', { creationTimestamp: '2026-09-01T08:00:20Z' }), suppressDeletion: false },
  ]),
  on('foreign', 'west-1', [{ ...heldTask('east-1'), producer: 'TaintManager' }]),
];

describe('the drain marks on clusters show', () => {
  test('a drain in progress once for all its clusters, with its user and progress', () => {
    expect(drainsUnderWay(marked, bindings)).toEqual([
      {
        clusters: ['east-1', 'east-2'],
        started: '2026-09-01T08:00:00Z',
        by: 'anna@bastion-1',
        method: 'evict',
        workloads: null,
        gone: null,
        waiting: 1,
        leaving: 2,
        held: 1,
        lastEviction: '2026-09-01T08:00:20Z',
      },
    ]);
  });

  test('the number of evicted workloads, if the mark records the number at the start', () => {
    const of = (workloads: number) =>
      drainsUnderWay(
        fleet.map((one) => (one.metadata.name === 'east-1' ? cordoned(one, { ...mark, workloads }) : one)),
        bindings,
      );
    expect(of(80)).toMatchObject([{ workloads: 80, gone: 77, waiting: 1, leaving: 2 }]);
    expect(of(2)).toMatchObject([{ workloads: 3, gone: 0 }]);
  });

  test('a drain by taint, with the evictions of Karmada', () => {
    const byTaint = markOfDrain({ ...options, method: 'taint' }, '2026-09-01T08:00:00Z');
    const clusters = fleet.map((one) => (one.metadata.name === 'east-1' ? cordoned(one, byTaint) : one));
    expect(drainsUnderWay(clusters, bindings)).toMatchObject([{ method: 'taint', by: null, leaving: 3 }]);
  });

  test('no drain if a user has uncordoned the clusters', () => {
    expect(drainsUnderWay(marked.map(uncordoned), bindings)).toEqual([]);
    expect(drainsUnderWay(fleet, bindings)).toEqual([]);
  });
});
