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

test('a task is of a drain if a drain is its producer', () => {
  expect(isDrainTask(task())).toBe(true);
  expect(isDrainTask(task('drained', 'TaintManager'))).toBe(false);
});

describe('the message of a drain says where the workload was before', () => {
  test('with zero for what has no replicas', () => {
    expect(drainMessage([{ name: 'member1', replicas: 3 }, { name: 'member2' }])).toBe(
      'drained by kubectl karmada-failover, before: member1=3 member2=0',
    );
  });

  test('and is read back as it was written', () => {
    const target = fc.record({ name: fc.stringMatching(/^[a-z0-9.-]{1,20}$/), replicas: fc.nat() });
    fc.assert(
      fc.property(fc.array(target, { minLength: 1 }), (before) => {
        expect(placementBefore(task(drainMessage(before)))).toEqual(before);
      }),
    );
  });

  test.each([
    ['it has no message', undefined],
    ['its message says nothing of it', 'drained by kubectl karmada-failover'],
    ['a word is none of its form', 'before: member1=3 member2'],
    ['a number is none', 'before: member1=three'],
    ['something stands behind a number', 'before: member1=3x'],
    ['a name is missing', 'before: =3'],
    ['it names no cluster', 'before: '],
  ])('a task reports nothing if %s', (_why, message) => {
    expect(placementBefore(task(message))).toBeUndefined();
  });

  test('what another producer says is not believed', () => {
    expect(placementBefore(task('before: member1=3', 'TaintManager'))).toBeUndefined();
  });

  test('the message may begin with it', () => {
    expect(placementBefore(task('before: member1=3'))).toEqual([{ name: 'member1', replicas: 3 }]);
  });
});
