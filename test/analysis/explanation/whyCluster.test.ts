import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ClusterReason } from '../../../src/analysis/explanation/whyCluster.ts';
import { cluster, deployment, world } from '../../simulator/simulation/controlPlane.ts';
import { explain } from './explain.ts';

const clusters = [cluster('east-1'), cluster('east-2'), cluster('west-1'), cluster('north-1')];
const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };

/** Why a workload on east-1 gets another cluster or not; its replicas that are not on east-1 are new. */
function why(placement: Placement, name: string, { replicas = 3, on = 3, of = clusters } = {}) {
  const cart = deployment('cart', { placement, replicas, clusters: [{ name: 'east-1', replicas: on }] });
  return explain(world(of, [cart]), { clusters: [name] }).why[0]!;
}
const against = (reasons: ClusterReason[]) =>
  reasons.filter(({ speaks }) => speaks === 'against').map(({ step, text }) => `${step}: ${text}`);

describe('a cluster is not chosen', () => {
  test('because filters reject it, and all filters are listed', () => {
    const tainted = cluster('west-1', [{ key: 'maintenance', effect: 'NoSchedule' }]);
    const { answer, groups } = why({ clusterAffinity: { clusterNames: ['east-1'] } }, 'west-1', {
      of: [cluster('east-1'), tainted],
    });
    expect(answer).toBe('rejected');
    expect(groups[0]!.reasons.map(({ plugin, speaks, text }) => [plugin, speaks, text])).toEqual([
      ['APIEnablement', 'for', 'passes'],
      ['TaintToleration', 'against', 'taint maintenance:NoSchedule is not tolerated'],
      ['ClusterAffinity', 'against', 'not named in clusterNames'],
      ['SpreadConstraint', 'for', 'passes'],
      ['ClusterEviction', 'for', 'passes'],
    ]);
  });

  test('because enough other clusters rank before it', () => {
    const placement: Placement = {
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
      replicaScheduling: aggregated,
    };
    const { answer, groups } = why(placement, 'west-1');
    expect(answer).toBe('not-chosen');
    expect(groups[0]!.reasons.find(({ step }) => step === 'ranking')?.text).toBe(
      'rank 4 of 4: does not have it yet (score 0), capacity for 990',
    );
    expect(against(groups[0]!.reasons)).toEqual([
      'spread: not chosen: at most 1 clusters, and others rank before it or have more capacity',
    ]);
  });

  test('because its region is not chosen', () => {
    const placement: Placement = {
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 1, maxGroups: 1 },
        { spreadByField: 'cluster', minGroups: 1, maxGroups: 2 },
      ],
      replicaScheduling: aggregated,
    };
    expect(against(why(placement, 'west-1').groups[0]!.reasons)).toEqual([
      expect.stringMatching(/^spread: its region west \(score \d+\) is not chosen, but east \(score \d+\)$/),
    ]);
  });

  test('because the spread constraints match no set of clusters', () => {
    const placement: Placement = {
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 5, maxGroups: 5 }],
      replicaScheduling: aggregated,
    };
    expect(against(why(placement, 'west-1').groups[0]!.reasons)).toEqual([
      'spread: nothing is chosen: the number of feasible clusters is less than spreadConstraint.MinGroups',
    ]);
  });

  test.each<[string, Placement, number, string]>([
    [
      'all replicas are already placed',
      { replicaScheduling: aggregated },
      3,
      'gets 0: the number of replicas already matches, and they keep their clusters',
    ],
    [
      'clusters before it take all replicas',
      { replicaScheduling: aggregated },
      1,
      'gets 0: 2 replicas fit on the clusters before it, which are taken first',
    ],
    [
      'it has no static weight',
      {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [{ targetCluster: { clusterNames: ['east-1'] }, weight: 1 }],
          },
        },
      },
      3,
      'gets 0: staticWeightList has no weight for it',
    ],
  ])('because %s', (_, replicaScheduling, on, text) => {
    const { answer, groups } = why(replicaScheduling, 'west-1', { on });
    expect(answer).toBe('no-replicas');
    expect(against(groups[0]!.reasons)).toEqual([`division: ${text}`]);
  });

  test('because its share is less than a replica', () => {
    const tiny = cluster('west-1');
    const of: Cluster[] = [
      cluster('east-1'),
      { ...tiny, status: { ...tiny.status, resourceSummary: { allocatable: { cpu: '200m', pods: '100' } } } },
    ];
    const placement: Placement = {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    };
    expect(against(why(placement, 'west-1', { on: 1, of }).groups[0]!.reasons)).toEqual([
      'division: gets 0: its weight of 2 in 992 is too small for a share of 2',
    ]);
  });

  test('because it is being deleted', () => {
    const leaving = {
      ...cluster('west-1'),
      metadata: { name: 'west-1', deletionTimestamp: '2026-09-01T07:00:00Z' },
    };
    const { answer, groups } = why({}, 'west-1', { of: [cluster('east-1'), leaving] });
    expect(answer).toBe('rejected');
    expect(against(groups[0]!.reasons)).toEqual(['filters: is being deleted']);
  });
});

test('a cluster is chosen because every step accepts it', () => {
  const { answer, before, after, groups } = why({ replicaScheduling: aggregated }, 'east-1');
  expect({ answer, before, after }).toEqual({ answer: 'placed', before: 3, after: 3 });
  expect(against(groups[0]!.reasons)).toEqual([]);
  expect(groups[0]!.reasons.at(-1)).toMatchObject({ step: 'division', text: 'gets 3' });
});
