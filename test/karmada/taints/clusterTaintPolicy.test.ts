import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Condition, Taint } from '../../../src/karmada/api/meta.ts';
import type {
  ClusterTaintPolicy,
  ClusterTaintPolicySpec,
  MatchCondition,
} from '../../../src/karmada/api/policy.ts';
import { reconcileClusterTaintPolicies } from '../../../src/karmada/taints/clusterTaintPolicy.ts';
import { conditionsMatch } from '../../../src/karmada/taints/matchConditions.ts';
import { v1_18 } from '../../dialects.ts';

const now = Date.UTC(2026, 2, 14);
const timeAdded = '2026-03-14T00:00:00Z';
const ready = (status: Condition['status']): Condition => ({ type: 'Ready', status });
const on = (operator: string, ...statusValues: string[]): MatchCondition => ({
  conditionType: 'Ready',
  operator,
  statusValues,
});
const notReady = { key: 'not-ready', effect: 'NoExecute' } as const;

function policy(spec: ClusterTaintPolicySpec, creationTimestamp = timeAdded, name = 'p'): ClusterTaintPolicy {
  return { metadata: { name, creationTimestamp }, spec };
}
function cluster(conditions: Condition[], taints?: Taint[]): Cluster {
  return { metadata: { name: 'm1' }, spec: { ...(taints && { taints }) }, status: { conditions } };
}
const reconcile = (one: Cluster, ...policies: ClusterTaintPolicy[]) =>
  reconcileClusterTaintPolicies({ cluster: one, policies, now, rules: v1_18.rules.scheduling });

const addWhenFalse = { addOnConditions: [on('In', 'False')], taints: [{ ...notReady, value: 'v' }] };
const removeWhenTrue = { removeOnConditions: [on('In', 'True')], taints: [notReady] };

describe('a ClusterTaintPolicy', () => {
  test('adds its taints while its addOnConditions hold', () => {
    expect(reconcile(cluster([ready('False')]), policy(addWhenFalse))).toMatchObject({
      taints: [{ ...notReady, value: 'v', timeAdded }],
      changed: true,
    });
    expect(reconcile(cluster([ready('True')]), policy(addWhenFalse))).toMatchObject({
      taints: [],
      changed: false,
    });
  });

  test('does not change an existing taint, or remove it when its addOnConditions end', () => {
    const there = cluster([ready('False')], [{ ...notReady, value: 'old' }]);
    expect(reconcile(there, policy(addWhenFalse))).toMatchObject({
      taints: there.spec?.taints,
      changed: false,
    });
    expect(reconcile(cluster([ready('True')], [notReady]), policy(addWhenFalse)).changed).toBe(false);
  });

  test('removes its taints while its removeOnConditions hold', () => {
    const other: Taint = { key: 'not-ready', effect: 'NoSchedule' };
    expect(reconcile(cluster([ready('True')], [notReady, other]), policy(removeWhenTrue))).toMatchObject({
      taints: [other],
      changed: true,
    });
  });

  test('removes its new taints if both lists match, and writes the empty list', () => {
    const both = policy({ ...addWhenFalse, removeOnConditions: [on('NotIn', 'True')] });
    expect(reconcile(cluster([ready('False')]), both)).toMatchObject({ taints: [], changed: true });
    expect(reconcile(cluster([ready('False')], [{ key: 'a', effect: 'NoSchedule' }]), both).changed).toBe(
      false,
    );
  });

  test('does not change clusters outside its targetClusters', () => {
    const elsewhere = policy({ ...addWhenFalse, targetClusters: { clusterNames: ['m2'] } });
    expect(reconcile(cluster([ready('False')]), elsewhere).taints).toEqual([]);
    expect(
      reconcile(cluster([ready('False')]), policy({ ...addWhenFalse, targetClusters: {} })).taints,
    ).toHaveLength(1);
  });

  test('acts after older policies', () => {
    const add = policy(addWhenFalse, '2026-01-01T00:00:00Z', 'z');
    const remove = { removeOnConditions: [on('In', 'False')], taints: [notReady] };
    const falling = cluster([ready('False')]);
    expect(reconcile(falling, policy(remove, '2026-01-01T00:00:01Z', 'a'), add).taints).toEqual([]);
    expect(reconcile(falling, add, policy(remove, '2025-12-31T23:59:59Z', 'a')).taints).toHaveLength(1);
  });

  test('has evidence with its name and its conditions', () => {
    const { evidence } = reconcile(cluster([ready('False')]), policy(addWhenFalse, timeAdded, 'on-failure'));
    expect(evidence).toEqual([
      {
        rule: 'the policy adds not-ready=v:NoExecute because all of its addOnConditions hold',
        object: { kind: 'ClusterTaintPolicy', name: 'on-failure' },
        field: 'spec.addOnConditions',
        value: addWhenFalse.addOnConditions,
        taint: { ...notReady, value: 'v' },
      },
    ]);
  });
});

describe('a list of conditions', () => {
  test.each<[string, MatchCondition[] | undefined, boolean]>([
    ['does not match if it is absent', undefined, false],
    ['does not match if it is empty', [], false],
    ['matches by In', [on('In', 'False', 'Unknown')], true],
    ['does not match by In without values', [on('In')], false],
    ['matches by NotIn', [on('NotIn', 'True')], true],
    ['matches by NotIn without values', [on('NotIn')], true],
    ['does not match if one condition fails', [on('In', 'False'), on('NotIn', 'False')], false],
    [
      'does not match by In if the condition type is missing',
      [{ ...on('In', 'False'), conditionType: 'Net' }],
      false,
    ],
    [
      'does not match by NotIn if the condition type is missing',
      [{ ...on('NotIn', 'True'), conditionType: 'Net' }],
      false,
    ],
    ['does not match by an unknown operator', [on('Exists')], false],
  ])('%s', (_name, wanted, matches) => {
    expect(conditionsMatch([ready('False')], wanted)).toBe(matches);
  });
});

describe('any policies on any cluster', () => {
  const key = fc.constantFrom('a', 'b');
  const effect = fc.constantFrom('NoSchedule' as const, 'NoExecute' as const);
  const taint = fc.record({ key, effect });
  const match = fc.record({
    conditionType: fc.constantFrom('Ready', 'Net'),
    operator: fc.constantFrom('In', 'NotIn', 'Other'),
    statusValues: fc.subarray(['True', 'False', 'Unknown']),
  });
  const spec = fc.record({
    addOnConditions: fc.array(match, { maxLength: 2 }),
    removeOnConditions: fc.array(match, { maxLength: 2 }),
    taints: fc.array(taint, { minLength: 1, maxLength: 3 }),
  });
  const unique = { selector: (one: Taint) => `${one.key}:${one.effect}` };

  test('set each key and effect once, and a second reconcile changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(spec, fc.nat(2)), { maxLength: 4 }),
        fc.uniqueArray(taint, unique),
        fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
        (specs, taints, status) => {
          const policies = specs.map(([one, age], index) =>
            policy(one, `2026-01-01T00:00:0${age}Z`, `p${index}`),
          );
          const before = cluster([ready(status)], taints);
          const copy = structuredClone(before);
          const once = reconcile(before, ...policies);
          expect(before).toEqual(copy);
          expect(new Set(once.taints.map(unique.selector)).size).toBe(once.taints.length);
          const twice = reconcile(cluster([ready(status)], once.taints), ...policies);
          expect(twice.taints.map(unique.selector).sort()).toEqual(once.taints.map(unique.selector).sort());
        },
      ),
    );
  });
});
