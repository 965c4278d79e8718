import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  DRAIN_PRODUCER,
  drainMessage,
  isDrainTask,
  placementBefore,
} from '../../../src/karmada/eviction/drainTask.ts';
import type { GracefulEvictionTask } from '../../../src/karmada/api/work.ts';

const task = (message?: string, producer: string = DRAIN_PRODUCER): GracefulEvictionTask => ({
  fromCluster: 'member1',
  reason: 'ClusterDrain',
  producer,
  ...(message !== undefined && { message }),
});

test('a task belongs to a drain if its producer is the drain', () => {
  expect(isDrainTask(task())).toBe(true);
  expect(isDrainTask(task('drained', 'TaintManager'))).toBe(false);
});

describe('the placement in the message of a drain task', () => {
  test('has zero for a workload without replicas', () => {
    expect(drainMessage([{ name: 'member1', replicas: 3 }, { name: 'member2' }])).toBe(
      'drained by kubectl karmada-failover, before: member1=3 member2=0',
    );
  });

  test('is parsed as it was written', () => {
    const target = fc.record({ name: fc.stringMatching(/^[a-z0-9.-]{1,20}$/), replicas: fc.nat() });
    fc.assert(
      fc.property(fc.array(target, { minLength: 1 }), (before) => {
        expect(placementBefore(task(drainMessage(before)))).toEqual(before);
      }),
    );
  });

  test.each([
    ['the task has no message', undefined],
    ['the message has no placement', 'drained by kubectl karmada-failover'],
    ['an entry has no replicas', 'before: member1=3 member2'],
    ['a replica count is not a number', 'before: member1=three'],
    ['text follows a replica count', 'before: member1=3x'],
    ['a cluster name is missing', 'before: =3'],
    ['no cluster is listed', 'before: '],
  ])('is unknown if %s', (_why, message) => {
    expect(placementBefore(task(message))).toBeUndefined();
  });

  test('is ignored in the message of another producer', () => {
    expect(placementBefore(task('before: member1=3', 'TaintManager'))).toBeUndefined();
  });

  test('is also read at the start of a message', () => {
    expect(placementBefore(task('before: member1=3'))).toEqual([{ name: 'member1', replicas: 3 }]);
  });
});
