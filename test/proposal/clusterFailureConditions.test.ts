import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { windowPolicy } from '../karmada/taints/windows/windows.ts';
import { cluster, START } from '../simulator/simulation/controlPlane.ts';
import { fleet, member, taint } from '../analysis/taintPolicy/policies.ts';
import { DETECT_NOT_READY, failoverByDesign, MEMBER1_NOT_REACHABLE } from './documents.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };

type Event = [seconds: number, action: ScenarioAction];

interface Played {
  story: string[];
  simulation: Simulation;
  end: World;
}

function play(world: World, events: Event[], until = 3600, start = START): Played {
  let end = world;
  const simulation = simulate(
    world,
    {
      start,
      until: start + until * 1000,
      members,
      events: events.map(([seconds, action]) => ({ at: start + seconds * 1000, action })),
    },
    failoverByDesign,
    { save: (saved) => void (end = saved) },
  );
  const story = simulation.events
    .filter(({ type }) => type.startsWith('Taint'))
    .map(({ time, type, message }) => `${((time - start) / 1000).toFixed(0)}s ${type} ${message ?? ''}`);
  return { story, simulation, end };
}

const net = (status: string, type = 'Net'): ScenarioAction => ({
  type: 'condition',
  cluster: 'east-1',
  condition: { type, status: status as 'True' },
});
const applied = (policy: ClusterTaintPolicy): ScenarioAction => ({
  type: 'apply',
  objects: [
    {
      ...policy,
      metadata: { name: policy.metadata.name },
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
    } as unknown as KubernetesObject,
  ],
});
const netDown = windowPolicy(['Net In False Unknown'], ['net:PreferNoExecute'], { name: 'net' });
const up = member('east-1', { conditions: ['Net=True'] });
const down = member('east-1', { conditions: ['Net=False'] });

describe('001 cluster failure condition judgment: the example', () => {
  const policy = parse(DETECT_NOT_READY) as ClusterTaintPolicy;
  const stored = {
    ...policy,
    metadata: { ...policy.metadata, creationTimestamp: '2025-01-01T00:00:00Z' },
  };
  const member1 = parse(MEMBER1_NOT_REACHABLE) as Cluster;
  const world = { ...emptyWorld(), clusters: [member1], taintPolicies: [stored] };

  test('the taint is added 300 s after lastTransitionTime, with timeAdded of that second', () => {
    const { end, simulation } = play(world, [], 1200, Date.parse('2025-01-17T02:36:40Z'));
    expect(end.clusters[0]!.spec?.taints).toEqual([
      { effect: 'PreferNoExecute', key: 'cluster.karmada.io/not-ready', timeAdded: '2025-01-17T02:41:26Z' },
    ]);
    const [added] = simulation.events.filter(({ type }) => type === 'TaintAdded');
    expect(added).toMatchObject({
      time: Date.parse('2025-01-17T02:41:26Z'),
      evidence: [
        {
          rule: 'the policy adds cluster.karmada.io/not-ready:PreferNoExecute because its matchConditions have matched for 5m without interruption',
          object: { kind: 'ClusterTaintPolicy', name: 'detect-cluster-not-ready' },
          field: 'spec.taintsToAdd[0].addOnMatchSeconds',
          value: { addOnMatchSeconds: 300, since: '2025-01-17T02:36:26Z' },
        },
      ],
    });
  });

  test('a failed cluster gets the taint 300 s after its condition changes, and loses it 180 s after it is Ready again', () => {
    const east = { ...stored, spec: { ...stored.spec, targetCluster: { clusterNames: ['east-1'] } } };
    const events: Event[] = [
      [0, { type: 'fail', cluster: 'east-1' }],
      [1200, { type: 'recover', cluster: 'east-1' }],
    ];
    const { simulation } = play(fleet([cluster('east-1'), cluster('west-1')], [east]), events);
    const of = (type: string) =>
      simulation.events.filter((event) => event.type === type).map(({ time }) => time);
    const [turned, back] = of('ConditionChanged');
    const [added] = of('TaintAdded');
    const [removed] = of('TaintRemoved');
    const second = (time: number) => Math.floor(time / 1000);
    expect(second(added!) - second(turned!)).toBe(300);
    expect(second(removed!) - second(back!)).toBe(180);
    expect(of('TaintAdded')).toHaveLength(1);
    expect(of('TaintRemoved')).toHaveLength(1);
  });
});

