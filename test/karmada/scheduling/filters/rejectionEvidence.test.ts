import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../../src/karmada/api/policy.ts';
import { createClusterSnapshot } from '../../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../../src/karmada/scheduling/schedulerOptions.ts';
import { affinityMismatches } from '../../../../src/karmada/scheduling/filters/clusterAffinity.ts';
import { schedule } from '../../../../src/karmada/scheduling/schedule.ts';
import type { AttemptTrace } from '../../../../src/karmada/scheduling/trace.ts';
import { clusterMatches } from '../../../../src/karmada/selection/clusterAffinity.ts';
import { v1_18 } from '../../../dialects.ts';
import { cluster, deployment } from '../../../simulator/simulation/controlPlane.ts';

const rules = v1_18.rules.scheduling;

describe('the evidence of an affinity mismatch', () => {
  const tokyo: Cluster = { metadata: { name: 'tokyo', labels: { tier: 'edge' } }, spec: { region: 'asia' } };
  const against = (affinity: ClusterAffinity) =>
    affinityMismatches(tokyo, affinity, 'spec.placement.clusterAffinity', rules).map(({ rule, field }) => [
      rule,
      field,
    ]);

  test('names each part with the observed values', () => {
    expect(
      against({
        clusterNames: ['dublin'],
        exclude: ['tokyo'],
        labelSelector: {
          matchLabels: { tier: 'public' },
          matchExpressions: [{ key: 'gpu', operator: 'Exists' }],
        },
        fieldSelector: {
          matchExpressions: [{ key: 'region', operator: 'In', values: ['europe', 'america'] }],
        },
      }),
    ).toEqual([
      ['not named in clusterNames', 'spec.placement.clusterAffinity.clusterNames'],
      ['named in exclude', 'spec.placement.clusterAffinity.exclude'],
      ['labels do not match: tier=edge, no gpu', 'spec.placement.clusterAffinity.labelSelector'],
      [
        'region is asia, required In [europe america]',
        'spec.placement.clusterAffinity.fieldSelector.matchExpressions[0]',
      ],
    ]);
  });

  test('is empty exactly if the affinity selects the cluster', () => {
    const names = fc.array(fc.constantFrom('tokyo', 'dublin'), { maxLength: 2 });
    const values = fc.array(fc.constantFrom('asia', 'europe', 'edge', 'public'), { maxLength: 2 });
    const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Near');
    const requirement = (...keys: string[]) => fc.record({ key: fc.constantFrom(...keys), operator, values });
    const affinity = fc.record(
      {
        clusterNames: names,
        exclude: names,
        labelSelector: fc.record({
          matchExpressions: fc.array(requirement('tier', 'a b'), { maxLength: 2 }),
        }),
        fieldSelector: fc.record({
          matchExpressions: fc.array(requirement('region', 'provider', 'zone'), { maxLength: 2 }),
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(affinity, (one) => {
        expect(affinityMismatches(tokyo, one, '', rules).length === 0).toBe(
          clusterMatches(tokyo, one, rules),
        );
      }),
    );
  });
});

test('every filter lists all reasons to reject a cluster, not only the first', () => {
  const bad: Cluster = {
    ...cluster('east-1', [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'tolerated', effect: 'NoExecute' },
      { key: 'b', value: 'c', effect: 'NoExecute' },
    ]),
    spec: {
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'tolerated', effect: 'NoExecute' },
        { key: 'b', value: 'c', effect: 'NoExecute' },
      ],
    },
    status: { conditions: [{ type: 'CompleteAPIEnablements', status: 'False' }] },
  };
  const { spec } = deployment('cart', {
    placement: {
      clusterAffinity: { clusterNames: ['west-1'], exclude: ['east-1'] },
      clusterTolerations: [{ key: 'tolerated', operator: 'Exists' }],
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 1, maxGroups: 1 },
        { spreadByField: 'provider', minGroups: 1, maxGroups: 1 },
      ],
    },
    clusters: [],
    spec: {
      gracefulEvictionTasks: [
        { fromCluster: 'east-1', reason: 'TaintUntolerated', producer: 'TaintManager' },
      ],
    },
  });
  const snapshot = createClusterSnapshot([bad], schedulerOptions(v1_18.defaults));
  const trace: AttemptTrace = { clusters: [] };
  schedule(snapshot, spec, undefined, trace);
  expect(
    trace.clusters[0]!.filters.map(({ plugin, evidence = [] }) => [
      plugin,
      ...evidence.map(({ rule }) => rule),
    ]),
  ).toEqual([
    ['APIEnablement', 'does not list apps/v1 Deployment'],
    ['TaintToleration', 'taint a:NoSchedule is not tolerated', 'taint b=c:NoExecute is not tolerated'],
    ['ClusterAffinity', 'not named in clusterNames', 'named in exclude'],
    ['SpreadConstraint', 'has no region', 'has no provider'],
    ['ClusterEviction', 'has an eviction task (TaintUntolerated, by TaintManager)'],
  ]);
});
