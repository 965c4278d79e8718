import { expect, test } from '@jest/globals';
import { ownershipOf, type TaintOwnership } from '../../../src/karmada/taints/taintOwnership.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { allowed, member, OLD, taint, taintPolicy, when } from '../../analysis/taintPolicy/policies.ts';

const SINCE = '2026-08-20T00:00:00Z';
const BEFORE_ALL_POLICIES = '2020-08-01T00:00:00Z';
const net = {
  addOnConditions: [when('Net In False')],
  removeOnConditions: [when('Net In True')],
  taints: [taint('net=down:NoExecute')],
};
const netPolicy = taintPolicy('net', net);

/** The owner of the only taint of east-1. */
const of = (one: Taint, policies: ClusterTaintPolicy[] = [], rules = allowed.rules): TaintOwnership =>
  ownershipOf(one, member('east-1', { taints: [one] }), policies, rules);

test.each<[string, TaintOwnership, object]>([
  [
    'probably a policy that lists the taint and is older',
    of(taint('net:NoExecute', SINCE), [netPolicy]),
    { owner: 'policy', certainty: 'estimate', policies: ['net'], listedBy: ['net'] },
  ],
  [
    'an operator if the taint has no time',
    of(taint('net:NoExecute'), [netPolicy]),
    { owner: 'person', certainty: 'certain', listedBy: ['net'], policies: [] },
  ],
  [
    'unknown if the taint is older than the policy that lists it',
    of(taint('net:NoExecute', BEFORE_ALL_POLICIES), [netPolicy]),
    { owner: 'unknown', certainty: 'unknown', listedBy: ['net'], policies: [] },
  ],
  [
    'unknown if the taint has a time and no policy lists it',
    of(taint('net:NoSchedule', SINCE), [netPolicy]),
    { owner: 'unknown', listedBy: [] },
  ],
  [
    'unknown if the policy that lists it never adds it',
    of(taint('net:NoExecute', SINCE), [taintPolicy('only-removes', { ...net, addOnConditions: [] })]),
    { owner: 'unknown', listedBy: ['only-removes'] },
  ],
  [
    'never a policy for other clusters',
    of(taint('net:NoExecute', SINCE), [
      taintPolicy('west', { ...net, targetClusters: { clusterNames: ['west-1'] } }),
    ]),
    { owner: 'unknown', listedBy: [] },
  ],
  [
    'the cluster controller for not-ready:NoSchedule, even if a policy lists it',
    of(taint('cluster.karmada.io/not-ready:NoSchedule', SINCE), [
      taintPolicy('same', { ...net, taints: [taint('cluster.karmada.io/not-ready:NoSchedule')] }),
    ]),
    { owner: 'cluster-controller', certainty: 'certain', listedBy: ['same'], policies: [] },
  ],
  [
    'a cordon for unschedulable:NoSchedule',
    of(taint('cluster.karmada.io/unschedulable:NoSchedule')),
    { owner: 'cordon', certainty: 'certain' },
  ],
  [
    'a drain for karmada-failover/drain:NoExecute',
    of(taint('karmada-failover/drain:NoExecute', SINCE)),
    { owner: 'drain', certainty: 'certain' },
  ],
])('the owner of a taint is %s', (_what, reported, expected) => {
  expect(reported).toMatchObject(expected);
});

test.each([
  ['v1.13.10', 'cluster.karmada.io/not-ready', 'cluster-controller'],
  ['v1.13.10', 'cluster.karmada.io/terminating', 'cluster-controller'],
  ['v1.13.10', 'maintenance', 'unknown'],
  ['v1.18.2', 'cluster.karmada.io/not-ready', 'unknown'],
  ['v1.18.2', 'cluster.karmada.io/terminating', 'unknown'],
])('in %s, the owner of %s:NoExecute is %s', (version, key, owner) => {
  const { rules } = dialectOf(version).dialect;
  expect(of(taint(`${key}:NoExecute`, SINCE), [], rules)).toMatchObject({ owner });
});

test('the evidence names the taint, its time, the rule and the missing input', () => {
  expect(of(taint('net=down:NoExecute', SINCE), [netPolicy]).evidence).toEqual([
    {
      rule: 'a policy for the cluster lists it, and is older',
      object: { kind: 'Cluster', name: 'east-1' },
      field: 'spec.taints',
      value: { key: 'net', value: 'down', effect: 'NoExecute', timeAdded: SINCE },
      taint: { key: 'net', value: 'down', effect: 'NoExecute' },
      certainty: 'estimate',
      missing:
        'who wrote it: an operator may have set the same taint (managedFields of the Cluster, which are not read)',
    },
  ]);
});

test('the evidence of an unknown owner names the age of the taint or the missing policy', () => {
  const rule = (one: Taint, ...policies: ClusterTaintPolicy[]) => of(one, policies).evidence[0]!.rule;
  expect(rule(taint('net=down:NoExecute', SINCE))).toBe(
    'no policy for the cluster lists it, and it has a timeAdded',
  );
  expect(rule(taint('net=down:NoExecute', '2020-01-01T00:00:00Z'), netPolicy)).toBe(
    'it is older than every policy that lists it',
  );
});

test('a policy may own a taint from the second of its creation', () => {
  expect(of(taint('net=down:NoExecute', OLD), [netPolicy]).owner).toBe('policy');
});
