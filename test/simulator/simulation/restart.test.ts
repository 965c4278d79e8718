import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { Scenario, ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { cluster, deployment, failoverOn, outcomeOf, run, START, story, world } from './controlPlane.ts';

const restart: ScenarioAction = { type: 'restart', component: 'karmada-controller-manager' };

describe('a restart of the controller manager', () => {
  test('changes nothing in a settled world', () => {
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
      const reported = simulate(rested, again, configuration).events.map(({ type }) => type);
      // The detector repeats that it waits for a policy.
      expect({ seed, reported: reported.filter((type) => type !== 'PolicyWaits') }).toEqual({
        seed,
        reported: ['Restarted'],
      });
    }
    expect(resting).toBeGreaterThan(10);
  });

  test('applies no threshold to the first probe of a Push member, and a full grace period to a Pull member', () => {
    const pull = { ...cluster('pull-1'), spec: { ...cluster('pull-1').spec, syncMode: 'Pull' as const } };
    const noticed = (name: string, ...events: [number, ScenarioAction][]) => {
      const fails: [number, ScenarioAction] = [1, { type: 'fail', cluster: name }];
      const { events: reported } = run(world([cluster('east-1'), pull], []), { events: [fails, ...events] });
      const changed = reported.find(
        ({ type, cluster: where }) => type === 'ConditionChanged' && where === name,
      );
      return (changed!.time - START) / 1000;
    };
    expect(noticed('east-1')).toBeGreaterThan(30);
    expect(noticed('east-1', [2, restart])).toBeLessThan(4);
    expect(noticed('pull-1')).toBeCloseTo(38.5, 1);
    expect(noticed('pull-1', [2, restart])).toBeCloseTo(42, 1);
    expect(noticed('pull-1', [20, restart])).toBeCloseTo(60, 1);
  });

  test('still happens if the simulation is saved before it', () => {
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

  test('restarts the toleration of application failover', () => {
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
      const reported = run(world([cluster('east-1'), cluster('west-1')], [cart]), { events });
      return (reported.events.find(({ type }) => type === 'Evicted')!.time - START) / 1000;
    };
    expect(evictedAfter([1, sick])).toBeCloseTo(101, -1);
    expect(evictedAfter([1, sick], [61, restart])).toBeCloseTo(161, -1);
  });

  test('empties the eviction queue, and tainted clusters fill it again', () => {
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
    const reported = run(world([cluster('east-1'), cluster('west-1')], all), {
      events: [
        [1, down],
        [2, restart],
      ],
    });
    expect(reported.events.filter(({ type }) => type === 'Evicted')).toHaveLength(4);
  });
});

describe('a stopped component', () => {
  const onOne = (name: string, spec?: object) =>
    deployment(name, {
      placement: {
        clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
      },
      clusters: [{ name: 'east-1', replicas: 1 }],
      replicas: 1,
      ...(spec && { spec }),
    });
  const two = () => world([cluster('east-1'), cluster('west-1')], [onOne('cart')]);
  const turn = (type: 'stop' | 'start', component: 'karmada-controller-manager' | 'karmada-scheduler') =>
    ({ type, component }) satisfies ScenarioAction;
  const down: ScenarioAction = {
    type: 'taint',
    cluster: 'east-1',
    taint: { key: 'net', effect: 'NoExecute' },
  };
  const seconds = (reported: string[], what: string) =>
    Number.parseInt(reported.find((one) => one.includes(what)) ?? 'NaN', 10);

  test('if it is the scheduler, leaves evicted workloads unplaced until it starts', () => {
    const events: [number, ScenarioAction][] = [
      [1, turn('stop', 'karmada-scheduler')],
      [2, down],
    ];
    const without = run(two(), { events });
    expect(story(without, 'cart')).not.toContainEqual(expect.stringContaining('Scheduled'));
    // Its task times out, replacement or not.
    expect(outcomeOf(without, 'cart')).toMatchObject({ outcome: 'lost', after: [] });
    const reported = run(two(), { events: [...events, [90, turn('start', 'karmada-scheduler')]] });
    expect(seconds(story(reported, 'cart'), 'Scheduled')).toBe(90);
    expect(outcomeOf(reported, 'cart')).toMatchObject({ outcome: 'moves', after: [{ name: 'west-1' }] });
    expect(reported.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['Stopped', 'Started']));
  });

  test('if it is the controller manager, detects no failure and evicts nothing until it starts', () => {
    const events: [number, ScenarioAction][] = [
      [1, turn('stop', 'karmada-controller-manager')],
      [2, { type: 'fail', cluster: 'east-1' }],
    ];
    const without = run(two(), { events });
    expect(without.events.map(({ type }) => type)).toEqual(['Stopped', 'ClusterFailed']);
    expect(outcomeOf(without, 'cart')).toMatchObject({ outcome: 'stays', down: true });
    const reported = run(two(), { events: [...events, [300, turn('start', 'karmada-controller-manager')]] });
    const noticed = reported.events.find(({ type }) => type === 'ConditionChanged')!;
    expect((noticed.time - START) / 1000).toBeCloseTo(300, -1);
    expect(outcomeOf(reported, 'cart')).toMatchObject({ outcome: 'moves' });
  });

  test('ignores a taint that was added and removed before it starts', () => {
    const untaint: ScenarioAction = { type: 'untaint', cluster: 'east-1', key: 'net' };
    const reported = run(two(), {
      events: [
        [1, turn('stop', 'karmada-controller-manager')],
        [2, down],
        [50, untaint],
        [60, turn('start', 'karmada-controller-manager')],
      ],
    });
    expect(outcomeOf(reported, 'cart')).toMatchObject({ outcome: 'stays' });
    expect(story(reported, 'cart')).toEqual([]);
  });

  test('makes the retries of the new process an estimate', () => {
    const events = (...more: [number, ScenarioAction][]): [number, ScenarioAction][] => [
      [1, { type: 'fail', cluster: 'east-1' }],
      ...more,
      [900, { type: 'recover', cluster: 'east-1' }],
    ];
    const reported = (...more: [number, ScenarioAction][]) =>
      outcomeOf(run(two(), { events: events(...more) }), 'cart').dependsOn ?? [];
    const phase = expect.stringContaining('karmada-controller-manager retries after its restart');
    expect(reported([400, restart])).toContainEqual(phase);
    expect(reported()).not.toContainEqual(phase);
  });

  test('stays stopped in a saved simulation', () => {
    let saved: World = two();
    const members = { workloadReadyAfter: 20_000, neverReady: [] };
    const stops = [{ at: START + 1000, action: turn('stop', 'karmada-scheduler') }];
    simulate(saved, { start: START, until: START + 30_000, members, events: stops }, failoverOn, {
      save: (kept) => void (saved = JSON.parse(JSON.stringify(kept)) as World),
    });
    const events = [{ at: START + 60_000, action: down }];
    const rest = simulate(saved, { start: START + 30_000, members, events }, failoverOn);
    expect(outcomeOf(rest, 'cart')).toMatchObject({ after: [] });
  });

  test('cannot be started without a stop before', () => {
    expect(() => run(two(), { events: [[1, turn('start', 'karmada-scheduler')]] })).toThrow(
      'karmada-scheduler is not stopped: "start" needs a "stop" before it',
    );
  });
});
