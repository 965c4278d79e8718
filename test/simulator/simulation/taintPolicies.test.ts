import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { Simulation } from '../../../src/simulator/simulation/simulation.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { allowed, fleet, member, taint, taintPolicy, when } from '../../analysis/taintPolicy/policies.ts';
import { deployment, outcomeOf, run, START, world as worldOf } from './controlPlane.ts';

const apply = (...policies: ClusterTaintPolicy[]): ScenarioAction => ({
  type: 'apply',
  objects: policies.map((policy) => ({
    ...policy,
    metadata: { name: policy.metadata.name },
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  })),
});
const turn = (type: string, status: string, message?: string): ScenarioAction => ({
  type: 'condition',
  cluster: 'east-1',
  condition: { type, status: status as 'True', ...(message !== undefined && { message }) },
});
const remove = (name: string): ScenarioAction => ({
  type: 'delete',
  target: { kind: 'ClusterTaintPolicy', name },
});

function play(state: World, ...events: [seconds: number, action: ScenarioAction][]): Simulation {
  return run(state, { events, configuration: allowed });
}

/** "1s TaintAdded net:NoExecute", in order. */
function story({ events }: Simulation): string[] {
  return events
    .filter(({ type }) => type.startsWith('Taint'))
    .map(({ time, type, message }) => `${((time - START) / 1000).toFixed(0)}s ${type} ${message ?? ''}`);
}

function taintsAfter({ clusters }: Simulation, name = 'east-1'): string[] {
  return clusters.find((one) => one.name === name)!.after.taints;
}

const netDown = { addOnConditions: [when('Net In False')], taints: [taint('net:NoSchedule')] };
const netUp = { removeOnConditions: [when('Net In True')], taints: [taint('net:NoSchedule')] };
const down = member('east-1', { conditions: ['Net=False'] });

describe('a ClusterTaintPolicy that a scenario creates', () => {
  test('is the newest policy, and wins conflicts', () => {
    const keeps = { ...netDown, addOnConditions: [when('Net In True False')] };
    const removes = { removeOnConditions: [when('Net In False')], taints: [taint('net:NoSchedule')] };
    expect(
      taintsAfter(
        play(fleet([down], [taintPolicy('removes', removes)]), [1, apply(taintPolicy('adds', keeps))]),
      ),
    ).toEqual(['net:NoSchedule']);
    expect(
      taintsAfter(
        play(fleet([down], [taintPolicy('adds', keeps)]), [1, apply(taintPolicy('removes', removes))]),
      ),
    ).toEqual([]);
  });

  test('is the newest policy, whatever creationTimestamp its manifest has', () => {
    const removes = { removeOnConditions: [when('Net In False')], taints: [taint('net:NoSchedule')] };
    for (const creationTimestamp of [null, '2020-01-01T00:00:00Z']) {
      const created = apply(taintPolicy('adds', netDown));
      const { objects } = created as Extract<ScenarioAction, { type: 'apply' }>;
      const printed = objects.map((one) => ({ ...one, metadata: { ...one.metadata, creationTimestamp } }));
      const reported = play(fleet([down], [taintPolicy('removes', removes)]), [
        1,
        { type: 'apply', objects: printed },
      ]);
      expect(taintsAfter(reported)).toEqual(['net:NoSchedule']);
    }
  });

  test('removes the taint of a user at once', () => {
    const usual = { ...netUp, removeOnConditions: [when('Ready In True')] };
    const state = fleet([member('east-1', { taints: [taint('net:NoSchedule')] })]);
    expect(story(play(state, [1, apply(taintPolicy('usual', usual))]))).toEqual([
      '1s TaintRemoved net:NoSchedule',
    ]);
  });
});

