import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withItemHistory } from '../../src/karmada/status/aggregateStatus.ts';
import type { AggregatedStatusItem } from '../../src/karmada/api/work.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { START } from '../simulator/simulation/controlPlane.ts';
import { SECOND } from './failingApplication.ts';

describe('004 aggregatedStatus', () => {
  const item = (
    health: AggregatedStatusItem['health'],
    more: Partial<AggregatedStatusItem> = {},
  ): AggregatedStatusItem => ({
    clusterName: 'member1',
    applied: true,
    status: {},
    ...(health && { health }),
    ...more,
  });

  test('004 creationTimestamp: set when the control plane first collects a status, and kept afterwards', () => {
    const [first] = withItemHistory([item('Unhealthy')], undefined, START);
    expect(first).toMatchObject({ creationTimestamp: rfc3339(START) });
    expect(withItemHistory([item('Healthy')], [first!], START + SECOND)).toMatchObject([
      { creationTimestamp: rfc3339(START) },
    ]);
  });

  test('004 creationTimestamp: absent for a cluster without a reported status', () => {
    const nothing = { clusterName: 'member1', health: 'Unknown' as const };
    expect(withItemHistory([nothing], undefined, START)).toEqual([nothing]);
  });

  test('004 settled: stays true after the first Healthy status, until the cluster is removed', () => {
    const [healthy] = withItemHistory([item('Healthy')], undefined, START);
    expect(healthy).toMatchObject({ settled: true });
    const [later] = withItemHistory([item('Unhealthy')], [healthy!], START);
    expect(later).toMatchObject({ health: 'Unhealthy', settled: true });
    expect(withItemHistory([item('Unhealthy')], [], START)[0]).not.toHaveProperty('settled');
  });

  test('004 settled: a captured item that is Healthy counts as settled, although releases do not write the field', () => {
    expect(withItemHistory([item('Unhealthy')], [item('Healthy')], START)).toMatchObject([{ settled: true }]);
  });

  test('004 settled and creationTimestamp: kept while the cluster reports', () => {
    const health = fc.constantFrom('Healthy', 'Unhealthy', 'Unknown') as fc.Arbitrary<
      AggregatedStatusItem['health']
    >;
    fc.assert(
      fc.property(fc.array(health, { minLength: 1 }), (course) => {
        let items: AggregatedStatusItem[] = [];
        course.forEach((one, second) => {
          items = withItemHistory([item(one)], items, START + second * SECOND);
        });
        expect(items[0]).toMatchObject({ creationTimestamp: rfc3339(START) });
        expect(items[0]!.settled ?? false).toBe(course.includes('Healthy'));
      }),
    );
  });
});
