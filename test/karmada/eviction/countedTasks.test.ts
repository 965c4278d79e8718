import { describe, expect, test } from '@jest/globals';
import { countedForRetry, countedTasks } from '../../../src/karmada/eviction/countedTasks.ts';
import type { GracefulEvictionTask } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';

const rulesOf = (version: string) => dialectOf(version).dialect.rules;
const task = (
  gracePeriodSeconds?: number,
  rest: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask => ({
  fromCluster: 'm1',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: '2026-03-14T09:00:00Z',
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...rest,
});
const graces = (tasks: GracefulEvictionTask[]) => tasks.map(({ gracePeriodSeconds }) => gracePeriodSeconds);

describe('the grace of a task that has none of its own', () => {
  const list = [task(), task(5), task(), task(0), task()];

  test('is nobody else’s since v1.17', () => {
    for (const version of ['v1.14.10', 'v1.17.0', 'v1.18.2'])
      for (const counted of [countedTasks, countedForRetry])
        expect(counted(list, rulesOf(version))).toBe(list);
  });

  test('was that of the last task before it, for its timeout, in v1.14.2', () => {
    expect(graces(countedTasks(list, rulesOf('v1.14.2')))).toEqual([undefined, 5, 5, 0, 0]);
    expect(countedForRetry(list, rulesOf('v1.14.2'))).toBe(list);
  });

  test('but not that of a new task, of which the controller had only written the time', () => {
    const withNew = [
      task(9, { creationTimestamp: undefined }),
      task(),
      task(5),
      task(7, { creationTimestamp: undefined }),
      task(),
    ];
    expect(graces(countedTasks(withNew, rulesOf('v1.14.2')))).toEqual([9, undefined, 5, 7, 5]);
  });

  test('was that in v1.11.0 for the time of the next look, held and released tasks apart', () => {
    const withHeld = [
      task(9, { suppressDeletion: true }),
      task(undefined, { suppressDeletion: false }),
      task(),
      task(5),
      task(undefined, { suppressDeletion: true }),
      task(),
    ];
    expect(graces(countedForRetry(withHeld, rulesOf('v1.11.0')))).toEqual([
      9,
      undefined,
      undefined,
      5,
      undefined,
      5,
    ]);
    expect(countedTasks(withHeld, rulesOf('v1.11.0'))).toBe(withHeld);
  });

  test('what the list says itself stays as it is', () => {
    countedTasks(list, rulesOf('v1.14.2'));
    expect(graces(list)).toEqual([undefined, 5, undefined, 0, undefined]);
  });
});
