import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { START, cluster, deployment, outcomeOf, run, world } from '../simulation/controlPlane.ts';

const fails: ScenarioAction = { type: 'fail', cluster: 'east-1' };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const scaler = (kind: string, spec: object): KubernetesObject =>
  ({
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: { scaleTargetRef, ...spec },
  }) as KubernetesObject;

const placed = (name: string, byCapacity = true) =>
  deployment(name, {
    placement: {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
      ...(byCapacity && {
        replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
      }),
    },
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
  });

interface Doubting extends Pick<World, 'unread'> {
  neverReady?: boolean;
  byCapacity?: boolean;
}

function doubts(
  name: string,
  others: KubernetesObject[],
  { neverReady = false, byCapacity = true, ...unread }: Doubting = {},
): string {
  const clusters = [cluster('east-1'), cluster('west-1')];
  const state = { ...world(clusters, [placed(name, byCapacity)]), others, ...unread };
  const readyAfterSeconds = neverReady ? 10 ** 7 : 20;
  return (outcomeOf(run(state, { events: [[1, fails]], readyAfterSeconds }), name).dependsOn ?? []).join(
    '\n',
  );
}

test('a FederatedHPA makes the outcome an estimate, because a state has no metrics', () => {
  const others = [scaler('FederatedHPA', {})];
  expect(doubts('web', others)).toContain('the replicas that FederatedHPA shop/web sets from metrics');
  expect(doubts('api', others)).not.toContain('FederatedHPA');
  expect(doubts('web', [])).not.toContain('FederatedHPA');
});

test('replicas down at rest are not permanent if an autoscaler may change them', () => {
  const gapOf = (others: KubernetesObject[]) => {
    const state = { ...world([cluster('east-1')], [placed('web')]), others };
    return outcomeOf(run(state, { events: [[1, fails]], readyAfterSeconds: 20 }), 'web').gap;
  };
  const rules = [{ name: 'morning', schedule: '0 8 * * 1-5', targetReplicas: 10 }];
  expect(gapOf([])).toMatchObject({ open: true, permanent: true });
  for (const one of [scaler('FederatedHPA', {}), scaler('CronFederatedHPA', { rules })]) {
    expect(gapOf([one])).toMatchObject({ open: true });
    expect(gapOf([one])).not.toHaveProperty('permanent');
  }
});

test('a CronFederatedHPA is listed with its times, without suspended rules', () => {
  const rules = [
    { name: 'morning', schedule: '0 8 * * 1-5', targetReplicas: 10 },
    { name: 'night', schedule: '0 20 * * *', targetReplicas: 2, suspend: true },
  ];
  expect(doubts('web', [scaler('CronFederatedHPA', { rules })])).toContain(
    'the replicas that CronFederatedHPA shop/web sets on its schedule ("0 8 * * 1-5" sets 10): only the next run',
  );
  expect(doubts('web', [scaler('CronFederatedHPA', { rules: rules.slice(1) })])).not.toContain('Cron');
});

describe('in a simulation to the end of a scenario', () => {
  const rules = [{ name: 'night', schedule: '0 20 * * *', targetReplicas: 2 }];
  const quiet = (
    others: KubernetesObject[],
    { until = { until: 60 }, ...unread }: Pick<World, 'unread'> & { until?: { until?: number } } = {},
  ) => {
    const bindings = [placed('web'), placed('api')];
    const state = { ...world([cluster('east-1'), cluster('west-1')], bindings), others, ...unread };
    const simulation = run(state, { events: [], ...until });
    return ['web', 'api'].map((name) => outcomeOf(simulation, name).certainty);
  };
  test.each([
    ['a FederatedHPA', scaler('FederatedHPA', {})],
    ['a CronFederatedHPA without a status', scaler('CronFederatedHPA', { rules })],
  ])('a workload that %s scales is an estimate, even without an event', (_, object) => {
    expect(quiet([object])).toEqual(['estimate', 'certain']);
    expect(quiet([object], { until: {} })).toEqual(['certain', 'certain']);
  });

  test('all workloads with replicas are estimates if autoscalers cannot be read', () => {
    const missing = 'list on federatedhpas.autoscaling.karmada.io';
    expect(quiet([], { unread: [{ kind: 'FederatedHPA', missing }] })).toEqual(['estimate', 'estimate']);
  });
});

