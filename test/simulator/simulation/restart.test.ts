import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { Scenario, ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { cluster, deployment, failoverOn, run, START, world } from './controlPlane.ts';

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

  test('publishes the first probe of a Push member as it is, without a threshold, and not that of a Pull member', () => {
    const pull = { ...cluster('pull-1'), spec: { ...cluster('pull-1').spec, syncMode: 'Pull' as const } };
    const noticed = (name: string, ...events: [number, ScenarioAction][]) => {
      const fails: [number, ScenarioAction] = [1, { type: 'fail', cluster: name }];
      const { events: told } = run(world([cluster('east-1'), pull], []), { events: [fails, ...events] });
      const changed = told.find(({ type, cluster: where }) => type === 'ConditionChanged' && where === name);
      return (changed!.time - START) / 1000;
    };
    expect(noticed('east-1')).toBeGreaterThan(30);
    expect(noticed('east-1', [2, restart])).toBeLessThan(4);
    expect(noticed('pull-1', [2, restart])).toBeCloseTo(noticed('pull-1'), 0);
  });

  test('plays again in a saved simulation that it was still to come in', () => {
    const taint: ScenarioAction = {
      type: 'taint',
      cluster: 'east-1',
      taint: { key: 'net', effect: 'NoExecute' },
    };
    const members = { workloadReadyAfter: 20_000, neverReady: [] };
    const events = [
      { at: START + 1000, action: taint },
      { at: START + 60_000, action: restart },
    ];
    const start = world([cluster('east-1')], []);
    let saved: World = start;
    const first = { start: START, until: START + 30_000, members, events };
    simulate(start, first, failoverOn, {
      save: (kept) => void (saved = JSON.parse(JSON.stringify(kept)) as World),
    });
    const rest = simulate(saved, { start: START + 30_000, members, events: [] }, failoverOn);
    expect(rest.events.map(({ type, time }) => [type, time - START])).toEqual([['Restarted', 60_000]]);
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