describe('001 cluster failure condition judgment: the rules', () => {
  test('without matchConditions, taintsToAdd are added once the policy has existed for addOnMatchSeconds', () => {
    const always = windowPolicy([], ['net:NoSchedule +60'], { name: 'always' });
    expect(play(fleet([up]), [[10, applied(always)]]).story).toEqual(['70s TaintAdded net:NoSchedule']);
  });

  test('matchConditions are ANDed: the window begins with the last condition to match', () => {
    const both = windowPolicy(['Net In False', 'Power In False'], ['dark:NoExecute +60'], { name: 'both' });
    const { story } = play(fleet([up], [both]), [
      [10, net('False')],
      [30, net('False', 'Power')],
    ]);
    expect(story).toEqual(['90s TaintAdded dark:NoExecute']);
  });

  test('without targetCluster a policy applies to all clusters, otherwise only to the named ones', () => {
    const some = windowPolicy([], ['some:NoSchedule +1'], {
      name: 'some',
      targetCluster: { clusterNames: ['b'] },
    });
    const all = windowPolicy([], ['all:NoSchedule +1'], { name: 'all' });
    const { end } = play(fleet([member('a'), member('b')]), [
      [1, applied(all)],
      [1, applied(some)],
    ]);
    expect(end.clusters.map(({ spec }) => spec?.taints?.map(({ key }) => key))).toEqual([
      ['all'],
      ['all', 'some'],
    ]);
  });

  test('a condition that flaps every second neither adds nor removes the taint', () => {
    const flapping = (from: number) =>
      Array.from({ length: 900 }, (_, i): Event => [from + i, net(i % 2 ? 'True' : 'False')]);
    expect(play(fleet([up], [netDown]), flapping(1)).story).toEqual([]);
    const { story } = play(fleet([down], [netDown]), [[10, net('Unknown')], ...flapping(1000)], 1900);
    expect(story).toEqual(['10s TaintAdded net:PreferNoExecute']);
  });

  test('an interruption restarts the window; a change between matching statuses does not', () => {
    const { story } = play(fleet([up], [netDown]), [
      [10, net('False')],
      [200, net('True')],
      [201, net('False')],
      [400, net('Unknown')],
    ]);
    expect(story).toEqual(['501s TaintAdded net:PreferNoExecute']);
  });

  test('after a restart of the controller, the window continues from lastTransitionTime', () => {
    const restart: ScenarioAction = { type: 'restart', component: 'karmada-controller-manager' };
    expect(
      play(fleet([up], [netDown]), [
        [10, net('False')],
        [200, restart],
      ]).story,
    ).toEqual(['310s TaintAdded net:PreferNoExecute']);
    const turned: Event[] = [
      [10, net('False')],
      [100, net('Unknown')],
    ];
    expect(play(fleet([up], [netDown]), [...turned, [200, restart]]).story).toEqual([
      '400s TaintAdded net:PreferNoExecute',
    ]);
  });

  test('a new policy taints a cluster at once if its conditions have matched long enough', () => {
    const { story } = play(fleet([down]), [[10, applied(netDown)]]);
    expect(story).toEqual(['10s TaintAdded net:PreferNoExecute']);
  });

  test('for a lastTransitionTime in the future, the window starts at its observation', () => {
    const future = rfc3339(START + 9_000_000);
    const ahead = {
      ...down,
      status: {
        conditions: down.status!.conditions!.map((one) =>
          one.type === 'Net' ? { ...one, lastTransitionTime: future } : one,
        ),
      },
    };
    const { simulation } = play(fleet([ahead], [netDown]), []);
    const added = simulation.events
      .filter(({ type }) => type === 'TaintAdded')
      .map(({ time }) => time - START);
    expect(added).toEqual([300_000]);
  });

  test('without gate Failover policies have no effect', () => {
    const off = { ...failoverByDesign, featureGates: { ...failoverByDesign.featureGates, Failover: false } };
    const { events } = simulate(
      fleet([up], [netDown]),
      { start: START, members, events: [{ at: START + 1000, action: net('False') }] },
      off,
    );
    expect(events.filter(({ type }) => type.startsWith('Taint'))).toEqual([]);
  });
});

