import { describe, expect, test } from '@jest/globals';
import { adjust, nextChange, READY_AFTER, readyAfter, statusOf, type Workload } from './members/replicas.ts';
import { timesOff } from './timesOff.ts';

const workload = (replicas: number, annotation?: string): Workload => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    generation: 3,
    ...(annotation ? { annotations: { [READY_AFTER]: annotation } } : {}),
  },
  spec: { replicas, template: { image: 1 } },
});

describe('the replicas of a member', () => {
  test('become ready after the time in the annotation, which may differ by member', () => {
    expect(readyAfter(workload(1), 'member1', 8)).toBe(8);
    expect(readyAfter(workload(1, '2.5s'), 'member1', 8)).toBe(2.5);
    expect(readyAfter(workload(1, 'member2=never, 3s'), 'member1', 8)).toBe(3);
    expect(readyAfter(workload(1, 'member2=never, 3s'), 'member2', 8)).toBe(Infinity);
    expect(readyAfter(workload(1, 'member2=never'), 'member1', 8)).toBe(8);
  });

  test('are kept when others are added, and the newest are removed first', () => {
    const two = adjust(undefined, workload(2), 8, 1000);
    expect(two.readyAt).toEqual([9000, 9000]);
    const three = adjust(two, workload(3), 8, 20_000);
    expect(three.readyAt).toEqual([9000, 9000, 28_000]);
    expect(adjust(three, workload(2), 8, 21_000).readyAt).toEqual([9000, 9000]);
    expect(nextChange(three, 20_000)).toBe(28_000);
    expect(nextChange(three, 28_000)).toBeUndefined();
    expect(statusOf(workload(3), three, 20_000)).toMatchObject({
      observedGeneration: 3,
      replicas: 3,
      readyReplicas: 2,
      unavailableReplicas: 1,
    });
  });

  test('restart when the template changes', () => {
    const before = adjust(undefined, workload(1), 8, 0);
    const changed = { ...workload(1), spec: { replicas: 1, template: { image: 2 } } };
    expect(adjust(before, changed, 8, 60_000).readyAt).toEqual([68_000]);
  });
});

test('timing is compared by the start of the same evictions, and by the duration of each', () => {
  const steps = (...times: number[]) => times.map((time) => ({ time, placement: String(time) }));
  const recorded = new Map([
    ['a', steps(0, 3000, 4000)],
    ['b', steps(0, 1000, 9000)],
  ]);
  const simulated = new Map([
    ['a', steps(0, 1000, 2000)],
    ['b', steps(0, 3500, 11_000)],
  ]);
  expect(timesOff(['a', 'b'], recorded, simulated)).toEqual({ starts: [0, 0.5], durations: [0, 0.5] });
});