describe('a taint that the Cluster API refuses', () => {
  const soft = { addOnConditions: [when('Ready In True')], taints: [taint('soft:PreferNoSchedule')] };

  test('stops all policies on that cluster until no policy adds it', () => {
    const state = fleet([down], [taintPolicy('soft', soft)]);
    const reported = play(state, [1, apply(taintPolicy('net', netDown))], [60, remove('soft')]);
    const [failed, added, ...more] = story(reported);
    expect(failed).toMatch(
      /^1s TaintClusterFailed Cluster.cluster.karmada.io "east-1" is invalid: spec.taints\[0\].effect: Unsupported value: "PreferNoSchedule"/,
    );
    // The queue retries with a back-off that has grown meanwhile.
    expect(added).toMatch(/^\d+s TaintAdded net:NoSchedule/);
    expect(more).toEqual([]);
    expect(reported.atRest).toBe(true);
  });

  test('may have an invalid key', () => {
    const odd = { addOnConditions: [when('Ready In True')], taints: [taint('a b:NoSchedule')] };
    expect(story(play(fleet([down]), [1, apply(taintPolicy('odd', odd))]))).toEqual([
      expect.stringMatching(/^1s TaintClusterFailed .*spec.taints\[0\].key: Invalid value: "a b"/),
    ]);
    expect(taintsAfter(play(fleet([down]), [1, apply(taintPolicy('odd', odd))]))).toEqual([]);
  });
});

test('a user who adds an invalid taint gets the error of the Cluster API', () => {
  const odd: ScenarioAction = {
    type: 'taint',
    cluster: 'east-1',
    taint: { key: 'a b', effect: 'NoSchedule' },
  };
  expect(() => play(fleet([down]), [1, odd])).toThrow(
    'Karmada would refuse it: Cluster.cluster.karmada.io "east-1" is invalid: spec.taints[0].key: Invalid value: "a b"',
  );
});

describe('taints that a policy added', () => {
  const there = member('east-1', {
    conditions: ['Net=False', 'Power=True'],
    taints: [taint('net:NoSchedule', '2026-08-10T00:00:00Z')],
  });
  const state = fleet([there], [taintPolicy('net', netDown)]);

  test('remain after the deletion of the policy', () => {
    expect(story(play(state, [1, remove('net')], [10, turn('Net', 'True')]))).toEqual([]);
  });

  test('remain after an edit to another taint, which is added at once', () => {
    const edited = taintPolicy('net', { ...netDown, taints: [taint('other:NoSchedule')] });
    expect(story(play(state, [1, apply(edited)]))).toEqual(['1s TaintAdded other:NoSchedule']);
  });

  test('keep their value after an edit', () => {
    const edited = taintPolicy('net', { ...netDown, taints: [taint('net=down:NoSchedule')] });
    expect(taintsAfter(play(state, [1, apply(edited)]))).toEqual(['net:NoSchedule']);
  });
});

describe('a reconcile is triggered', () => {
  const untaint: ScenarioAction = { type: 'untaint', cluster: 'east-1', key: 'net' };
  const there = member('east-1', {
    conditions: ['Net=False', 'Power=True'],
    taints: [taint('net:NoSchedule', '2026-08-10T00:00:00Z')],
  });
  const state = fleet([there], [taintPolicy('net', netDown)]);
  const labels: ScenarioAction = {
    type: 'patch',
    target: { kind: 'Cluster', name: 'east-1' },
    merge: { metadata: { labels: { a: 'b' } } },
  };

  test('but neither by a manually removed taint nor by a label', () => {
    expect(story(play(state, [1, untaint], [2, labels]))).toEqual(['1s TaintRemoved net:NoSchedule']);
  });

  test.each<[string, ScenarioAction]>([
    ['by any condition change, even in the message of another type', turn('Power', 'True', 'hello')],
    ['by an emptied message', turn('Power', 'True', '')],
    ['by a restart of the controller manager', { type: 'restart', component: 'karmada-controller-manager' }],
  ])('%s', (_what, action) => {
    expect(story(play(state, [1, untaint], [5, action]))).toEqual([
      '1s TaintRemoved net:NoSchedule',
      '5s TaintAdded net:NoSchedule',
    ]);
  });
});

