import { describe, expect, test } from '@jest/globals';
import {
  responseOf,
  pausedByScheduler,
  unresponsiveSince,
} from '../../../../src/analysis/drain/decide/silentScheduler.ts';
import type { SchedulerResponse } from '../../../../src/analysis/drain/decide/drainMemory.ts';
import { queueOrder } from '../../../../src/analysis/drain/decide/drainOrder.ts';
import { bindingKey } from '../../../../src/karmada/objects/identities.ts';
import type { Condition } from '../../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { deployment, START } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, defaults } from '../aDrain.ts';

const named = (name: string) =>
  deployment(name, { placement: byCapacity, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] });

/** A binding of generation 5, of which the scheduler has observed another generation, if any. */
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
/** The observations of a few bindings, look by look. */
function hearing() {
  const heard = new Map<string, SchedulerResponse>();
  const look = (one: ResourceBinding, now: number, isEvicted = true) => {
    const key = bindingKey(one);
    const waitsSince = isEvicted ? now : undefined;
    heard.set(key, responseOf(heard.get(key) ?? {}, one, waitsSince, { configuration: defaults, now }));
  };
  return { heard, look, since: () => unresponsiveSince(heard.values()) };
}

describe('the scheduler', () => {
  test('is silent since the first reconcile that found an unobserved generation', () => {
    const { look, since } = hearing();
    look(binding(4, [scheduled('True')]), START);
    look(binding(4), START + 5000);
    expect(since()).toBe(START);
  });

  test.each<[string, ResourceBinding]>([
    ['has observed the generation', binding(5, [scheduled('True')])],
    ['reports why it found no cluster', binding(4, [scheduled('False')])],
    ['ignores the binding', binding(undefined)],
  ])('owes no answer if it %s', (_, one) => {
    const { heard, look, since } = hearing();
    look(one, START);
    expect(since()).toBeUndefined();
    expect([...heard.values()]).toEqual([{}]);
  });

  test('owes no answer for a binding without status, but one for a binding without conditions', () => {
    const { look, since } = hearing();
    const { status: _none, ...bare } = binding(4);
    look(bare, START);
    expect(since()).toBeUndefined();
    look({ ...bare, status: { schedulerObservedGeneration: 4 } }, START);
    expect(since()).toBe(START);
  });

  test('owes an answer whatever other conditions report', () => {
    const { look, since } = hearing();
    const other: Condition = { type: 'FullyApplied', status: 'False' };
    look(binding(4, [other, scheduled('True')]), START);
    expect(since()).toBe(START);
  });

  test('is silent since its last answer, if that came after an unanswered eviction', () => {
    const { look, since } = hearing();
    look(binding(4), START);
    look(binding(4, [], 'api'), START + 1000);
    look(binding(5, [scheduled('True')]), START + 3000);
    expect(since()).toBe(START + 3000);
    look(binding(5, [scheduled('True')], 'api'), START + 4000);
    expect(since()).toBeUndefined();
  });

  test('is silent since the oldest unanswered eviction, whatever the order of reports', () => {
    const { look, since } = hearing();
    look(binding(4, [], 'api'), START + 1000);
    look(binding(4), START);
    expect(since()).toBe(START);
  });

  test('owes no answer for a restored workload, and the restore is not an answer', () => {
    const { heard, look, since } = hearing();
    look(binding(4), START);
    look(binding(4), START + 1000, false);
    expect(since()).toBeUndefined();
    expect([...heard.values()]).toEqual([{}]);
  });

  test('is silent since its latest answer, even one for a binding that no longer waits', () => {
    const { look, since } = hearing();
    look(binding(4), START);
    look(binding(4, [], 'api'), START + 1000);
    look(binding(5, [scheduled('True')]), START + 9000, false);
    expect(since()).toBe(START + 9000);
    look(named('other'), START + 10_000, false);
    expect(since()).toBe(START + 9000);
  });

  test('pauses the drain while it is silent, and the reason counts whole seconds', () => {
    const pace = {
      mode: 'normal',
      rate: 0.5,
      reason: '',
      faulty: ['a'],
      clusters: 3,
    } as unknown as Parameters<typeof pausedByScheduler>[0];
    expect(pausedByScheduler(pace, START, START + 31_999)).toEqual({
      mode: 'paused',
      rate: 0,
      cause: 'scheduler',
      faulty: ['a'],
      clusters: 3,
      reason: 'the scheduler has not rescheduled any eviction for 31s',
    });
  });
});

test('the queue orders restored workloads first, then untried ones, then skipped ones, each group in drain order', () => {
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
