import { expect, test } from '@jest/globals';
import type { EvictionTaskExplanation } from '../../../../src/analysis/explanation/tasks/evictionTask.ts';
import {
  evictionTaskChanges,
  nextVerdictChange,
  timeoutShown,
} from '../../../../src/analysis/explanation/tasks/evictionTaskChanges.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { v1_18 } from '../../../dialects.ts';

const task = (fromCluster: string, more: Partial<EvictionTaskExplanation> = {}) =>
  ({ fromCluster, verdict: 'waiting', ageSeconds: 3, evidence: [], ...more }) as EvictionTaskExplanation;

const binding = (clusters: string[], tasks: Partial<GracefulEvictionTask>[] = []) =>
  ({
    metadata: { name: 'cart' },
    spec: { clusters: clusters.map((name) => ({ name })), gracefulEvictionTasks: tasks },
  }) as ResourceBinding;

test('tasks are added, modified and deleted, identified by the cluster that they evict from', () => {
  const changes = evictionTaskChanges(
    [task('member1'), task('member2'), task('member3')],
    [task('member2', { verdict: 'ends-now' }), task('member3'), task('member4')],
    binding([]),
  );
  expect(changes.map(({ type, task: one }) => `${type} ${one.fromCluster} ${one.verdict}`)).toEqual([
    'MODIFIED member2 ends-now',
    'ADDED member4 waiting',
    'DELETED member1 waiting',
  ]);
});

test('a higher age or another wording of evidence is not a change', () => {
  const older = task('member1', { ageSeconds: 9, evidence: [{ rule: 'in other words' }] });
  expect(evictionTaskChanges([task('member1')], [older], binding([]))).toEqual([]);
});

test.each([
  ['let-go', binding(['member2'])],
  ['returned', binding(['member2', 'member1'])],
  ['deleted', undefined],
] as const)('a task ends with the reason %s', (ended, after) => {
  expect(evictionTaskChanges([task('member1')], [], after)).toMatchObject([{ type: 'DELETED', ended }]);
});

test('an unchanged task gets another verdict just after the next deadline', () => {
  const now = Date.parse('2026-09-01T09:00:00Z');
  const clock = { now, gracefulEvictionTimeout: 600_000, plugins: [], rules: v1_18.rules };
  const created = (creationTimestamp: string, more = {}) => ({ creationTimestamp, ...more });
  const next = (...tasks: Partial<GracefulEvictionTask>[]) => nextVerdictChange(binding([], tasks), clock);
  expect(next(created('2026-09-01T08:58:00Z'), created('2026-09-01T08:55:00Z'))).toBe(now + 300_001);
  expect(next(created('2026-09-01T08:58:00Z', { gracePeriodSeconds: 180 }))).toBe(now + 60_001);
  // at the instant of the deadline it has not passed yet
  expect(next(created('2026-09-01T08:50:00Z'))).toBe(now + 1);
  expect(next(created('2026-09-01T08:00:00Z'))).toBeUndefined();
  expect(next({}, created('2026-09-01T08:58:00Z', { suppressDeletion: true }))).toBeUndefined();
});

test('a task that ends before its assumed deadline without a Healthy replacement shows the actual timeout', () => {
  const now = Date.parse('2026-09-01T09:01:00.400Z');
  const supposed = {
    createdAt: '2026-09-01T09:00:00Z',
    deadline: '2026-09-01T09:10:00Z',
    deadlineAssumed: true as const,
  };
  const shown = (more: Partial<EvictionTaskExplanation> = {}, health = 'Unhealthy', after = ['member2']) => {
    const present = {
      ...binding(after),
      status: { aggregatedStatus: [{ clusterName: 'member2', health }] },
    } as ResourceBinding;
    const [change] = evictionTaskChanges([task('member1', { ...supposed, ...more })], [], present);
    return timeoutShown(change!, present, now);
  };
  expect(shown()).toBe(60_000);
  expect(shown({}, 'Healthy')).toBeUndefined();
  expect(shown({}, 'Unhealthy', ['member1'])).toBeUndefined();
  expect(shown({ verdict: 'held' })).toBeUndefined();
  expect(shown({ verdict: 'ends-now' })).toBeUndefined();
  expect(shown({ deadline: '2026-09-01T09:01:00Z' })).toBeUndefined();
  expect(shown({ createdAt: null })).toBeUndefined();
  const { deadlineAssumed: _, ...confirmed } = supposed;
  const [change] = evictionTaskChanges([task('member1', confirmed)], [], binding(['member2']));
  expect(timeoutShown(change!, binding(['member2']), now)).toBeUndefined();
});
