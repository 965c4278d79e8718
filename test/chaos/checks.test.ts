import { describe, expect, test } from '@jest/globals';
import type { ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import {
  allGone,
  blockedStay,
  endsWhere,
  evictedOnce,
  labelsKept,
  neverFewerReady,
  bindingPath,
  poisonedGivenUp,
  poisonsFor,
  replicasUntouched,
  type Drained,
} from './checks.ts';
import type { LoadedWorkload } from './load.ts';
import type { BindingVersion, ReadyChange } from '../e2e/monitor.ts';

const web: LoadedWorkload = {
  name: 'web',
  binding: 'load/web-deployment',
  dependents: [],
  homes: ['member1', 'member2'],
  needs: 1,
  everywhere: false,
  byChance: false,
  hasReplicas: true,
  objects: [],
};
const SINCE = 1000;

type Step = [time: number, clusters: Record<string, number>, ...leaving: string[]];
const drainOf = (
  steps: Step[],
  more: Partial<{
    ready: ReadyChange[];
    replicas: number[];
    generations: number[];
    workload: Partial<LoadedWorkload>;
  }> = {},
): Drained => {
  const versions = steps.map(([time, clusters, ...leaving], i): BindingVersion => ({
    time,
    clusters: Object.entries(clusters).map(([name, replicas]): TargetCluster => ({ name, replicas })),
    leaving,
    replicas: more.replicas?.[i] ?? 2,
    labels: {},
  }));
  const last = versions.at(-1);
  const newest = {
    metadata: { labels: { kept: 'yes' } },
    spec: {
      clusters: last?.clusters,
      gracefulEvictionTasks: last?.leaving.map((fromCluster) => ({ fromCluster })),
    },
  } as unknown as ResourceBinding;
  return {
    load: [{ ...web, ...more.workload }],
    clusters: ['member1'],
    since: SINCE,
    monitor: {
      bindings: new Map([[web.binding, versions]]),
      newest: new Map([[web.binding, newest]]),
      ready: new Map([[web.name, more.ready ?? []]]),
      generations: new Map([[web.name, new Set(more.generations ?? [1])]]),
      stop: () => Promise.resolve(),
    },
  };
};
const moved: Step[] = [
  [0, { member1: 2 }],
  [2000, {}, 'member1'],
  [3000, { member2: 2 }, 'member1'],
  [5000, { member2: 2 }],
];
const ready = (...changes: [time: number, member: string, ready: number][]): ReadyChange[] =>
  changes.map(([time, member, count]) => ({ time, member, ready: count }));

describe('the checks of a drain', () => {
  test('count a workload as drained when it has neither the cluster nor a task for it', () => {
    expect(allGone(drainOf(moved)).violations).toEqual([]);
    expect(allGone(drainOf(moved.slice(0, 3))).violations).toEqual([
      'load/web-deployment has still a task for member1',
    ]);
    expect(allGone(drainOf(moved.slice(0, 1))).violations).toEqual([
      'load/web-deployment is still on member1',
    ]);
  });

  test('require a workload without another cluster to stay', () => {
    const workload = { homes: ['member1'] };
    expect(blockedStay(drainOf(moved.slice(0, 1), { workload })).violations).toEqual([]);
    expect(blockedStay(drainOf(moved.slice(0, 2), { workload })).violations).toEqual([
      'load/web-deployment is nowhere',
    ]);
  });

  test('find a repeated eviction, even one visible only by its task', () => {
    expect(evictedOnce(drainOf(moved)).violations).toEqual([]);
    const again: Step[] = [...moved, [6000, { member1: 2 }], [7000, {}, 'member1']];
    expect(evictedOnce(drainOf(again)).violations).toEqual([
      'load/web-deployment left member1 2 times and got 2 tasks for it',
    ]);
    const task: Step[] = [...moved, [6000, { member2: 2 }, 'member1']];
    expect(evictedOnce(drainOf(task)).violations).toEqual([
      'load/web-deployment left member1 1 times and got 2 tasks for it',
    ]);
  });

  test('find changed replicas in the binding, and changes of the template', () => {
    expect(replicasUntouched(drainOf(moved)).violations).toEqual([]);
    expect(replicasUntouched(drainOf(moved, { replicas: [2, 2, 3, 2] })).violations).toEqual([
      'load/web-deployment went from 2 replicas to 3',
    ]);
    expect(replicasUntouched(drainOf(moved, { generations: [1, 2] })).violations).toHaveLength(1);
  });

  test('find any moment with fewer ready replicas', () => {
    const overlapping = ready([0, 'member1', 2], [4000, 'member2', 2], [5000, 'member1', 0]);
    expect(neverFewerReady(drainOf(moved, { ready: overlapping })).violations).toEqual([]);
    const early = ready([0, 'member1', 2], [4000, 'member2', 1], [4001, 'member1', 0], [4002, 'member2', 2]);
    expect(neverFewerReady(drainOf(moved, { ready: early })).violations).toEqual([
      'load/web-deployment had 1 ready instead of 2 after 3.0 s',
    ]);
  });

  test('require no replacement for copies on every cluster, but the other copies have to stay ready', () => {
    const workload = { everywhere: true };
    const steps: Step[] = [
      [0, { member1: 2, member2: 2 }],
      [2000, { member2: 2 }, 'member1'],
      [3000, { member2: 2 }],
    ];
    const gone = ready([0, 'member1', 2], [0, 'member2', 2], [4000, 'member1', 0]);
    expect(neverFewerReady(drainOf(steps, { workload, ready: gone })).violations).toEqual([]);
    const shaken = [...gone, ...ready([5000, 'member2', 1])];
    expect(neverFewerReady(drainOf(steps, { workload, ready: shaken })).violations).toHaveLength(1);
  });

  test('report a missing or outdated label as a lost update', () => {
    expect(labelsKept(drainOf(moved), new Map([[web.binding, { kept: 'yes' }]])).violations).toEqual([]);
    expect(labelsKept(drainOf(moved), new Map([[web.binding, { kept: 'newer' }]])).violations).toHaveLength(
      1,
    );
    expect(labelsKept(drainOf(moved), new Map([[web.binding, { lost: 'yes' }]])).violations).toHaveLength(1);
  });

  test('compare final clusters and replicas, or only replicas if placement is random', () => {
    const other: Step[] = [...moved.slice(0, 3), [5000, { member3: 2 }]];
    expect(endsWhere(drainOf(moved), drainOf(moved)).violations).toEqual([]);
    expect(endsWhere(drainOf(other), drainOf(moved)).violations).toEqual([
      'load/web-deployment is at member3:2 instead of member2:2',
    ]);
    const byChance = { workload: { byChance: true } };
    expect(endsWhere(drainOf(other, byChance), drainOf(moved)).violations).toEqual([]);
    const stayed: Step[] = [[0, { member1: 2 }]];
    expect(endsWhere(drainOf(stayed, byChance), drainOf(moved)).violations).toHaveLength(1);
  });

  test('require that unwritable objects are tried, then given up without a task', () => {
    const poisons = poisonsFor(['load/a', 'load/b', 'load/c', 'load/d']);
    expect([...poisons]).toEqual([
      ['load/a', 'conflict'],
      ['load/b', 'invalid'],
      ['load/c', 'reverted'],
    ]);
    const tries = (...counts: number[]) =>
      new Map([...poisons.keys()].map((binding, i) => [bindingPath(binding), counts[i] ?? 0]));
    const violations = (counts: number[], tasks = 0) =>
      poisonedGivenUp(poisons, tries(...counts), (name) => (name === 'load/c' ? tasks : 0), 20).violations;
    expect(violations([5, 1, 20])).toEqual([]);
    expect(violations([5, 1, 21])).toEqual(['load/c (reverted) was tried 21 times, over 20']);
    expect(violations([0, 1, 20])).toEqual(['load/a (conflict) was never tried']);
    expect(violations([5, 1, 20], 1)).toEqual(['load/c (reverted) has a task']);
  });
});
