import { describe, expect, test } from '@jest/globals';
import { closedRun, leavingBindingOf, openRun } from '../../../../src/analysis/drain/decide/drainMemory.ts';
import { START } from '../../../simulator/simulation/controlPlane.ts';
import { drainer, writesOf } from '../aDrain.ts';
import { cordonedEast, east, fleet, on } from './placedOn.ts';

const web = on('web', 4, { 'east-1': 1, 'west-1': 3 });

describe('a drain', () => {
  test('remembers the time, binding and removed replicas of each eviction', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [web] }, east);
    expect(writesOf(drain.step(START))).toEqual(['evict web from east-1']);
    expect(drain.remembered.get('')?.course).toMatchObject({
      lastEvictionAt: START,
      evictions: ['shop/web-deployment'],
    });
    expect(drain.remembered.get('shop/web-deployment')?.leaver).toEqual({
      binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
      workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      from: [{ name: 'east-1', replicas: 1 }],
      certain: true,
    });
  });

  test('remembers the clusters that it has cordoned', () => {
    const drain = drainer({ clusters: fleet, bindings: [] }, east, undefined, 'anna');
    expect(writesOf(drain.step())).toEqual(['cordon east-1']);
    expect(drain.remembered.get('')?.course).toEqual({
      evictions: [],
      skipped: [],
      tainted: [],
      cordoned: ['east-1'],
      named: ['east-1'],
    });
  });

  test('writes with a lock on the object version that it read', () => {
    const drain = drainer({ clusters: fleet, bindings: [web] }, east);
    const [cordon] = drain.step().writes;
    expect(cordon).toMatchObject({ lock: true, base: fleet[0] });
    const [eviction] = drain.step().writes;
    expect(eviction).toMatchObject({ lock: true, base: web });
  });
});

describe('the saved course of a drain', () => {
  const course = {
    lastEvictionAt: START,
    evictions: ['shop/a', 'shop/a'],
    skipped: ['shop/b'],
    cordoned: ['east-1'],
    tainted: [],
    named: ['east-1'],
  };

  test('is plain JSON, and restores the same course', () => {
    expect(closedRun(openRun(JSON.parse(JSON.stringify(course)) as typeof course))).toEqual(course);
  });

  test('shares its unchanged parts with the previous course', () => {
    const open = openRun(course);
    open.skipped.add('shop/c');
    open.cordoned.delete('east-1');
    open.cordoned.add('west-1');
    const after = closedRun(open, course);
    expect(after).toEqual({ ...course, skipped: ['shop/b', 'shop/c'], cordoned: ['west-1'] });
    expect(after.evictions).toBe(course.evictions);
    expect(after.named).toBe(course.named);
    expect(course.skipped).toEqual(['shop/b']);
  });
});

test('a task corrects the replicas from a Work once, and a Work never corrects a task', () => {
  const from = (replicas: number) => [{ name: 'east-1', replicas }];
  const unsure = leavingBindingOf(leavingBindingOf(undefined, web, from(1), false), web, from(2), false);
  expect(unsure).toMatchObject({ from: from(1), certain: false });
  const sure = leavingBindingOf(leavingBindingOf(unsure, web, from(3), true), web, from(4), true);
  expect(leavingBindingOf(sure, web, from(5), false)).toMatchObject({ from: from(3), certain: true });
});
