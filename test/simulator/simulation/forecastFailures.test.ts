import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forecastFailures } from '../../../src/simulator/simulation/forecastFailures.ts';
import { affordableOrders } from '../../../src/simulator/simulation/otherOrders.ts';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { cluster, deployment, failoverOn, run, START, world } from './controlPlane.ts';

const names = ['east-1', 'east-2', 'west-1', 'west-2'];
const clusters = names.map((name) => cluster(name));
const members = { workloadReadyAfter: 20_000, neverReady: [] };
const forecast = (state: World, bindings = state.bindings, configuration = failoverOn) =>
  forecastFailures(state, bindings, { start: START, members }, configuration);

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

  test('tells of the workloads on the cluster that fails', () => {
    const ifItFails = forecast(state);
    expect(ifItFails('east-1').map(text)).toEqual(['cart moves', 'ledger lost']);
    expect(ifItFails('west-1').map(text)).toEqual(['cart moves']);
    expect(ifItFails('west-2')).toEqual([]);
  });

  test('tells only of the bindings that were asked about', () => {
    expect(forecast(state, state.bindings.slice(1))('east-1').map(text)).toEqual(['ledger lost']);
    expect(forecast(state, [])('east-1')).toEqual([]);
  });

  test('tries no other orders if the clusters asked about are too many for that, and says so', () => {
    const many = { otherOrders: 6, clusters: 1_000_000 };
    const when = { start: START, members };
    const [cart] = forecastFailures(state, state.bindings, when, failoverOn, many)('east-1');
    expect(cart!.dependsOn).toEqual(
      expect.arrayContaining([expect.stringContaining('other orders were not tried')]),
    );
  });

  test('tries as many orders as a simulation of one failure does, or none: with fewer it might call certain what that one doubts', () => {
    const when = { start: START, members };
    const events = [{ at: START, action: { type: 'fail', cluster: 'east-1' } as const }];
    const stage = setStage(createStartingWorld(state, failoverOn, when), { ...when, events }, {});
    stage.play();
    const looks = stage.time.looks();
    const dependsOn = (orders: number) => {
      // how many share the cost if each of them is left so many orders
      const clusters = Math.floor(affordableOrders(Infinity, looks) / orders);
      const options = { otherOrders: 6, clusters };
      return forecastFailures(state, state.bindings, when, failoverOn, options)('east-1')[0]!.dependsOn;
    };
    expect(dependsOn(6)?.join() ?? '').not.toContain('not tried');
    expect(dependsOn(3)?.join()).toContain('other orders were not tried');
  });

  test('is what a simulation of it says, whichever clusters were asked about before', () => {
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
    const asked = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 5 });
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
        for (const name of order) {
          const { workloads } = run(state, { events: [[0, { type: 'fail', cluster: name }]], configuration });
          const told = workloads.filter(({ before }) => before.some((target) => target.name === name));
          expect(ifItFails(name)).toEqual(told);
        }
      },
    );
    fc.assert(property, { numRuns: 60 });
  });
});
