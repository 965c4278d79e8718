import { describe, expect, test } from '@jest/globals';
import { matchWindow, type LastReconcile } from '../../../../src/karmada/taints/windows/matchWindow.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../../src/karmada/api/policy.ts';
import { at, BEGIN, clusterWith, windowPolicy } from './windows.ts';

/** The result of a look at a given second: "matches since 12". */
const reported = (policy: ClusterTaintPolicy, cluster: Cluster, second: number, last?: LastReconcile) => {
  const { matches, since } = matchWindow(policy, cluster, last, at(second));
  return `${matches ? 'matches' : 'mismatches'} since ${(since - BEGIN) / 1000}`;
};
const on = (...conditions: string[]) => windowPolicy(conditions, []);
const seen = (policy: ClusterTaintPolicy, second: number, ...conditions: string[]): LastReconcile => ({
  lookedAt: at(second),
  window: matchWindow(policy, clusterWith(conditions), undefined, at(second)),
});

describe('the window of a new process', () => {
  test.each<[string, string[], string[], string]>([
    [
      'starts a match at the transition of its condition',
      ['Ready In False'],
      ['Ready=False@70'],
      'matches since 70',
    ],
    [
      'starts a match at the last transition of several conditions',
      ['A In True', 'B In True'],
      ['A=True@70', 'B=True@50'],
      'matches since 70',
    ],
    [
      'starts a mismatch at the first transition of the failing conditions',
      ['A In True', 'B In True'],
      ['A=False@70', 'B=False@50'],
      'mismatches since 50',
    ],
    [
      'ignores matching conditions in a mismatch',
      ['A In True', 'B In True'],
      ['A=True@30', 'B=False@50'],
      'mismatches since 50',
    ],
    ['starts now if the transition is in the future', ['A In True'], ['A=True@999'], 'matches since 100'],
    [
      'starts at the creation of the policy without a transition time',
      ['A In True'],
      ['A=True'],
      'matches since 20',
    ],
    ['starts at the creation of the policy without the condition', ['A In True'], [], 'mismatches since 20'],
    [
      'starts a match at the creation of the policy without matchConditions',
      [],
      ['A=False@70'],
      'matches since 20',
    ],
    [
      'starts at the last transition of a repeated condition type',
      ['A In True'],
      ['A=True@30', 'A=False@60'],
      'matches since 60',
    ],
  ])('%s', (_what, wanted, conditions, expected) => {
    const policy = windowPolicy(wanted, [], { created: 20 });
    expect(reported(policy, clusterWith(conditions), 100)).toBe(expected);
  });

  test('starts at the later creation of policy and cluster, or now without a creation time', () => {
    const young = { ...clusterWith([]), metadata: { name: 'm1', creationTimestamp: '2025-01-17T02:01:00Z' } };
    expect(reported(on(), young, 100)).toBe('matches since 60');
    const ageless = { metadata: { name: 'p' }, spec: on().spec };
    expect(reported(ageless, { metadata: { name: 'm1' } }, 100)).toBe('matches since 100');
  });
});

