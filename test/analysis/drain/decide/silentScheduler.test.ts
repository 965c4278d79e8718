import { describe, expect, test } from '@jest/globals';
import {
  noteNotEvicted,
  noteScheduler,
  pausedBySilence,
  silentSince,
  type SchedulerHeard,
} from '../../../../src/analysis/drain/decide/silentScheduler.ts';
import { queueOrder } from '../../../../src/analysis/drain/decide/queueOrder.ts';
import { bindingKey } from '../../../../src/karmada/objects/identities.ts';
import type { Condition } from '../../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { deployment, START } from '../../../simulator/simulation/controlPlane.ts';
import { byRoom, defaults } from '../aDrain.ts';

const named = (name: string) =>
  deployment(name, { placement: byRoom, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] });

/** A binding of generation 5 of which the scheduler has seen another, if any. */
function binding(seen: number | undefined, conditions: Condition[] = [], name = 'web'): ResourceBinding {
  const one = named(name);
  const { schedulerObservedGeneration: _, ...status } = one.status ?? {};
  return {
    ...one,
    metadata: { ...one.metadata, generation: 5 },
    status: { ...status, conditions, ...(seen === undefined ? {} : { schedulerObservedGeneration: seen }) },
  };
}
const scheduled = (status: 'True' | 'False'): Condition => ({ type: 'Scheduled', status });
const heard = (): { scheduler: SchedulerHeard } => ({ scheduler: { unanswered: new Map() } });
const all = new Set([bindingKey(named('web')), bindingKey(named('api'))]);

describe('the scheduler', () => {
  test('owes an answer from the first look at which it has not seen the generation', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4, [scheduled('True')]), defaults, START);
    noteScheduler(pacer, binding(4), defaults, START + 5000);
    expect(silentSince(pacer, all)).toBe(START);
  });

  test.each<[string, ResourceBinding]>([
    ['has seen the generation', binding(5, [scheduled('True')])],
    ['says why it could not place it', binding(4, [scheduled('False')])],
    ['never looks at it', binding(undefined)],
  ])('owes none if it %s', (_, one) => {
    const pacer = heard();
    noteScheduler(pacer, one, defaults, START);
    expect(silentSince(pacer, all)).toBeUndefined();
    expect(pacer.scheduler.answeredAt).toBeUndefined();
  });

  test('owes none for a binding without status, and one for a binding without conditions', () => {
    const pacer = heard();
    const { status: _none, ...bare } = binding(4);
    noteScheduler(pacer, bare, defaults, START);
    expect(silentSince(pacer, all)).toBeUndefined();
    noteScheduler(pacer, { ...bare, status: { schedulerObservedGeneration: 4 } }, defaults, START);
    expect(silentSince(pacer, all)).toBe(START);
  });

  test('owes one whatever other conditions say', () => {
    const pacer = heard();
    const other: Condition = { type: 'FullyApplied', status: 'False' };
    noteScheduler(pacer, binding(4, [other, scheduled('True')]), defaults, START);
    expect(silentSince(pacer, all)).toBe(START);
  });

  test('is silent since its last answer, if that came after an eviction that still waits', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4), defaults, START);
    noteScheduler(pacer, binding(4, [], 'api'), defaults, START + 1000);
    noteScheduler(pacer, binding(5, [scheduled('True')]), defaults, START + 3000);
    expect(silentSince(pacer, all)).toBe(START + 3000);
    noteScheduler(pacer, binding(5, [scheduled('True')], 'api'), defaults, START + 4000);
    expect(silentSince(pacer, all)).toBeUndefined();
  });

  test('is silent since the oldest of what waits, in whatever order it was seen', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4, [], 'api'), defaults, START + 1000);
    noteScheduler(pacer, binding(4), defaults, START);
    expect(silentSince(pacer, all)).toBe(START);
  });

  test('owes nothing for what is gone', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4), defaults, START);
    expect(silentSince(pacer, new Set())).toBeUndefined();
    expect(pacer.scheduler.unanswered.size).toBe(0);
  });

  test('owes nothing for what somebody has put back, and has not answered by that', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4), defaults, START);
    noteNotEvicted(pacer, binding(4), START + 1000);
    expect(silentSince(pacer, all)).toBeUndefined();
    expect(pacer.scheduler.answeredAt).toBeUndefined();
  });

  test('has answered for what leaves already once somebody looks again', () => {
    const pacer = heard();
    noteScheduler(pacer, binding(4), defaults, START);
    noteScheduler(pacer, binding(4, [], 'api'), defaults, START + 1000);
    noteNotEvicted(pacer, binding(5, [scheduled('True')]), START + 9000);
    expect(silentSince(pacer, all)).toBe(START + 9000);
    noteNotEvicted(pacer, named('other'), START + 10_000);
    expect(silentSince(pacer, all)).toBe(START + 9000);
  });

  test('that is silent pauses the drain, in whole seconds', () => {
    const pace = {
      mode: 'normal',
      rate: 0.5,
      reason: '',
      faulty: ['a'],
      clusters: 3,
    } as unknown as Parameters<typeof pausedBySilence>[0];
    expect(pausedBySilence(pace, START, START + 31_999)).toEqual({
      mode: 'paused',
      rate: 0,
      cause: 'scheduler',
      faulty: ['a'],
      clusters: 3,
      reason: 'the scheduler has answered no eviction for 31s',
    });
  });
});

test('the queue: first what is evicted once more, then what is untried, then what had no place; by the order within', () => {
  const queue = ['d', 'c', 'b', 'a'].map((name) => ({ binding: named(name), again: name === 'd' }));
  const byName = (a: ResourceBinding, b: ResourceBinding) => (a.metadata.name < b.metadata.name ? -1 : 1);
  const tried = new Set([bindingKey(named('a')), bindingKey(named('d'))]);
  const order = queueOrder(queue, byName, (key) => tried.has(key));
  expect([...queue].sort(order).map(({ binding: one }) => one.spec.resource.name)).toEqual([
    'd',
    'b',
    'c',
    'a',
  ]);
});
