import { describe, expect, test } from '@jest/globals';
import { failoverSwitch } from '../../../src/analysis/explanation/failoverSwitch.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import { cluster, deployment, failoverOn, outcomeOf, START } from './controlPlane.ts';

/** karmada-controller-manager with --controllers. */
const withList = (controllers: string): Configuration => ({
  ...failoverOn,
  controllerManager: { ...failoverOn.controllerManager, controllers },
});

const policy: ClusterTaintPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'failed', creationTimestamp: '2026-08-01T00:00:00Z' },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    taints: [{ key: 'failed', effect: 'NoExecute' }],
  },
};

const world = (): World => ({
  ...plainWorld(
    ['member1', 'member2'].map((name) => cluster(name)),
    [
      deployment('web', {
        placement: onOneOf('member1', 'member2'),
        clusters: [{ name: 'member1', replicas: 1 }],
        replicas: 1,
      }),
    ],
  ),
  taintPolicies: [policy],
});

function play(controllers: string, action: ScenarioAction = { type: 'fail', cluster: 'member1' }) {
  const members = { workloadReadyAfter: 20_000, neverReady: [] };
  const events = [{ at: START, action }];
  return simulate(world(), { start: START, members, events }, withList(controllers));
}

const taint: ScenarioAction = {
  type: 'taint',
  cluster: 'member1',
  taint: { key: 'by-hand', effect: 'NoExecute' },
};

describe('the flag --controllers', () => {
  test('with * runs all controllers, and the workload of a failed cluster moves', () => {
    expect(outcomeOf(play('*'), 'web')).toMatchObject({ outcome: 'moves' });
    expect(play('*').clusters[0]!.after.taints).toContain('failed:NoExecute');
  });

  test.each(['*,-cluster', 'clustertaintpolicy,gracefulEviction,binding,bindingStatus'])(
    'with %s stops the taint manager, and nothing is evicted',
    (list) => {
      const simulation = play(list, taint);
      expect(simulation.events.map(({ type }) => type)).not.toContain('Evicted');
      expect(outcomeOf(simulation, 'web')).toMatchObject({
        reason:
          'nothing is evicted: the controller cluster is not started, so the taint manager does not run',
        certainty: 'unknown',
      });
    },
  );

  test('with *,-clustertaintpolicy adds no taints by policies, but manual taints evict', () => {
    expect(play('*,-clustertaintpolicy').clusters[0]!.after.taints).not.toContain('failed:NoExecute');
    const simulation = play('*,-clustertaintpolicy', taint);
    expect(simulation.events.map(({ type }) => type)).toContain('Evicted');
  });

  test('with *,-gracefulEviction ends no eviction task', () => {
    const simulation = play('*,-gracefulEviction');
    const types = simulation.events.map(({ type }) => type);
    expect(types).toContain('Evicted');
    expect(outcomeOf(simulation, 'web').evicting).toEqual(['member1']);
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      certainty: 'unknown',
      dependsOn: expect.arrayContaining([expect.stringContaining('does not start (gracefulEviction)')]),
    });
  });

  test('has no effect if it excludes an irrelevant controller', () => {
    expect(play('*,-hpaScaleTargetMarker')).toEqual(play('*'));
  });

  test('turns failover off or manual, with the reason', () => {
    const reported = (list: string) => failoverSwitch(world().clusters, [policy], withList(list));
    expect(reported('*')).toMatchObject({ state: 'on', reasons: [] });
    expect(reported('*,-cluster')).toMatchObject({
      state: 'off',
      reasons: [
        'the controller cluster is not started, so the taint manager does not run: NoExecute taints evict nothing',
      ],
    });
    expect(reported('*,-clustertaintpolicy')).toMatchObject({
      state: 'by-hand',
      reasons: ['the controller clustertaintpolicy is not started: ClusterTaintPolicies do nothing'],
    });
  });
});
