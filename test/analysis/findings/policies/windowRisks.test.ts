import { describe, expect, test } from '@jest/globals';
import { effectOf } from '../../../../src/analysis/taintPolicy/effect.ts';
import { policyRisks } from '../../../../src/analysis/findings/policies/policyChecks.ts';
import { risksOf } from '../../../../src/analysis/findings/policies/changeChecks.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { failoverByDesign } from '../../../proposal/documents.ts';
import { onOneOf } from '../../../proposal/underDesign.ts';
import { deployment, START } from '../../../simulator/simulation/controlPlane.ts';
import { windowPolicy } from '../../../karmada/taints/windows/windows.ts';
import { fleet, member } from '../../taintPolicy/policies.ts';

const push = member('east-1', { conditions: ['Net=True'] });
const pull: Cluster = { ...push, spec: { ...push.spec, syncMode: 'Pull' } };

/** The risks of a policy by itself: without the window of 300 and 180 seconds, which these tests ignore. */
function risks(policy: ClusterTaintPolicy, clusters: Cluster[] = [push], unverified: string[] = []) {
  return policyRisks([policy], clusters, failoverByDesign, new Set(unverified))(policy);
}

describe('matchConditions', () => {
  test('that match only some statuses are not a risk', () => {
    expect(risks(windowPolicy(['Net In False Unknown'], ['net:NoSchedule']))).toEqual([]);
    expect(risks(windowPolicy(['Net NotIn True'], ['net:PreferNoExecute']))).toEqual([]);
  });

  test('that are missing match every cluster', () => {
    expect(risks(windowPolicy([], ['net:NoSchedule']))).toMatchObject([
      { code: 'no-match-conditions', policy: 'p', field: 'spec.matchConditions' },
    ]);
  });

  test.each([[['Net In True False Unknown']], [['Net NotIn']]])('%j match every status', (list) => {
    expect(risks(windowPolicy(list, ['net:NoSchedule']))).toMatchObject([
      { code: 'match-always', field: 'spec.matchConditions' },
    ]);
  });

  test.each([
    [['Net In'], [{ index: 0, problem: 'no values' }]],
    [['Net Exists'], [{ index: 0, problem: 'unknown operator' }]],
    [['Net In False', 'Net In Down'], [{ index: 1, problem: 'no such status' }]],
    [['Net In False', 'Net In True'], []],
  ])('%j never match, and the responsible entries are listed', (list, entries) => {
    expect(risks(windowPolicy(list, ['net:NoSchedule']))).toContainEqual({
      code: 'match-never',
      policy: 'p',
      field: 'spec.matchConditions',
      entries,
    });
  });

  test('of a type that no cluster reports are a risk', () => {
    const [risk, ...others] = risks(windowPolicy(['Power In False'], ['power:NoSchedule']));
    expect(risk).toMatchObject({ field: expect.stringContaining('spec.matchConditions') });
    expect(JSON.stringify(risk)).toContain('Power');
    expect(others).toEqual([]);
  });

  test('are not a risk in a policy without taints', () => {
    expect(risks(windowPolicy([], []))).toEqual([
      { code: 'lists-no-taints', policy: 'p', field: 'spec.taintsToAdd' },
    ]);
  });
});

describe('a window', () => {
  const reported = (taint: string, clusters?: Cluster[], conditions = ['Ready In False']) =>
    risks(windowPolicy(conditions, [taint]), clusters).map(
      (risk) =>
        risk.code === 'window-shorter-than-probe' &&
        `${risk.field} ${risk.seconds} < ${risk.shortest.after / 1000} ${risk.shortest.flag}`,
    );

  test('is a risk if it is shorter than the delay flag of its condition, separately for add and remove', () => {
    expect(reported('a:NoSchedule +29 -29')).toEqual([
      'spec.taintsToAdd[0].addOnMatchSeconds 29 < 30 cluster-success-threshold',
      'spec.taintsToAdd[0].removeOnMismatchSeconds 29 < 30 cluster-failure-threshold',
    ]);
    expect(reported('a:NoSchedule +30 -30')).toEqual([]);
  });

  test('is compared with the condition and the cluster that can change soonest', () => {
    expect(reported('a:NoSchedule +9', [push, pull])).toEqual([
      'spec.taintsToAdd[0].addOnMatchSeconds 9 < 10 cluster-status-update-frequency',
    ]);
    expect(reported('a:NoSchedule +29', [push, pull])).toEqual([]);
    expect(reported('a:NoSchedule +29', [push], ['Ready In False', 'Net In False'])).toEqual([]);
  });

  test('of a policy without clusters is checked as on a Push cluster', () => {
    expect(reported('a:NoSchedule +29', [])).toHaveLength(1);
  });

  test('without conditions is not checked', () => {
    expect(reported('a:NoSchedule +1', [push], []).filter(Boolean)).toEqual([]);
  });

  test('with an unverified flag lists that flag', () => {
    const [risk] = risks(
      windowPolicy(['Ready In False'], ['a=v:NoSchedule +1']),
      [push],
      ['cluster-success-threshold'],
    );
    expect(risk).toMatchObject({
      taint: { key: 'a', value: 'v', effect: 'NoSchedule' },
      assumed: ['cluster-success-threshold'],
    });
  });
});

describe('the risk of a PreferNoExecute taint', () => {
  const policy = windowPolicy(['Net In False'], ['net:PreferNoExecute', 'net:NoSchedule']);
  const on = (name: string, asks: boolean): ResourceBinding =>
    deployment(name, {
      placement: onOneOf('east-1', 'west-1'),
      clusters: [{ name: name.split('.')[0]!, replicas: 1 }],
      replicas: 1,
      spec: asks ? { failover: { cluster: {} } } : {},
    });
  const migrations = (bindings: ResourceBinding[], before: ClusterTaintPolicy[] = [], own = policy) => {
    const world = { ...fleet([push, member('west-1', { conditions: ['Net=True'] })], before), bindings };
    const members = { workloadReadyAfter: 20_000, neverReady: [] };
    const options = { members, playedTurns: 0 };
    const effect = effectOf(world, { applied: [own] }, failoverByDesign, START, options);
    return risksOf(effect, world, failoverByDesign).filter(({ code }) => code === 'no-active-migration');
  };

  test('is reported with the number of workloads, and only for that taint', () => {
    expect(migrations([on('east-1.a', false), on('west-1.b', false)])).toEqual([
      {
        code: 'no-active-migration',
        policy: 'p',
        field: 'spec.taintsToAdd[0]',
        workloadCount: 2,
        taint: { key: 'net', effect: 'PreferNoExecute' },
      },
    ]);
  });

  test('is not reported if one workload has failover.cluster, or if no workload runs there', () => {
    expect(migrations([on('east-1.a', false), on('east-1.b', true)])).toEqual([]);
    expect(migrations([])).toEqual([]);
  });

  test('is reported only for the clusters of the policy', () => {
    const east = windowPolicy(['Net In False'], ['net:PreferNoExecute'], {
      targetCluster: { clusterNames: ['east-1'] },
    });
    expect(migrations([on('west-1.a', false)], [], east)).toEqual([]);
    expect(migrations([on('east-1.a', false), on('west-1.b', true)], [], east)).toHaveLength(1);
  });

  test('is not reported for an unchanged policy', () => {
    expect(migrations([on('east-1.a', false)], [policy])).toEqual([]);
  });
});