describe('001 cluster failure condition judgment: manual changes', () => {
  const tainted = {
    ...down,
    spec: { ...down.spec, taints: [taint('net:PreferNoExecute', '2026-08-20T00:00:00Z')] },
  };
  const restored = { ...up, spec: tainted.spec };
  const untaint: ScenarioAction = { type: 'untaint', cluster: 'east-1', key: 'net' };
  const remove = (name: string): ScenarioAction => ({
    type: 'delete',
    target: { kind: 'ClusterTaintPolicy', name },
  });

  test('a manually removed taint is restored at the next reconcile, not before', () => {
    const { story } = play(fleet([tainted], [netDown]), [
      [10, untaint],
      [500, net('True', 'Power')],
    ]);
    expect(story).toEqual(['10s TaintRemoved net:PreferNoExecute', '500s TaintAdded net:PreferNoExecute']);
  });

  test('a manually added taint is removed at the next reconcile after removeOnMismatchSeconds', () => {
    const adds: ScenarioAction = {
      type: 'taint',
      cluster: 'east-1',
      taint: { key: 'net', effect: 'PreferNoExecute' },
    };
    const { story } = play(fleet([up], [netDown]), [
      [10, adds],
      [500, net('True', 'Power')],
    ]);
    expect(story).toEqual(['10s TaintAdded net:PreferNoExecute', '500s TaintRemoved net:PreferNoExecute']);
  });

  test('a deleted policy leaves its taint, even during a window', () => {
    const { story } = play(fleet([tainted], [netDown]), [
      [10, net('True')],
      [60, remove('net')],
    ]);
    expect(story).toEqual([]);
  });

  test('an edit leaves the taints that the policy no longer lists', () => {
    const other = windowPolicy(['Net In False Unknown'], ['other:NoSchedule'], { name: 'net' });
    expect(play(fleet([restored], [netDown]), [[10, applied(other)]]).story).toEqual([]);
  });

  test('an edited window length applies to the current window', () => {
    const sooner = windowPolicy(['Net In False Unknown'], ['net:PreferNoExecute +100'], { name: 'net' });
    const { story } = play(fleet([up], [netDown]), [
      [10, net('False')],
      [50, applied(sooner)],
    ]);
    expect(story).toEqual(['110s TaintAdded net:PreferNoExecute']);
  });

  test('an edit that excludes the cluster removes the taint at once, if its conditions mismatched long enough', () => {
    const never = windowPolicy(['Net In True'], ['net:PreferNoExecute'], { name: 'net' });
    const { story } = play(fleet([up], [netDown]), [
      [10, net('False')],
      [400, applied(never)],
    ]);
    expect(story).toEqual(['310s TaintAdded net:PreferNoExecute', '400s TaintRemoved net:PreferNoExecute']);
  });
});

describe('001 system failure impact: a saved control plane', () => {
  const second = fc.integer({ min: 1, max: 900 });
  const event = fc.tuple(
    second,
    fc.constantFrom('True', 'False', 'Unknown'),
    fc.constantFrom('Net', 'Power'),
  );
  const policies = fc.constantFrom<ClusterTaintPolicy[][]>(
    [netDown],
    [windowPolicy(['Net In False', 'Power NotIn True'], ['a:NoExecute +90 -45', 'b:NoSchedule +20 -200'])],
    [netDown, windowPolicy(['Power In False'], ['net=power:PreferNoExecute +30 -30'], { name: 'power' })],
  );

  test('a resumed simulation continues with the same windows as an uninterrupted one', () => {
    fc.assert(
      fc.property(policies, fc.array(event, { maxLength: 8 }), second, (taintPolicies, turns, saved) => {
        const events = turns
          .map(([at, status, type]): Event => [at, net(status, type)])
          .sort(([a], [b]) => a - b);
        const world = fleet([up], taintPolicies);
        const whole = play(world, events, 1500);
        const first = play(world, events, saved);
        const rest = play(
          JSON.parse(JSON.stringify(first.end)) as World,
          [],
          1500 - saved,
          START + saved * 1000,
        );
        const reported = [...first.simulation.events, ...rest.simulation.events].filter(({ type }) =>
          type.startsWith('Taint'),
        );
        expect(reported.map(({ time, type, message }) => [time, type, message])).toEqual(
          whole.simulation.events
            .filter(({ type }) => type.startsWith('Taint'))
            .map(({ time, type, message }) => [time, type, message]),
        );
        expect(rest.end.clusters[0]!.spec?.taints).toEqual(whole.end.clusters[0]!.spec?.taints);
      }),
      { numRuns: 60 },
    );
  });
});
