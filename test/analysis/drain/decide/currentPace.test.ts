import { describe, expect, test } from '@jest/globals';
import { failoverOn } from '../../../simulator/simulation/controlPlane.ts';
import { currentPace, paceOf } from '../../../../src/analysis/drain/decide/currentPace.ts';
import { cordoned, drainTainted } from '../../../../src/analysis/drain/cordon.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { TaintEffect } from '../../../../src/karmada/api/meta.ts';
import { cluster } from '../../../simulator/simulation/controlPlane.ts';
import { drainOf } from '../drainOf.ts';

const { pace } = drainOf([]);

function notReady(one: Cluster, status: 'False' | 'Unknown' = 'False'): Cluster {
  return { ...one, status: { ...one.status, conditions: [{ type: 'Ready', status }] } };
}

/** This many clusters, the first of them faulty. */
function fleet(count: number, faulty: number): Cluster[] {
  return Array.from({ length: count }, (_, at) => {
    const one = cluster(`member-${at}`);
    return at < faulty ? notReady(one) : one;
  });
}

describe('the pace of evictions', () => {
  test.each([
    // clusters, faulty, mode, evictions per second
    [3, 0, 'normal', 0.5],
    [20, 11, 'normal', 0.5], // 55% do not exceed 55%
    [20, 12, 'slow', 0.1],
    [11, 7, 'slow', 0.1],
    [10, 6, 'paused', 0], // with up to ten clusters it stops
    [10, 5, 'normal', 0.5],
    [3, 2, 'paused', 0],
    [0, 0, 'normal', 0.5],
  ] as const)('with %i clusters, %i of them faulty, is %s at %d/s', (count, faulty, mode, rate) => {
    const seen = currentPace(fleet(count, faulty), pace);
    expect(seen).toMatchObject({ mode, rate, clusters: count });
    expect(seen.faulty).toHaveLength(faulty);
  });

  test('follows the rates and thresholds of the drain', () => {
    const own = { ...pace, evictionRate: 2, unhealthyClusterThreshold: 0.3, largeClusterNumThreshold: 2 };
    expect(currentPace(fleet(3, 0), own)).toMatchObject({ mode: 'normal', rate: 2 });
    expect(currentPace(fleet(3, 1), own)).toMatchObject({ mode: 'slow', rate: 0.1 });
  });

  test.each([
    ['NoExecute', true],
    ['PreferNoExecute', true],
    ['NoSchedule', false],
  ])('counts a cluster with a %s taint as faulty: %s', (effect, isFaulty) => {
    const tainted = cluster('member-0', [{ key: 'example.com/broken', effect: effect as TaintEffect }]);
    expect(currentPace([tainted], pace).faulty).toEqual(isFaulty ? ['member-0'] : []);
  });

  test('counts a cluster whose condition is Unknown as faulty', () => {
    expect(currentPace([notReady(cluster('member-0'), 'Unknown')], pace).faulty).toEqual(['member-0']);
  });

  test('does not count a cluster as faulty because a drain has cordoned or tainted it', () => {
    expect(currentPace([drainTainted(cordoned(cluster('member-0')))], pace).faulty).toEqual([]);
  });

  test('accepts a cluster without spec or status', () => {
    expect(currentPace([{ metadata: { name: 'member-0' } } as Cluster], pace).faulty).toEqual(['member-0']);
    const { spec: _none, ...ready } = cluster('member-0');
    expect(currentPace([ready], pace).faulty).toEqual([]);
  });

  test.each([
    [3, 0, 0.55, '0 of 3 clusters are faulty'],
    [3, 1, 0.55, '1 of 3 clusters is faulty'],
    [12, 8, 0.55, '8 of 12 clusters are faulty, more than 55%'],
    [12, 5, 0.333, '5 of 12 clusters are faulty, more than 33.3%'],
    [3, 2, 0.55, '2 of 3 clusters are faulty, more than 55%, in a control plane of at most 10'],
  ])(
    'with %i clusters, %i of them faulty, reports its reason for the threshold %d',
    (count, faulty, most, reason) => {
      const own = { ...pace, unhealthyClusterThreshold: most };
      expect(currentPace(fleet(count, faulty), own).reason).toBe(reason);
    },
  );

  test('stays the same in a healthy control plane if the drain accepts unhealthy clusters', () => {
    const drain = drainOf([]);
    const accepting = { ...drain, accept: { ...drain.accept, unhealthy: true } };
    expect(paceOf(fleet(3, 0), accepting, failoverOn)).toEqual(paceOf(fleet(3, 0), drain, failoverOn));
    expect(paceOf(fleet(3, 0), accepting, failoverOn)).toMatchObject({ mode: 'normal', rate: 0.5 });
    expect(paceOf(fleet(3, 2), accepting, failoverOn).reason).toMatch(/ \(accepted\)$/);
  });

  test('is slow instead of paused if the drain accepts unhealthy clusters', () => {
    const drain = drainOf([]);
    const accepting = { ...drain, accept: { ...drain.accept, unhealthy: true } };
    expect(paceOf(fleet(3, 2), drain, failoverOn)).toMatchObject({ mode: 'paused', rate: 0 });
    expect(paceOf(fleet(3, 2), accepting, failoverOn)).toMatchObject({ mode: 'slow', rate: 0.1 });
  });
});