test('a moving workload with replicas is an estimate if autoscalers cannot be read, and the reason is listed', () => {
  const unread = [{ kind: 'CronFederatedHPA', missing: 'list on cronfederatedhpas.autoscaling.karmada.io' }];
  expect(doubts('web', [], { unread })).toContain(
    'whether an autoscaler writes its replicas, which could not be read: list on cronfederatedhpas',
  );
});

describe('the next run of a CronFederatedHPA', () => {
  const minutes = (count: number) => new Date(START + count * 60_000).toISOString();
  const cron = (next: string, rule: object = {}): KubernetesObject => ({
    ...scaler('CronFederatedHPA', {
      rules: [{ name: 'soon', schedule: '* * * * *', targetReplicas: 5, ...rule }],
    }),
    status: { executionHistories: [{ ruleName: 'soon', nextExecutionTime: next }] },
  });
  const labels = { 'propagationpolicy.karmada.io/permanent-id': 'policy' };
  const annotations = {
    'propagationpolicy.karmada.io/namespace': 'shop',
    'propagationpolicy.karmada.io/name': 'web',
  };
  const template: KubernetesObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels, annotations },
    spec: { replicas: 2 },
  };
  const simulated = (others: KubernetesObject[], when: Partial<Parameters<typeof run>[1]> = {}) => {
    const binding = placed('web');
    const policy = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'web', namespace: 'shop', labels },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        placement: binding.spec.placement!,
      },
    };
    const state = {
      ...world([cluster('east-1'), cluster('west-1')], [binding]),
      policies: [policy],
      others,
    };
    return run(state, { events: [[1, fails]], ...when });
  };
  const played = (...asked: Parameters<typeof simulated>) => outcomeOf(simulated(...asked), 'web');
  const replicas = ({ after }: ReturnType<typeof played>) => after.map((one) => one.replicas);

  test('sets the replicas, and later runs are unknown', () => {
    const outcome = played([template, cron(minutes(0.5))]);
    expect(replicas(outcome)).toEqual([5]);
    expect((outcome.dependsOn ?? []).join()).not.toContain('CronFederatedHPA');
    const later = played([template, cron(minutes(0.5))], { until: 120 });
    expect((later.dependsOn ?? []).join()).toContain('only the next run of a rule is simulated');
  });

  test('makes the outcome an estimate if the state lacks the workload', () => {
    const outcome = played([cron(minutes(1))]);
    expect(replicas(outcome)).toEqual([2]);
    expect((outcome.dependsOn ?? []).join()).toContain('CronFederatedHPA');
  });

  test('after the end of the failover is ignored, and does not affect certainty', () => {
    const outcome = played([template, cron(minutes(600))]);
    expect(replicas(outcome)).toEqual([2]);
    expect((outcome.dependsOn ?? []).join()).not.toContain('CronFederatedHPA');
  });

  test('is simulated before the end of a scenario', () => {
    expect(replicas(played([template, cron(minutes(600))], { until: 700 * 60 }))).toEqual([5]);
  });

  test('after the end of a scenario does not keep the simulation open', () => {
    const { atRest } = simulated([template, cron(minutes(600))], { until: 60 * 60 });
    expect(atRest).toBe(true);
  });

  test.each([
    ['has passed', [cron(minutes(-1))]],
    ['belongs to a suspended rule', [cron(minutes(1), { suspend: true })]],
    ['sets no replicas', [cron(minutes(1), { targetReplicas: undefined, targetMinReplicas: 5 })]],
  ])('that %s does nothing', (_, scalers) => {
    expect(replicas(played([template, ...scalers]))).toEqual([2]);
  });
});

test('the descheduler is listed if replicas divided by capacity do not become ready', () => {
  const descheduler = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karmada-descheduler', namespace: 'karmada-system' },
  };
  expect(doubts('web', [descheduler], { neverReady: true })).toContain(
    'karmada-descheduler, which removes pending replicas',
  );
  expect(doubts('web', [descheduler])).not.toContain('karmada-descheduler');
  expect(doubts('web', [descheduler], { neverReady: true, byCapacity: false })).not.toContain(
    'karmada-descheduler',
  );
  expect(doubts('web', [], { neverReady: true })).not.toContain('karmada-descheduler');
});
