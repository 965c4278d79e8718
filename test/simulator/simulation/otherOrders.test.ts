import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { ordersToTry } from '../../../src/simulator/simulation/otherOrders.ts';
import {
  REACTION_WINDOW_MS,
  lateEvents,
  otherOrdering,
} from '../../../src/simulator/virtualTime/ordering.ts';
import type { ScenarioAction, ScenarioEvent } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ClusterTaintPolicy, Placement } from '../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { allowed } from '../../analysis/taintPolicy/policies.ts';
import { cluster, deployment, failoverOn, outcomeOf, run, START, world, type When } from './controlPlane.ts';

const anyOne: Placement = {
  clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
};

function play(state: World, events: [seconds: number, action: ScenarioAction][], until: number) {
  return simulate(
    state,
    {
      start: START,
      until: START + until * 1000,
      members: { workloadReadyAfter: 5000, neverReady: [] },
      events: events.map(([seconds, action]) => ({ at: START + seconds * 1000, action })),
    },
    failoverOn,
    { otherOrders: 6 },
  );
}

describe('other processing orders', () => {
  test('come in pairs: an early key in one order is late in the other', () => {
    const delays = (number: number) =>
      ['a', 'b', 'c'].map((key) => otherOrdering(number).delay('scheduler', key, START));
    expect(delays(1)).toEqual(delays(1));
    const names = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
    expect(otherOrdering(2).arrange(names)).toEqual(otherOrdering(1).arrange(names).toReversed());
  });
});

test('the outcome of two close events is an estimate if Karmada may have processed only the first', () => {
  const web = deployment('web', {
    placement: anyOne,
    replicas: 2,
    clusters: [{ name: 'east-1', replicas: 2 }],
  });
  const dependsOn = (apart: number) => {
    const taint = { key: 'disk', effect: 'NoExecute' } as const;
    const simulation = play(
      world([cluster('east-1'), cluster('west-1')], [web]),
      [
        [1, { type: 'taint', cluster: 'east-1', taint }],
        [1 + apart, { type: 'taint', cluster: 'west-1', taint }],
      ],
      30,
    );
    return outcomeOf(simulation, 'web').dependsOn?.join() ?? '';
  };
  expect(dependsOn(0.01)).toContain('the processing order');
  expect(dependsOn(0)).not.toContain('the processing order');
});

test('other processing orders delay the second of two close events, even in a saved simulation', () => {
  const fails = (at: number): ScenarioEvent => ({ at, action: { type: 'fail', cluster: 'east-1' } });
  expect(ordersToTry(6, [fails(1000), fails(1299)], [])[0]).toBe(lateEvents);
  expect(ordersToTry(6, [fails(1299)], [fails(1000)])[0]).toBe(lateEvents);
  for (const events of [[fails(1000), fails(1000)], [fails(1000), fails(1300)], [fails(1000)]])
    expect(ordersToTry(6, events, [])).toHaveLength(6);
  expect(ordersToTry(0, [fails(1000), fails(1001)], [])).toEqual([]);
  // so late that it does not meet Karmada's reactions to the first
  expect(lateEvents.late).toBeGreaterThanOrEqual(REACTION_WINDOW_MS);
});

