import { describe, expect, test } from '@jest/globals';
import {
  conditionTurns,
  sameTurn,
  turnDifferences,
} from '../../../src/analysis/taintPolicy/conditionTurns.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { formatTaint } from '../../../src/kubernetes/tolerations.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { allowed, member, taint, taintPolicy, when } from './policies.ts';

const up = member('east-1', {
  conditions: ['Net=True'],
  taints: [taint('now:NoExecute', '2026-08-10T00:00:00Z')],
});
const turns = (...policies: ClusterTaintPolicy[]) => conditionTurns(up, policies, allowed, START);
const policy = (name: string, added: string[], removed: string[] = []) => [
  ...(added.length > 0
    ? [taintPolicy(name, { addOnConditions: [when('Net In False')], taints: added.map((one) => taint(one)) })]
    : []),
  ...(removed.length > 0
    ? [
        taintPolicy(`${name}-off`, {
          removeOnConditions: [when('Net In False')],
          taints: removed.map((one) => taint(one)),
        }),
      ]
    : []),
];

/** "also loses x": what some policies do and others do not, at Net=False. */
const reported = (some: ClusterTaintPolicy[], others: ClusterTaintPolicy[]) =>
  turnDifferences(turns(...some), turns(...others)).map(({ condition, reconcile, also }) => [
    `${condition.type}=${condition.status}`,
    also,
    ...reconcile.gains.map((one) => `gains ${formatTaint(one.taint)}`),
    ...reconcile.loses.map((one) => `loses ${formatTaint(one.taint)}`),
    ...(reconcile.refused === undefined ? [] : ['refused']),
  ]);

describe('the effects of a policy change at a condition change', () => {
  const before = policy('net', ['net:NoExecute']);

  test('include only the added effects, and nothing in the reverse comparison', () => {
    const after = policy('net', ['net:NoExecute'], ['now:NoExecute']);
    expect(reported(after, before)).toEqual([['Net=False', true, 'loses now:NoExecute']]);
    expect(reported(before, after)).toEqual([]);
    expect(sameTurn(turns(...before)[0]!, turns(...after)[0]!)).toBe(false);
  });

  test('include all effects if there are no other policies', () => {
    expect(reported(before, [])).toEqual([['Net=False', false, 'gains net:NoExecute']]);
    expect(reported([], before)).toEqual([]);
  });

  test('include another taint value, but not another policy with the same effect', () => {
    expect(reported(policy('net', ['net=down:NoExecute']), before)).toEqual([
      ['Net=False', false, 'gains net=down:NoExecute'],
    ]);
    expect(reported(policy('other', ['net:NoExecute']), before)).toEqual([]);
    expect(sameTurn(turns(...before)[0]!, turns(...policy('other', ['net:NoExecute']))[0]!)).toBe(true);
  });

  test('include a refusal, and all effects without the refusal', () => {
    const refused = policy('net', ['net:NoExecute', 'soft:PreferNoSchedule']);
    expect(reported(refused, before)).toMatchObject([
      ['Net=False', false, expect.anything(), expect.anything(), 'refused'],
    ]);
    expect(reported(before, refused)).toEqual([['Net=False', false, 'gains net:NoExecute']]);
    expect(reported(refused, refused)).toEqual([]);
  });
});
