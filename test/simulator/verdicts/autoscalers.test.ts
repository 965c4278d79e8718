import { expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { cluster, deployment, outcomeOf, run, world } from '../simulation/controlPlane.ts';

const fails: ScenarioAction = { type: 'fail', cluster: 'east-1' };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const scaler = (kind: string, spec: object): KubernetesObject =>
  ({
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: { scaleTargetRef, ...spec },
  }) as KubernetesObject;

const placed = (name: string, byRoom = true) =>
  deployment(name, {
    placement: {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
      ...(byRoom && {
        replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
      }),
    },
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
  });

function doubts(name: string, others: KubernetesObject[], neverReady = false, byRoom = true): string {
  const state = { ...world([cluster('east-1'), cluster('west-1')], [placed(name, byRoom)]), others };
  const readyAfterSeconds = neverReady ? 10 ** 7 : 20;
  return (outcomeOf(run(state, { events: [[1, fails]], readyAfterSeconds }), name).dependsOn ?? []).join(
    '\n',
  );
}

test('a FederatedHPA is named: it follows metrics, which no state has', () => {
  const others = [scaler('FederatedHPA', {})];
  expect(doubts('web', others)).toContain('the replicas that FederatedHPA shop/web asks for');
  expect(doubts('api', others)).not.toContain('FederatedHPA');
  expect(doubts('web', [])).not.toContain('FederatedHPA');
});

test('a CronFederatedHPA is named with its times, but for suspended rules', () => {
  const rules = [
    { name: 'morning', schedule: '0 8 * * 1-5', targetReplicas: 10 },
    { name: 'night', schedule: '0 20 * * *', targetReplicas: 2, suspend: true },
  ];
  expect(doubts('web', [scaler('CronFederatedHPA', { rules })])).toContain(
    'the replicas that CronFederatedHPA shop/web sets at its times ("0 8 * * 1-5" sets 10), which are not simulated',
  );
  expect(doubts('web', [scaler('CronFederatedHPA', { rules: rules.slice(1) })])).not.toContain('Cron');
});

test('the descheduler is named where replicas that are divided by room do not become ready', () => {
  const descheduler = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karmada-descheduler', namespace: 'karmada-system' },
  };
  expect(doubts('web', [descheduler], true)).toContain('karmada-descheduler, which takes replicas');
  expect(doubts('web', [descheduler])).not.toContain('karmada-descheduler');
  expect(doubts('web', [descheduler], true, false)).not.toContain('karmada-descheduler');
  expect(doubts('web', [], true)).not.toContain('karmada-descheduler');
});