test('workloads that another order may evict before the taint is removed are estimates', () => {
  // The second policy takes away what the first one adds, if Karmada does not see them together.
  const taintsToAdd = [{ key: 'net', effect: 'NoExecute' as const }];
  const isDown = [{ conditionType: 'Net', operator: 'In', statusValues: ['False'] }];
  const policy = (name: string, spec: object) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name },
    spec: { ...spec, taints: taintsToAdd },
  });
  const names = Array.from({ length: 8 }, (_, at) => `web-${at}`);
  const state = world(
    [cluster('east-1'), cluster('west-1')],
    names.map((name) =>
      deployment(name, { placement: anyOne, replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] }),
    ),
  );
  const adds = policy('adds', { addOnConditions: isDown });
  const simulation = simulate(
    { ...state, taintPolicies: [adds as ClusterTaintPolicy] },
    {
      start: START,
      until: START + 60_000,
      members: { workloadReadyAfter: 5000, neverReady: [] },
      events: [
        {
          at: START + 1000,
          action: { type: 'condition', cluster: 'east-1', condition: { type: 'Net', status: 'False' } },
        },
        {
          at: START + 1050,
          action: { type: 'apply', objects: [policy('takes-away', { removeOnConditions: isDown })] },
        },
      ],
    },
    allowed,
    { otherOrders: 6 },
  );
  expect(simulation.events.some(({ type }) => type === 'Evicted')).toBe(false);
  expect(names.map((name) => outcomeOf(simulation, name).certainty)).toEqual(names.map(() => 'estimate'));
});

describe('a workload that flaps', () => {
  const flaps = deployment('flaps', {
    placement: anyOne,
    replicas: 1,
    clusters: [{ name: 'east-1', replicas: 1 }],
    spec: {
      propagateDeps: true,
      failover: {
        application: {
          decisionConditions: { tolerationSeconds: 3 },
          purgeMode: 'Gracefully',
          gracePeriodSeconds: 2,
        },
      },
    },
  });
  const stuck = deployment('stuck', {
    placement: { clusterAffinity: { clusterNames: ['south-1'] } },
    replicas: 1,
    clusters: [{ name: 'south-1', replicas: 1 }],
  });
  const state = world(
    ['east-1', 'west-1', 'south-1'].map((name) => cluster(name)),
    [flaps, stuck],
  );
  const turnsUnhealthy: ScenarioAction = {
    type: 'health',
    workload: { kind: 'Deployment', namespace: 'shop', name: 'flaps' },
    cluster: 'east-1',
    health: 'Unhealthy',
  };
  const leaves: ScenarioAction = {
    type: 'taint',
    cluster: 'south-1',
    taint: { key: 'x', effect: 'NoExecute' },
  };
  const simulation = play(
    state,
    [
      [1, turnsUnhealthy],
      [2, leaves],
    ],
    700,
  );
  const reportedOf = (name: string) =>
    simulation.events.filter(({ object }) => object.name === `${name}-deployment`);

  test('flaps permanently, and does not hide the outcome of others', () => {
    expect(outcomeOf(simulation, 'flaps').outcome).toBe('flaps');
    expect(reportedOf('stuck').map(({ type }) => type)).toEqual(
      expect.arrayContaining(['Evicted', 'TaskStamped', 'TaskEnded']),
    );
    expect(reportedOf('flaps').at(-1)!.time).toBeGreaterThan(START + 690_000);
  });

  test('does not hide whether replicas of others are down permanently', () => {
    const events: When['events'] = [
      [1, turnsUnhealthy],
      [2, leaves],
    ];
    const endless = run(state, { events });
    expect(endless.atRest).toBe(false);
    expect(outcomeOf(endless, 'stuck').gap).toMatchObject({ atEnd: 1, permanent: true });
    expect(outcomeOf(endless, 'flaps').gap).not.toHaveProperty('permanent');
  });

  test('is an estimate, because the number of cycles depends on timing', () => {
    expect(outcomeOf(simulation, 'flaps').certainty).toBe('estimate');
  });
});

