import { describe, expect, test } from '@jest/globals';
import { cordoned, drainMarkOf, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import { markFor } from '../../../src/analysis/drain/drainsUnderWay.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { byCapacity } from './aDrain.ts';
import { drainOf } from './drainOf.ts';

const options = drainOf(['east-1'], { selection: { skip: ['deployment/api'] } });
const on = (name: string, where: string) =>
  deployment(name, { placement: byCapacity, replicas: 2, clusters: [{ name: where, replicas: 2 }] });
const bindings = [on('web', 'east-1'), on('cart', 'east-1'), on('api', 'east-1'), on('far', 'west-1')];
const at = { bindings, now: Date.parse('2026-09-01T08:00:00Z') };
const east = cluster('east-1');

describe('the mark of a drain', () => {
  test('records the start time, the user and the number of workloads', () => {
    expect(markFor(east, options, at, 'anna')).toMatchObject({
      started: '2026-09-01T08:00:00Z',
      workloads: 2,
      by: 'anna',
    });
  });

  test('keeps the start time and the number of workloads if another user continues the drain', () => {
    const begun = cordoned(east, markFor(east, options, at, 'anna'));
    const later = { bindings: bindings.slice(1), now: at.now + 60_000 };
    expect(markFor(begun, options, later, 'bob')).toEqual({ ...drainMarkOf(begun), by: 'bob' });
  });

  test('counts the workloads again for a drain with another selection', () => {
    const begun = cordoned(east, markFor(east, options, at));
    expect(markFor(begun, drainOf(['east-1']), at)).toMatchObject({ workloads: 3 });
  });

  test('records no number of workloads for a drain of an earlier release, which did not count them', () => {
    const begun = cordoned(east, markOfDrain(options, '2026-09-01T07:00:00Z'));
    expect(markFor(begun, options, at)).not.toHaveProperty('workloads');
  });

  test.each(['80', -1, 1.5, null])('has no number of workloads if a user has edited it to %j', (wrong) => {
    const mark = { ...markFor(east, options, at), workloads: wrong } as never;
    expect(drainMarkOf(cordoned(east, mark))).not.toHaveProperty('workloads');
  });
});
