import { describe, expect, test } from '@jest/globals';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { contestedTaints, taintDemands } from '../../../src/karmada/taints/contestedTaints.ts';
import { createdAt, inOrderOfCreation } from '../../../src/karmada/taints/policyOrder.ts';
import { explains, isKarmadaTaint } from '../../../src/karmada/taints/taintSources.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { member, taint, taintPolicy, when } from '../../analysis/taintPolicy/policies.ts';

const [FIRST, SECOND, THIRD] = ['2026-08-01T00:00:00Z', '2026-08-01T00:00:01Z', '2026-08-01T00:00:02Z'];
const { conditions = [] } = member('east-1').status!;

const adds = (name: string, created: string, ...taints: string[]) =>
  taintPolicy(
    name,
    { addOnConditions: [when('Ready In True')], taints: taints.map((text) => taint(text)) },
    created,
  );
const removes = (name: string, created: string, ...taints: string[]) =>
  taintPolicy(
    name,
    { removeOnConditions: [when('Ready In True')], taints: taints.map((text) => taint(text)) },
    created,
  );
const idle = (name: string, created: string) =>
  taintPolicy(name, { addOnConditions: [when('Ready In False')], taints: [taint('a:NoSchedule')] }, created);

function contested(policies: ClusterTaintPolicy[], there: Taint[] = []) {
  return contestedTaints(inOrderOfCreation(policies), conditions, there).map(
    ({ taint: { key, effect }, policies: names }) => `${key}:${effect} ${names.join(',')}`,
  );
}

describe('ClusterTaintPolicies', () => {
  test.each<[string, ClusterTaintPolicy[], string[]]>([
    [
      'contest a taint that one adds and another removes',
      [adds('p', FIRST, 'a:NoSchedule'), removes('q', FIRST, 'a:NoSchedule')],
      ['a:NoSchedule p,q'],
    ],
    [
      'do not contest taints with the same key and different effects',
      [adds('p', FIRST, 'a:NoSchedule'), removes('q', FIRST, 'a:NoExecute')],
      [],
    ],
    [
      'contest a taint that they add with different values',
      [adds('p', FIRST, 'a=x:NoSchedule'), adds('q', FIRST, 'a=y:NoSchedule')],
      ['a:NoSchedule p,q'],
    ],
    [
      'do not contest a taint that they add with the same value',
      [adds('p', FIRST, 'a=x:NoSchedule'), adds('q', FIRST, 'a=x:NoSchedule')],
      [],
    ],
    [
      'do not contest a taint that both remove',
      [removes('p', FIRST, 'a:NoSchedule'), removes('q', FIRST, 'a:NoSchedule')],
      [],
    ],
    [
      'do not contest a taint if one of them is inactive',
      [idle('p', FIRST), removes('q', FIRST, 'a:NoSchedule')],
      [],
    ],
    [
      'do not contest a taint if one of them is newer',
      [adds('p', FIRST, 'a:NoSchedule'), removes('q', SECOND, 'a:NoSchedule')],
      [],
    ],
    [
      'do not contest a taint that a newer policy removes',
      [
        adds('p', FIRST, 'a:NoSchedule'),
        removes('q', FIRST, 'a:NoSchedule'),
        removes('r', SECOND, 'a:NoSchedule'),
      ],
      [],
    ],
    [
      'contest a taint that an older policy removes',
      [
        removes('r', FIRST, 'a:NoSchedule'),
        adds('p', SECOND, 'a:NoSchedule'),
        removes('q', SECOND, 'a:NoSchedule'),
      ],
      ['a:NoSchedule p,q'],
    ],
    [
      'contest several taints at a time',
      [adds('p', THIRD, 'a:NoSchedule', 'b:NoExecute'), removes('q', THIRD, 'a:NoSchedule', 'b:NoExecute')],
      ['a:NoSchedule p,q', 'b:NoExecute p,q'],
    ],
  ])('%s', (_what, policies, expected) => {
    expect(contested(policies)).toEqual(expected);
  });

  test('do not contest the value of an existing taint', () => {
    const values = [adds('p', FIRST, 'a=x:NoSchedule'), adds('q', FIRST, 'a=y:NoSchedule')];
    expect(contested(values, [taint('a=z:NoSchedule')])).toEqual([]);
    expect(contested(values, [taint('b:NoSchedule')])).toEqual(['a:NoSchedule p,q']);
  });
});

test('a policy with two matching lists removes its taints, and a policy without a match does nothing', () => {
  const both = taintPolicy('p', {
    addOnConditions: [when('Ready In True')],
    removeOnConditions: [when('Ready NotIn False')],
    taints: [taint('a=x:NoSchedule'), taint('b:NoExecute')],
  });
  expect(taintDemands(both, conditions)).toEqual([
    { policy: 'p', verb: 'removes', taint: { key: 'a', value: 'x', effect: 'NoSchedule' } },
    { policy: 'p', verb: 'removes', taint: { key: 'b', effect: 'NoExecute' } },
  ]);
  expect(taintDemands(idle('p', FIRST), conditions)).toEqual([]);
});

test('policies act by creation time and then by name or a given order; a policy without a time acts first', () => {
  const timeless = { ...adds('z', FIRST, 'a:NoSchedule'), metadata: { name: 'z' } };
  const all = [
    adds('b', SECOND, 'a:NoSchedule'),
    adds('c', FIRST, 'a:NoSchedule'),
    adds('a', SECOND, 'a:NoSchedule'),
    timeless,
  ];
  const names = (policies: ClusterTaintPolicy[]) => policies.map(({ metadata }) => metadata.name);
  expect(names(inOrderOfCreation(all))).toEqual(['z', 'c', 'a', 'b']);
  expect(names(inOrderOfCreation(all, (keys) => [...keys].reverse()))).toEqual(['z', 'c', 'b', 'a']);
  expect(createdAt(timeless)).toBe(-Infinity);
  expect(createdAt(all[0]!)).toBe(Date.parse(SECOND));
});

test('Karmada manages not-ready and unreachable NoSchedule taints, and up to v1.13 also NoExecute taints', () => {
  const old = dialectOf('v1.13.0').dialect.rules;
  const kept = (text: string) => [isKarmadaTaint(taint(text), old), isKarmadaTaint(taint(text), v1_18.rules)];
  expect(kept('cluster.karmada.io/not-ready:NoSchedule')).toEqual([true, true]);
  expect(kept('cluster.karmada.io/unreachable:NoSchedule')).toEqual([true, true]);
  expect(kept('cluster.karmada.io/not-ready:NoExecute')).toEqual([true, false]);
  expect(kept('cluster.karmada.io/terminating:NoExecute')).toEqual([true, false]);
  expect(kept('cluster.karmada.io/terminating:NoSchedule')).toEqual([false, false]);
  expect(kept('net:NoSchedule')).toEqual([false, false]);
});

test('a policy explains the taints that it lists on its target clusters', () => {
  const east = { ...adds('p', FIRST, 'a:NoSchedule') };
  east.spec = { ...east.spec, targetClusters: { clusterNames: ['east-1'] } };
  const explained = (cluster: string, text: string) =>
    explains(east, member(cluster), taint(text), v1_18.rules);
  expect(explained('east-1', 'a=x:NoSchedule')).toBe(true);
  expect(explained('east-1', 'a:NoExecute')).toBe(false);
  expect(explained('west-1', 'a:NoSchedule')).toBe(false);
  expect(explains({ ...east, spec: {} }, member('east-1'), taint('a:NoSchedule'), v1_18.rules)).toBe(false);
});
