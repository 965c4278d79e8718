import { describe, expect, test } from '@jest/globals';
import { taintRules } from '../../../src/analysis/explanation/taintRules.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import type { ClusterTaintPolicySpec } from '../../../src/karmada/api/policy.ts';

const clusters = [{ metadata: { name: 'member1' } }, { metadata: { name: 'member2' } }];

function rulesOf(version: string, spec: ClusterTaintPolicySpec) {
  const { defaults } = dialectOf(version).dialect;
  return taintRules([{ metadata: { name: 'detect' }, spec }], clusters, defaults).filter(
    ({ by }) => by !== 'cluster-controller',
  );
}

describe('the rules of a proposed ClusterTaintPolicy', () => {
  const matchConditions = [{ conditionType: 'Ready', operator: 'In', statusValues: ['False', 'Unknown'] }];

  test('show the windows of each taint, and the clusters', () => {
    const reported = rulesOf('proposal', {
      targetCluster: { clusterNames: ['member2'] },
      matchConditions,
      taintsToAdd: [
        { key: 'a', effect: 'NoSchedule', addOnMatchSeconds: 60, removeOnMismatchSeconds: 30 },
        { key: 'b', effect: 'PreferNoExecute' },
      ],
    });
    const by = { kind: 'ClusterTaintPolicy', name: 'detect' };
    expect(reported).toEqual([
      {
        by,
        taints: ['a:NoSchedule'],
        addedWhen: ['Ready In [False Unknown]', 'for 1m without interruption'],
        removedWhen: ['the condition is false for 30s'],
        clusters: ['member2'],
      },
      {
        by,
        taints: ['b:PreferNoExecute'],
        addedWhen: ['Ready In [False Unknown]', 'for 5m without interruption'],
        removedWhen: ['the condition is false for 3m'],
        clusters: ['member2'],
      },
    ]);
  });

  test('without conditions add the taints in any case and never remove them', () => {
    expect(rulesOf('proposal', { taintsToAdd: [{ key: 'a', effect: 'NoSchedule' }] })).toMatchObject([
      { addedWhen: ['for 5m in any case'], removedWhen: [], clusters: null },
    ]);
  });
});

test('a shipped ClusterTaintPolicy has one rule for all its taints', () => {
  const reported = rulesOf('v1.18', {
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoExecute' },
    ],
  });
  expect(reported).toMatchObject([
    { taints: ['a:NoSchedule', 'b:NoExecute'], addedWhen: ['Ready In [False]'] },
  ]);
});

test.each([
  ['proposal', 0],
  ['v1.18', 2],
])('without policies, Karmada taints clusters in %s by %i rules', (version, count) => {
  expect(taintRules([], clusters, dialectOf(version).dialect.defaults)).toHaveLength(count);
});