describe('the window after an earlier reconcile', () => {
  test('continues a match after a transition to another matching status', () => {
    const policy = on('Ready In False Unknown');
    const last = seen(policy, 80, 'Ready=False@70');
    expect(reported(policy, clusterWith(['Ready=Unknown@90']), 100, last)).toBe('matches since 70');
    expect(reported(policy, clusterWith(['Ready=Unknown@90']), 100)).toBe('matches since 90');
  });

  test('continues a mismatch after a transition to another mismatching status', () => {
    const policy = on('Ready In False');
    const last = seen(policy, 80, 'Ready=True@70');
    expect(reported(policy, clusterWith(['Ready=Unknown@90']), 100, last)).toBe('mismatches since 70');
  });

  test('restarts a match if its condition has changed and returned between two reconciles', () => {
    const policy = on('Ready In False');
    const last = seen(policy, 80, 'Ready=False@70');
    expect(reported(policy, clusterWith(['Ready=False@70']), 100, last)).toBe('matches since 70');
    expect(reported(policy, clusterWith(['Ready=False@95']), 100, last)).toBe('matches since 95');
  });

  test('restarts a mismatch if its only failing condition has changed and returned between two reconciles', () => {
    const one = on('A In True');
    expect(reported(one, clusterWith(['A=False@95']), 100, seen(one, 80, 'A=False@70'))).toBe(
      'mismatches since 95',
    );
    const two = on('A In True', 'B In True');
    const last = seen(two, 80, 'A=False@70', 'B=False@75');
    expect(reported(two, clusterWith(['A=False@95', 'B=False@75']), 100, last)).toBe('mismatches since 70');
  });

  test('continues a mismatch with another condition only if there was no match in between', () => {
    const policy = on('A In True', 'B In True');
    const last = seen(policy, 80, 'A=False@70', 'B=True@10');
    expect(reported(policy, clusterWith(['A=True@90', 'B=False@90']), 100, last)).toBe('mismatches since 70');
    expect(reported(policy, clusterWith(['A=True@90', 'B=False@85']), 100, last)).toBe('mismatches since 70');
    expect(reported(policy, clusterWith(['A=True@90', 'B=False@92']), 100, last)).toBe('mismatches since 92');
  });

  test('starts at the earliest in the second of the last reconcile with the opposite result', () => {
    const policy = on('Ready In False');
    const last = { ...seen(policy, 80, 'Ready=True@10'), lookedAt: at(80.7) };
    expect(reported(policy, clusterWith(['Ready=False@10']), 100, last)).toBe('matches since 80');
    expect(reported(policy, clusterWith(['Ready=False@80']), 100, last)).toBe('matches since 80');
    expect(reported(policy, clusterWith(['Ready=False']), 100, last)).toBe('matches since 100');
  });

  test('ends a match when its condition is observed to be missing', () => {
    const policy = on('Ready In False');
    const last = seen(policy, 80, 'Ready=False@70');
    expect(reported(policy, clusterWith([]), 100, last)).toBe('mismatches since 100');
  });

  test('restarts after an edit of the list, from the times of its conditions', () => {
    const last = seen(on('A In True'), 80, 'A=False@10', 'B=False@60');
    expect(reported(on('B In True'), clusterWith(['A=False@10', 'B=False@60']), 100, last)).toBe(
      'mismatches since 60',
    );
  });

  test('restarts after one changed or new entry of the list', () => {
    const last = seen(on('A In True', 'B In True'), 30, 'A=False@10', 'B=True@5');
    const now = clusterWith(['A=True@50', 'B=False@40', 'C=False@40']);
    expect(reported(on('A In True', 'B In True'), now, 60, last)).toBe('mismatches since 10');
    expect(reported(on('A In True', 'C In True'), now, 60, last)).toBe('mismatches since 40');
    const shorter = seen(on('A In True'), 30, 'A=False@10');
    expect(reported(on('A In True', 'C In True'), now, 60, shorter)).toBe('mismatches since 40');
  });

  test('starts now if the clock goes back', () => {
    const policy = on('Ready In False');
    const last = seen(policy, 80, 'Ready=False@70');
    expect(reported(policy, clusterWith(['Ready=False@70']), 30, last)).toBe('matches since 30');
  });

  test('keeps the first observation of a transition in the future', () => {
    const policy = on('Ready In False');
    const last = seen(policy, 80, 'Ready=False@999');
    expect(reported(policy, clusterWith(['Ready=False@999']), 100, last)).toBe('matches since 80');
  });

  test('is stored as plain JSON', () => {
    const last = seen(on('A In True', 'B NotIn True'), 80, 'A=False@70');
    expect(JSON.parse(JSON.stringify(last))).toEqual(last);
  });
});