describe('an unusual condition', () => {
  test('matches nothing if it is absent, and NotIn without values if it is present', () => {
    const absent = { addOnConditions: [when('Power NotIn True')], taints: [taint('power:NoSchedule')] };
    const there = { addOnConditions: [when('Net NotIn')], taints: [taint('net:NoSchedule')] };
    expect(
      taintsAfter(play(fleet([down]), [1, apply(taintPolicy('a', absent), taintPolicy('b', there))])),
    ).toEqual(['net:NoSchedule']);
  });

  test('with a repeated type matches In with any entry, and NotIn with the last', () => {
    const twice: ScenarioAction = {
      type: 'patch',
      target: { kind: 'Cluster', name: 'east-1' },
      merge: {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'Net', status: 'False' },
            { type: 'Net', status: 'True' },
          ],
        },
      },
    };
    const any = { addOnConditions: [when('Net In False')], taints: [taint('any:NoSchedule')] };
    const last = { addOnConditions: [when('Net NotIn True')], taints: [taint('last:NoSchedule')] };
    const state = fleet([member('east-1')], [taintPolicy('any', any), taintPolicy('last', last)]);
    expect(story(play(state, [1, twice]))).toEqual(['1s TaintAdded any:NoSchedule']);
  });

  test('with an unknown status matches only that status', () => {
    const odd = { addOnConditions: [when('Net In Maybe')], taints: [taint('net:NoSchedule')] };
    expect(story(play(fleet([down], [taintPolicy('odd', odd)]), [1, turn('Net', 'Maybe')]))).toEqual([
      '1s TaintAdded net:NoSchedule',
    ]);
  });
});

describe('conflicting policies', () => {
  const remover = taintPolicy(
    'remover',
    { removeOnConditions: [when('Net In False')], taints: [taint('net:NoExecute')] },
    '2026-08-01T00:00:00Z',
  );
  const adder = (created: string) =>
    taintPolicy('adder', { ...netDown, taints: [taint('net:NoExecute')] }, created);
  const there = member('east-1', {
    conditions: ['Net=False', 'Power=True'],
    taints: [taint('net:NoExecute', '2026-08-10T00:00:00Z')],
  });

  test('renew timeAdded at every condition change if the remover is older than the adder', () => {
    const state = fleet([there], [remover, adder('2026-08-02T00:00:00Z')]);
    const reported = play(state, [1, turn('Power', 'True', 'a')], [31, turn('Power', 'True', 'b')]);
    expect(story(reported)).toEqual(['1s TaintRenewed net:NoExecute', '31s TaintRenewed net:NoExecute']);
    const [renewed] = reported.events.filter(({ type }) => type === 'TaintRenewed');
    expect(renewed!.taint).toEqual({ key: 'net', effect: 'NoExecute' });
    expect(renewed!.evidence.map(({ object }) => object?.name)).toEqual(['remover', 'adder']);
  });

  test('of the same second have an unknown order, and dependent outcomes are estimates', () => {
    const placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: 1, minGroups: 1 }],
    };
    const cart = deployment('cart', { placement, clusters: [{ name: 'east-1' }] });
    const state = {
      ...worldOf([down, member('west-1')], [cart]),
      taintPolicies: [remover, adder('2026-08-01T00:00:00Z')],
    };
    const scenario = {
      start: START,
      members: { workloadReadyAfter: 20_000, neverReady: [] },
      events: [{ at: START + 1000, action: turn('Power', 'True', 'a') }],
    };
    const reported = simulate(state, scenario, allowed, { otherOrders: 6 });
    expect(outcomeOf(reported, 'cart')).toMatchObject({
      certainty: 'estimate',
      dependsOn: expect.arrayContaining([
        expect.stringMatching(/created in the same second/),
      ]) as unknown as string[],
      possibleEnds: expect.arrayContaining([
        [{ name: 'east-1', replicas: 0 }],
        [{ name: 'west-1', replicas: 0 }],
      ]) as unknown as [],
    });
    const apart = { ...state, taintPolicies: [remover, adder('2026-08-01T00:00:01Z')] };
    const sure = outcomeOf(simulate(apart, scenario, allowed, { otherOrders: 6 }), 'cart');
    expect(sure).toMatchObject({ outcome: 'moves', after: [{ name: 'west-1' }] });
    expect(sure.dependsOn?.join() ?? '').not.toMatch(/second/);
    expect(sure.possibleEnds).toBeUndefined();
  });
});

test('a policy loses its not-ready:NoSchedule taint on a Ready cluster, but keeps unreachable:NoExecute', () => {
  const own = {
    addOnConditions: [when('Net In False')],
    taints: [
      taint('cluster.karmada.io/not-ready:NoSchedule'),
      taint('cluster.karmada.io/unreachable:NoExecute'),
    ],
  };
  expect(story(play(fleet([down]), [1, apply(taintPolicy('own', own))]))).toEqual([
    '1s TaintAdded cluster.karmada.io/not-ready:NoSchedule',
    '1s TaintAdded cluster.karmada.io/unreachable:NoExecute',
    '1s TaintRemoved cluster.karmada.io/not-ready:NoSchedule',
  ]);
});
