import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/engine/simulation/simulate.ts';
import type { Scenario, ScenarioAction } from '../../../src/engine/scenario.ts';
import type { World } from '../../../src/engine/world.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { cluster, deployment, run, START, world } from './controlPlane.ts';

const restart: ScenarioAction = { type: 'restart', component: 'karmada-controller-manager' };

describe('a restart of the controller manager', () => {
  test('changes nothing in a world at rest', () => {
    let resting = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { world: start, scenario, configuration } = worldOfSeed(seed, { incident: false });
      const calm: Scenario = { start: scenario.start, members: scenario.members, events: [] };
      let rested: World = start;
      const first = simulate(start, calm, configuration, { save: (saved) => void (rested = saved) });
      if (!first.atRest) continue;
      resting++;
      const later = first.end + 60_000;
      const again: Scenario = { ...calm, start: later, events: [{ at: later, action: restart }] };
      const told = simulate(rested, again, configuration).events.map(({ type }) => type);
      // The detector says again of what it waits for a policy.
      expect({ seed, told: told.filter((type) => type !== 'PolicyWaits') }).toEqual({
        seed,
        told: ['Restarted'],
      });
    }
    expect(resting).toBeGreaterThan(10);
  });

  test('lets the toleration of application failover begin anew', () => {
    const placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }],
    };
    const cart = deployment('cart', {
      placement,
      clusters: [{ name: 'east-1', replicas: 1 }],
      replicas: 1,
      spec: {
        propagateDeps: true,
        failover: {
          application: { decisionConditions: { tolerationSeconds: 100 }, purgeMode: 'Gracefully' },
        },
      },
    });
    const sick: ScenarioAction = {
      type: 'health',
      workload: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
      cluster: 'east-1',
      health: 'Unhealthy',
    };
    const evictedAfter = (...events: [number, ScenarioAction][]) => {
      const told = run(world([cluster('east-1'), cluster('west-1')], [cart]), { events });
      return (told.events.find(({ type }) => type === 'Evicted')!.time - START) / 1000;
    };
    expect(evictedAfter([1, sick])).toBeCloseTo(101, -1);
    expect(evictedAfter([1, sick], [61, restart])).toBeCloseTo(161, -1);
  });

  test('empties the eviction queue, which is filled anew by what the clusters carry', () => {
    const all = Array.from({ length: 4 }, (_, at) =>
      deployment(`w${at}`, {
        placement: { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } },
        clusters: [{ name: 'east-1' }],
      }),
    );
    const down: ScenarioAction = {
      type: 'taint',
      cluster: 'east-1',
      taint: { key: 'net', effect: 'NoExecute' },
    };
    const told = run(world([cluster('east-1'), cluster('west-1')], all), {
      events: [
        [1, down],
        [2, restart],
      ],
    });
    expect(told.events.filter(({ type }) => type === 'Evicted')).toHaveLength(4);
  });
});
