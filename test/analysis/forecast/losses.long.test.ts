import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareCosts, lossesOf } from '../../../src/analysis/forecast/costOfLoss.ts';
import { forecastLosses } from '../../../src/analysis/forecast/losses.ts';
import { ordersInBudget } from '../../../src/simulator/simulation/otherOrders.ts';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import type { Outcome, ReplicaGap, WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';
import {
  cluster,
  deployment,
  failoverOn,
  run,
  START,
  world,
} from '../../simulator/simulation/controlPlane.ts';

const names = ['east-1', 'east-2', 'west-1', 'west-2'];
const clusters = names.map((name) => cluster(name));
const members = { workloadReadyAfter: 20_000, neverReady: [] };
const forecast = (state: World, bindings = state.bindings, configuration = failoverOn) =>
  forecastLosses(state, bindings, { start: START, members }, configuration);

const text = ({ name, outcome }: WorkloadOutcome) => `${name} ${outcome}`;

describe('the forecast of a failure', () => {
  const state = world(clusters, [
    deployment('cart', {
      placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
      replicas: 2,
      clusters: names.slice(0, 3).map((name) => ({ name, replicas: 2 })),
    }),
    deployment('ledger', {
      placement: { clusterAffinity: { clusterNames: ['east-1'] } },
      replicas: 2,
      clusters: [{ name: 'east-1', replicas: 2 }],
    }),
  ]);

  test('lists the workloads on the failed cluster', () => {
    const ifItFails = forecast(state);
    expect(ifItFails('east-1').workloads.map(text)).toEqual(['cart moves', 'ledger lost']);
    expect(ifItFails('west-1').workloads.map(text)).toEqual(['cart moves']);
    expect(ifItFails('west-2').workloads).toEqual([]);
  });

  test('lists only the requested bindings', () => {
    expect(forecast(state, state.bindings.slice(1))('east-1').workloads.map(text)).toEqual(['ledger lost']);
    expect(forecast(state, [])('east-1').workloads).toEqual([]);
  });

  test('tries no other orders if there are too many forecasts, and reports that', () => {
    const many = { otherOrders: 6, forecasts: 1_000_000 };
    const when = { start: START, members };
    const [cart] = forecastLosses(state, state.bindings, when, failoverOn, many)('east-1').workloads;
    expect(cart!.dependsOn).toEqual(
      expect.arrayContaining([expect.stringContaining('other orders were not tried')]),
    );
  });

  test('tries all processing orders or only one, because fewer than all could hide an estimate', () => {
    const when = { start: START, members };
    const events = [{ at: START, action: { type: 'fail', cluster: 'east-1' } as const }];
    const stage = setStage(createStartingWorld(state, failoverOn, when), { ...when, events }, {});
    stage.play();
    const looks = stage.time.reconciles();
    const dependsOn = (orders: number) => {
      // how many share the cost if each of them may try this many orders
      const forecasts = Math.floor(ordersInBudget(Infinity, looks) / orders);
      const options = { otherOrders: 6, forecasts };
      return forecastLosses(state, state.bindings, when, failoverOn, options)('east-1').workloads[0]!
        .dependsOn;
    };
    expect(dependsOn(6)?.join() ?? '').not.toContain('not tried');
    expect(dependsOn(3)?.join()).toContain('other orders were not tried');
  });

  test('equals a simulation of one or two failures, whatever was forecast before', () => {
    const off: Configuration = {
      ...failoverOn,
      featureGates: { ...failoverOn.featureGates, Failover: false },
    };
    const workload = fc.record({
      divided: fc.boolean(),
      on: fc.subarray(names, { minLength: 1 }),
      affinity: fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined }),
      mode: fc.constantFrom(undefined, 'Directly' as const, 'Gracefully' as const),
      evictedFrom: fc.constantFrom(undefined, ...names),
    });
    const together = fc.subarray(names, { minLength: 1, maxLength: 2 });
    const asked = fc.array(together, { minLength: 2, maxLength: 5 });
    const property = fc.property(
      fc.array(workload, { minLength: 1, maxLength: 5 }),
      asked,
      fc.boolean(),
      (workloads, order, on) => {
        const state = world(
          clusters,
          workloads.map(({ divided, on, affinity, mode, evictedFrom }, index) =>
            deployment(`w${index}`, {
              placement: {
                ...(affinity ? { clusterAffinity: { clusterNames: affinity } } : {}),
                replicaScheduling: divided
                  ? { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' }
                  : { replicaSchedulingType: 'Duplicated' },
              },
              replicas: divided ? 2 * on.length : 2,
              clusters: on.map((name) => ({ name, replicas: 2 })),
              spec: {
                ...(mode ? { failover: { cluster: { purgeMode: mode } } } : {}),
                ...(evictedFrom && !on.includes(evictedFrom)
                  ? { gracefulEvictionTasks: [{ fromCluster: evictedFrom, producer: 'p', reason: 'r' }] }
                  : {}),
              },
            }),
          ),
        );
        const configuration = on ? failoverOn : off;
        const ifItFails = forecast(state, state.bindings, configuration);
        for (const failing of order) {
          const events = failing.map((name): [number, ScenarioAction] => [
            0,
            { type: 'fail', cluster: name },
          ]);
          const { workloads } = run(state, { events, configuration });
          // with a copy there, also one that it is being evicted with
          const reported = workloads.filter(({ before, leaving = [] }) =>
            [...before, ...leaving].some(({ name }) => failing.includes(name)),
          );
          expect(ifItFails(...failing)).toEqual(lossesOf(reported));
        }
      },
    );
    fc.assert(property, { numRuns: 60 });
  });
});

const fares = (outcome: Outcome, gap?: ReplicaGap) =>
  ({ outcome, ...(gap ? { gap } : {}) }) as unknown as WorkloadOutcome;

test('the cost of a failure counts lost, blocked and moved workloads, and replica-minutes of downtime', () => {
  const forecast = [
    fares('lost', { replicas: 3, seconds: 600, open: true, permanent: true }),
    fares('flaps'),
    fares('blocked'),
    fares('moves', { replicas: 2, seconds: 45, open: false }),
    fares('partly-moves'),
    fares('stays'),
    fares('tolerates'),
  ];
  expect(lossesOf(forecast).costIfItFails).toEqual({
    lost: 2,
    down: 0,
    blocked: 1,
    moves: 2,
    missingForGood: 3,
    missingPermanently: 3,
    missingReplicaMinutes: 2,
  });
  expect(lossesOf([]).costIfItFails).toEqual({
    lost: 0,
    down: 0,
    blocked: 0,
    moves: 0,
    missingForGood: 0,
    missingPermanently: 0,
    missingReplicaMinutes: 0,
  });
});

test('a loss outweighs blocked workloads, which outweigh downtime, which outweighs moves', () => {
  const cost = (lost: number, blocked: number, missingReplicaMinutes: number, moves: number) => ({
    lost,
    down: lost,
    blocked,
    moves,
    missingForGood: 0,
    missingPermanently: 0,
    missingReplicaMinutes,
  });
  const costs = [cost(0, 0, 0, 9), cost(0, 0, 1, 0), cost(0, 1, 0, 0), cost(1, 0, 0, 0), cost(0, 0, 0, 0)];
  expect(costs.toSorted(compareCosts)).toEqual([costs[3], costs[2], costs[1], costs[0], costs[4]]);
  expect(compareCosts(costs[0]!, { ...costs[0]! })).toBe(0);
});