describe('an estimate from a captured state depends on', () => {
  const clusters = [cluster('east-1'), cluster('west-1')];
  const captured = (spec: object, status: object = {}) => {
    const made = deployment('web', { placement: anyOne, replicas: 2, clusters: [], spec });
    return { ...made, status: { ...made.status, ...status } };
  };
  const dependsOn = (binding: ReturnType<typeof captured>) =>
    outcomeOf(play(world(clusters, [binding]), [], 5), 'web').dependsOn ?? [];

  test('the time when the scheduler retries a workload without capacity', () => {
    const failed = {
      type: 'Scheduled',
      status: 'False' as const,
      reason: 'Unschedulable',
      message: 'no room',
      lastTransitionTime: rfc3339(START - 60_000),
    };
    expect(dependsOn(captured({}, { conditions: [failed] })).join()).toContain('when the scheduler retries');
    const nowhere = { ...failed, reason: 'NoClusterFit' };
    expect(dependsOn(captured({}, { conditions: [nowhere] })).join()).not.toContain('tries again');
  });

  test('the preserved resources that remain in members', () => {
    expect(dependsOn(captured({ preserveResourcesOnDeletion: true })).join()).toContain(
      'earlier copies that members may still run',
    );
    expect(dependsOn(captured({})).join()).not.toContain('earlier copies that members may still run');
  });

  test('a missing or deleted Work that the placement requires', () => {
    const id = (name: string) => ({ 'resourcebinding.karmada.io/permanent-id': name });
    const webOn = (...on: string[]) => {
      const made = deployment('web', {
        placement: anyOne,
        replicas: 2,
        clusters: on.map((name) => ({ name, replicas: 2 })),
      });
      return { ...made, metadata: { ...made.metadata, labels: { ...made.metadata.labels, ...id('web') } } };
    };
    const work = (rest: object = {}) => ({
      metadata: { name: 'web-1', namespace: 'karmada-es-east-1', labels: id('web'), ...rest },
    });
    const doubts = (works: ReturnType<typeof work>[], ...on: string[]) => {
      const simulation = play({ ...world(clusters, [webOn(...on)]), works }, [], 5);
      return (outcomeOf(simulation, 'web').dependsOn ?? []).join();
    };
    expect(doubts([work()], 'east-1', 'west-1')).toContain('whether the Work on west-1 is still created');
    const deleting = work({ deletionTimestamp: rfc3339(START - 60_000) });
    expect(doubts([deleting], 'east-1')).toContain('when the Work on east-1 is recreated');
    expect(doubts([work()], 'east-1')).not.toContain('the Work on');
  });

  test('an unrequested Work that is newer than the last scheduling', () => {
    const scheduled = START - 60_000;
    const simulated = (made: number) => {
      const moved = deployment('web', {
        placement: anyOne,
        replicas: 2,
        clusters: [{ name: 'west-1', replicas: 2 }],
      });
      const labels = { 'resourcebinding.karmada.io/permanent-id': 'web' };
      const binding = {
        ...moved,
        metadata: { ...moved.metadata, labels: { ...moved.metadata.labels, ...labels } },
        status: { ...moved.status, lastScheduledTime: rfc3339(scheduled) },
      };
      const workOn = (name: string, creationTimestamp: string) => ({
        metadata: {
          name: 'web-1',
          namespace: `karmada-es-${name}`,
          labels,
          creationTimestamp,
          finalizers: ['karmada.io/execution-controller'],
        },
      });
      const works = [workOn('west-1', rfc3339(scheduled)), workOn('east-1', rfc3339(made))];
      const simulation = play({ ...world(clusters, [binding]), works }, [], 5);
      const deleted = simulation.events.filter(({ type }) => type === 'WorkDeleted');
      return {
        deleted: deleted.map(({ time, cluster }) => [time - START, cluster]),
        doubts: (outcomeOf(simulation, 'web').dependsOn ?? []).join(),
      };
    };
    // left from the previous scheduling: it is in the binding controller's queue
    const left = simulated(scheduled - 3_600_000);
    expect(left.deleted).toEqual([[expect.any(Number), 'east-1']]);
    expect(left.deleted[0]![0]).toBeLessThan(1000);
    expect(left.doubts).not.toContain('the Work on');
    // Works were read after bindings, and the workload moved in between
    const later = simulated(scheduled + 30_000);
    expect(later.deleted).toEqual([]);
    expect(later.doubts).toContain('whether the Work on east-1');
  });
});
