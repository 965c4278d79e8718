import { describe, expect, test } from '@jest/globals';
import type { BindingVersion } from '../../e2e/monitor.ts';
import type { HealthReport } from '../../e2e/members/simulatedClusters.ts';
import { evictedOnce, noneLost, tasksEndReady, type ControllerHistory } from './checks.ts';
import type { Course } from './load.ts';

type Step = [time: number, clusters: string[], ...leaving: string[]];

const moved: Step[] = [
  [0, ['c1']],
  [200, [], 'c1'],
  [300, ['c2'], 'c1'],
  [500, ['c2']],
];
const runs: HealthReport[] = [
  { time: 310, cluster: 'c2', workload: 'load/web', healthy: false },
  { time: 450, cluster: 'c2', workload: 'load/web', healthy: true },
];

/** c1 fails at 100 and is back at 1000. */
function historyOf(
  steps: Step[],
  { course = 'goes', reports = runs }: { course?: Course; reports?: HealthReport[] } = {},
): ControllerHistory {
  const versions = steps.map(([time, clusters, ...leaving]): BindingVersion => ({
    time,
    leaving,
    replicas: 2,
    labels: {},
    clusters: clusters.map((name) => ({ name, replicas: 2 })),
  }));
  return {
    load: [{ workload: 'load/web', binding: 'load/web-deployment', course, objects: [] }],
    bindings: new Map([['load/web-deployment', versions]]),
    rounds: [{ cluster: 'c1', from: 100, until: 1000 }],
    reports,
  };
}

describe('the checks of controllers', () => {
  test('accept a workload that leaves the failed cluster once and gets another one', () => {
    const history = historyOf(moved);
    expect(evictedOnce(history)).toMatchObject({ figure: '1 evictions', violations: [] });
    expect(noneLost(history)).toMatchObject({ figure: '1 bindings on failed clusters', violations: [] });
    expect(tasksEndReady(history)).toMatchObject({ figure: '1 tasks', violations: [] });
  });

  test('find a second eviction, and an eviction from a healthy cluster', () => {
    const again: Step[] = [...moved, [600, ['c1']], [700, [], 'c1'], [800, ['c2'], 'c1'], [900, ['c2']]];
    expect(evictedOnce(historyOf(again)).violations).toEqual([
      'load/web-deployment was evicted from c1 2 times',
      'load/web-deployment left c1 2 times',
    ]);
    const well: Step[] = [
      [0, ['c2']],
      [200, [], 'c2'],
    ];
    expect(evictedOnce(historyOf(well)).violations).toEqual([
      'load/web-deployment was evicted from c2, which was well',
    ]);
  });

  test('find an eviction of a workload that has to stay', () => {
    const history = historyOf(moved, { course: 'stays' });
    expect(evictedOnce(history).violations).toEqual(['load/web-deployment was evicted from c1, but stays']);
    expect(noneLost(history).violations).toEqual(['load/web-deployment has left c1']);
  });

  test('find a workload that is still on the cluster, on no cluster, or in a task after a round', () => {
    expect(noneLost(historyOf(moved.slice(0, 1))).violations).toEqual(['load/web-deployment is still on c1']);
    expect(noneLost(historyOf(moved.slice(0, 2))).violations).toEqual([
      'load/web-deployment has still a task for c1',
      'load/web-deployment is nowhere',
    ]);
    expect(noneLost(historyOf(moved.slice(0, 3))).violations).toEqual([
      'load/web-deployment has still a task for c1',
    ]);
  });

  test('find a binding that did not exist before the failure', () => {
    expect(noneLost(historyOf(moved.slice(1))).violations).toEqual([
      'load/web-deployment was not there before c1 failed',
    ]);
  });

  test('find a task that ends before its replacement is reported healthy', () => {
    const early = historyOf(moved, { reports: runs.slice(0, 1) });
    expect(tasksEndReady(early).violations).toEqual([
      'load/web-deployment: the task for c1 went before c2 was said to be healthy',
    ]);
    const stale = historyOf(moved, { reports: [{ ...runs[1]!, time: 50 }] });
    expect(tasksEndReady(stale).violations).toEqual([
      'load/web-deployment: the task for c1 went before c2 was said to be healthy',
    ]);
    const nowhere: Step[] = [
      [0, ['c1']],
      [200, [], 'c1'],
      [300, []],
    ];
    expect(tasksEndReady(historyOf(nowhere)).violations).toEqual([
      'load/web-deployment: the task for c1 went, and it is nowhere',
    ]);
  });
});
