import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';
import {
  cluster,
  deployment,
  failoverOn,
  outcomeOf,
  run,
  START,
  story,
  world,
  type When,
} from './controlPlane.ts';

const east1 = cluster('east-1');
const east2 = cluster('east-2');
const west1 = cluster('west-1');
const everywhere: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
const anyOne: Placement = {
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const only = (...clusterNames: string[]): Placement => ({ ...anyOne, clusterAffinity: { clusterNames } });
const failEast1: When['events'] = [[0, { type: 'fail', cluster: 'east-1' }]];

describe('a Push cluster that stops answering', () => {
  const state = world(
    [east1, east2],
    [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
  );
  const simulation = run(state, { events: failEast1 });

  test('is detected after the failure threshold and tainted, and its workloads move to free capacity', () => {
    expect(story(simulation, 'cart')).toEqual([
      '35s Evicted east-1',
      '35s Scheduled',
      '35s WorkCreated east-2',
      '35s HealthChanged east-2',
      '35s TaskStamped',
      '58s HealthChanged east-2',
      '58s TaskEnded east-1',
      '58s WorkDeleted east-1',
    ]);
    expect(simulation.events.find(({ type }) => type === 'WorkCreated')!.message).toBe('3 replicas');
    expect(outcomeOf(simulation, 'cart')).toMatchObject({
      outcome: 'moves',
      before: [{ name: 'east-1', replicas: 3 }],
      after: [{ name: 'east-2', replicas: 3 }],
      evicting: [],
      certainty: 'estimate',
    });
  });

  test('leaves the workload without ready replicas until the replacement is ready', () => {
    const { gap } = outcomeOf(simulation, 'cart');
    expect(gap).toMatchObject({ replicas: 3, open: false });
    expect(gap!.seconds).toBeGreaterThan(55);
    expect(gap!.seconds).toBeLessThan(60);
  });

  test('has no replicas down for a workload that is scaled down', () => {
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
    const fewer = { type: 'patch', target, merge: { spec: { replicas: 1 } } } as const;
    expect(outcomeOf(run(state, { events: [[1, fewer]] }), 'cart').gap).toBeUndefined();
    const { gap } = outcomeOf(run(state, { events: [...failEast1, [10, fewer]], until: 20 }), 'cart');
    expect(gap).toMatchObject({ replicas: 3, open: true, atEnd: 1 });
  });

  describe('with a scale-up in between has', () => {
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
    const placement: Placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
    };
    const clusters = [
      { name: 'east-1', replicas: 2 },
      { name: 'west-1', replicas: 2 },
    ];
    const halves = world(
      [cluster('east-1'), cluster('west-1')],
      [deployment('cart', { placement, clusters, replicas: 4 })],
    );
    const more: ScenarioAction = { type: 'patch', target, merge: { spec: { replicas: 8 } } };
    const fails: ScenarioAction = { type: 'fail', cluster: 'east-1' };
    const noEviction = { configuration: v1_18.defaults };

    test('new replicas down if they never become ready', () => {
      const scaledUp = run(halves, {
        ...noEviction,
        events: [
          [0, fails],
          [60, more],
        ],
      });
      expect(outcomeOf(scaledUp, 'cart').gap).toMatchObject({
        replicas: 4,
        open: true,
        atEnd: 4,
        permanent: true,
      });
    });

    test('no replicas down while they start, but replicas down that were ready before', () => {
      expect(outcomeOf(run(halves, { ...noEviction, events: [[0, more]] }), 'cart').gap).toBeUndefined();
      const lost = run(halves, {
        ...noEviction,
        events: [
          [0, more],
          [60, fails],
        ],
      });
      expect(outcomeOf(lost, 'cart').gap).toMatchObject({ replicas: 4, atEnd: 4 });
    });

    test('new replicas down if no scheduler places them', () => {
      const stop: ScenarioAction = { type: 'stop', component: 'karmada-scheduler' };
      const unplaced = run(halves, {
        ...noEviction,
        events: [
          [0, stop],
          [60, more],
        ],
      });
      expect(outcomeOf(unplaced, 'cart').gap).toMatchObject({ replicas: 4, atEnd: 4, permanent: true });
    });
  });

  test('has no copies down for a placement that no longer selects them', () => {
    const three = ['east-1', 'east-2', 'west-1'].map((name) => ({ name, replicas: 2 }));
    const onAll = deployment('cart', { placement: {}, replicas: 2, clusters: three });
    const merge = { spec: { placement: { clusterAffinity: { clusterNames: ['east-1'] } } } };
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
    const narrowed = run(
      world(
        three.map(({ name }) => cluster(name)),
        [onAll],
      ),
      {
        events: [[1, { type: 'patch', target, merge }]],
      },
    );
    expect(outcomeOf(narrowed, 'cart')).toMatchObject({
      outcome: 'stays',
      reason: 'its placement no longer selects east-2, west-1',
      after: [{ name: 'east-1', replicas: 2 }],
    });
    expect(outcomeOf(narrowed, 'cart').gap).toBeUndefined();
    expect(outcomeOf(narrowed, 'cart').deletedReady).toBeUndefined();
  });

  test('has no copies down on clusters whose new labels its placement does not select', () => {
    const gold = { labelSelector: { matchLabels: { tier: 'gold' } } };
    const three = ['east-1', 'east-2', 'west-1'].map((name) => ({ name, replicas: 2 }));
    const onGold = deployment('cart', {
      placement: { clusterAffinity: gold },
      replicas: 2,
      clusters: three,
    });
    const labelled = three.map(({ name }) => {
      const { metadata, ...one } = cluster(name);
      return { ...one, metadata: { ...metadata, labels: { tier: 'gold' } } };
    });
    const relabel = (name: string): ScenarioAction => ({
      type: 'patch',
      target: { kind: 'Cluster', name },
      merge: { metadata: { labels: { tier: 'silver' } } },
    });
    const relabelled = outcomeOf(
      run(world(labelled, [onGold]), {
        events: [
          [1, relabel('east-2')],
          [1, relabel('west-1')],
        ],
      }),
      'cart',
    );
    expect(relabelled).toMatchObject({
      outcome: 'stays',
      reason: 'its placement no longer selects east-2, west-1',
      after: [{ name: 'east-1', replicas: 2 }],
    });
    expect([relabelled.gap, relabelled.deletedReady]).toEqual([undefined, undefined]);
  });

  test('is listed with its workloads and replicas before and after', () => {
    expect(simulation.clusters).toMatchObject([
      {
        name: 'east-1',
        before: { workloads: 1, replicas: 3, ready: 'True' },
        after: { workloads: 0, replicas: 0, ready: 'False' },
      },
      {
        name: 'east-2',
        before: { workloads: 0, replicas: 0 },
        after: { workloads: 1, replicas: 3, ready: 'True', taints: [] },
      },
    ]);
  });
});

test.each([
  ['Gracefully', 'the old copy on east-1 is deleted'],
  ['Directly', 'the eviction from east-1 ends'],
] as const)('with purge mode %s, the end of a task is reported as: %s', (mode, message) => {
  const controllerManager = {
    ...failoverOn.controllerManager,
    'no-execute-taint-eviction-purge-mode': mode,
  };
  const { events } = run(
    world(
      [east1, east2],
      [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
    ),
    { events: failEast1, configuration: { ...failoverOn, controllerManager } },
  );
  expect(events.find(({ type }) => type === 'TaskEnded')).toMatchObject({ message });
});

test.each([
  ['Gracefully', 'blocked', ['east-1']],
  ['Directly', 'lost', []],
] as const)('with purge mode %s and without a replacement, a workload is %s', (mode, outcome, evicting) => {
  const controllerManager = {
    ...failoverOn.controllerManager,
    'no-execute-taint-eviction-purge-mode': mode,
  };
  const binding = deployment('cart', {
    placement: only('east-1'),
    replicas: 3,
    clusters: [{ name: 'east-1', replicas: 3 }],
  });
  const configuration = { ...failoverOn, controllerManager };
  const simulation = run(world([east1, east2], [binding]), { events: failEast1, configuration, until: 100 });
  expect(simulation.events.findLast((event) => event.evicting)?.evicting).toEqual(['east-1']);
  expect(outcomeOf(simulation, 'cart')).toMatchObject({ outcome, evicting });
});

test('v1.10 without the gate GracefulEviction evicts without a task, and reports that', () => {
  const { defaults } = dialectOf('v1.10.0').dialect;
  const featureGates = { ...defaults.featureGates, Failover: true, GracefulEviction: false };
  const { events } = run(
    world(
      [east1, east2],
      [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
    ),
    { events: failEast1, configuration: { ...defaults, featureGates } },
  );
  expect(events.filter(({ controller }) => controller === 'taint-manager')).toMatchObject([
    { type: 'Evicted', cluster: 'east-1', message: 'evicted from east-1 at once, without an eviction task' },
  ]);
});

describe('nothing is evicted', () => {
  const { defaults } = dialectOf('v1.13.10').dialect;
  const v1_13 = { ...defaults, featureGates: { ...defaults.featureGates, Failover: true } };
  const state = world(
    [east1, east2],
    [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
  );

  test('in a default installation, and the outcome names the gate', () => {
    const simulation = run(state, { events: failEast1, configuration: v1_18.defaults });
    expect(outcomeOf(simulation, 'cart')).toMatchObject({
      outcome: 'stays',
      reason: 'nothing is evicted: feature gate Failover=false',
    });
    expect(simulation.clusters[0]!.after.taints).toEqual(['cluster.karmada.io/not-ready:NoSchedule']);
  });

  test('with an unverified gate, and the outcome is unknown', () => {
    const simulation = run(state, {
      events: failEast1,
      configuration: v1_18.defaults,
      unverified: new Set(['Failover', 'enable-no-execute-taint-eviction']),
    });
    const outcome = outcomeOf(simulation, 'cart');
    expect(outcome).toMatchObject({ outcome: 'stays', certainty: 'unknown' });
    expect(outcome.dependsOn![0]).toMatch(
      /^Failover, enable-no-execute-taint-eviction, an unverified default: set it/,
    );
  });

  test('without ClusterTaintPolicies in the state, and the outcome is unknown', () => {
    const outcome = outcomeOf(run({ ...state, taintPolicies: [] }, { events: failEast1 }), 'cart');
    expect(outcome).toMatchObject({
      outcome: 'stays',
      reason: 'no NoExecute taint is added to east-1',
      certainty: 'unknown',
    });
    expect(outcome.dependsOn![0]).toMatch(/^ClusterTaintPolicies, which are not in the state/);
  });

  test('so far, in a simulation that ends before a possible taint', () => {
    const outcome = outcomeOf(
      run({ ...state, taintPolicies: [] }, { events: failEast1, until: 60, configuration: v1_13 }),
      'cart',
    );
    expect(outcome).toMatchObject({
      outcome: 'stays',
      reason: 'no NoExecute taint was added to east-1 so far',
    });
  });

  test('without the gate Failover in v1.13, which has no ClusterTaintPolicies', () => {
    const configuration = { ...v1_13, featureGates: { ...v1_13.featureGates, Failover: false } };
    const given = { events: failEast1, configuration };
    const bare = { ...state, taintPolicies: [] };
    const known = outcomeOf(run(bare, given), 'cart');
    expect(known).toMatchObject({
      outcome: 'stays',
      reason: 'no NoExecute taint is added to east-1',
    });
    expect(known.certainty).not.toBe('unknown');
    const guessed = outcomeOf(run(bare, { ...given, unverified: new Set(['Failover']) }), 'cart');
    expect(guessed.dependsOn![0]).toMatch(/^Failover, an unverified default: set it/);
  });

  test('without --enable-no-execute-taint-eviction', () => {
    const controllerManager = { ...failoverOn.controllerManager, 'enable-no-execute-taint-eviction': false };
    const simulation = run(state, { events: failEast1, configuration: { ...failoverOn, controllerManager } });
    expect(outcomeOf(simulation, 'cart').reason).toContain('--enable-no-execute-taint-eviction=false');
  });
});

describe('a workload without another cluster', () => {
  const state = world(
    [east1, east2],
    [
      deployment('pinned', {
        placement: only('east-1'),
        replicas: 2,
        clusters: [{ name: 'east-1', replicas: 2 }],
      }),
    ],
  );

  test('is blocked until its task times out, and then lost', () => {
    const meanwhile = run(state, { events: failEast1, until: 300 });
    expect(outcomeOf(meanwhile, 'pinned')).toMatchObject({
      outcome: 'blocked',
      after: [],
      evicting: ['east-1'],
    });
    const simulation = run(state, { events: failEast1 });
    expect(outcomeOf(simulation, 'pinned')).toMatchObject({ outcome: 'lost', after: [], evicting: [] });
    const ended = simulation.events.find(({ type }) => type === 'TaskEnded')!;
    expect((ended.time - START) / 1000).toBeGreaterThan(635);
    expect((ended.time - START) / 1000).toBeLessThan(636.5);
  });

  test('returns when its cluster recovers, which triggers the scheduler', () => {
    const simulation = run(state, { events: [...failEast1, [1000, { type: 'recover', cluster: 'east-1' }]] });
    expect(outcomeOf(simulation, 'pinned')).toMatchObject({
      outcome: 'restarted',
      reason: 'came back to east-1',
      after: [{ name: 'east-1', replicas: 2 }],
    });
  });
});

describe('a workload with capacity for only some of its replicas', () => {
  test('has the other replicas down from the start', () => {
    const cart = deployment('cart', {
      placement: {
        ...only('east-1'),
        replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
      },
      replicas: 5,
      clusters: [{ name: 'east-1', replicas: 2 }],
    });
    const simulation = run(world([east1, east2], [cart]), { events: [], until: 60 });
    expect(outcomeOf(simulation, 'cart').gap).toMatchObject({ replicas: 3, seconds: 60, open: true });
  });
});

describe('after recovery', () => {
  const events: When['events'] = [...failEast1, [1800, { type: 'recover', cluster: 'east-1' }]];

  test('divided replicas stay on their new cluster', () => {
    const state = world(
      [east1, east2],
      [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
    );
    expect(outcomeOf(run(state, { events }), 'cart').after).toEqual([{ name: 'east-2', replicas: 3 }]);
  });

  test('a Duplicated copy returns', () => {
    const clusters = [
      { name: 'east-1', replicas: 2 },
      { name: 'east-2', replicas: 2 },
    ];
    const state = world(
      [east1, east2],
      [deployment('web', { placement: everywhere, replicas: 2, clusters })],
    );
    const outcome = outcomeOf(run(state, { events }), 'web');
    expect(outcome.after.map(({ name }) => name).sort()).toEqual(['east-1', 'east-2']);
    expect(outcome).toMatchObject({ outcome: 'restarted', reason: 'came back to east-1' });
  });
});

describe('tolerations', () => {
  const tolerant = (tolerationSeconds?: number): Placement => ({
    ...anyOne,
    clusterTolerations: [
      {
        key: 'cluster.karmada.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
      },
    ],
  });

  test('without an end keep the workload where it is', () => {
    const state = world(
      [east1, east2],
      [
        deployment('archive', {
          placement: tolerant(),
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
        }),
      ],
    );
    expect(outcomeOf(run(state, { events: failEast1 }), 'archive')).toMatchObject({
      outcome: 'tolerates',
      reason: 'tolerates cluster.karmada.io/not-ready on east-1 forever',
      gap: { replicas: 1, open: true },
    });
  });

  test('of 60 seconds delay the eviction by 60 seconds', () => {
    const state = world(
      [east1, east2],
      [
        deployment('ledger', {
          placement: tolerant(60),
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
        }),
      ],
    );
    const steps = story(run(state, { events: failEast1 }), 'ledger');
    expect(steps.slice(0, 2)).toEqual(['35s EvictionWaits east-1', '95s Evicted east-1']);
  });

  test('apply from the last scheduling, not from the current policy', () => {
    const state = world(
      [east1, east2],
      [
        deployment('cart', {
          placement: anyOne,
          applied: tolerant(),
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
        }),
      ],
    );
    // The taint triggers the scheduler, which takes the policy over; the next periodic look finds it no longer tolerant.
    expect(story(run(state, { events: failEast1 }), 'cart')[0]).toBe('45s Evicted east-1');
  });

  test('are unknown without an applied placement, which blocks the eviction', () => {
    const state = world(
      [east1, east2],
      [
        deployment('cart', {
          placement: anyOne,
          applied: null,
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
        }),
      ],
    );
    const simulation = run(state, {
      events: [[0, { type: 'condition', cluster: 'east-1', condition: { type: 'Ready', status: 'False' } }]],
      until: 0.4,
    });
    expect(simulation.events.map(({ type }) => type)).toContain('EvictionBlocked');
  });
});

describe('evictions are paced', () => {
  test('three at once, then three every two seconds, the oldest first', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const state = world(
      [east1, east2],
      names.map((name) =>
        deployment(name, { placement: anyOne, replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] }),
      ),
    );
    const evictions = run(state, { events: failEast1 }).events.filter(({ type }) => type === 'Evicted');
    expect(evictions.map(({ object }) => object.name[0])).toEqual(names);
    const first = evictions[0]!.time;
    expect(evictions.map(({ time }) => time - first)).toEqual([0, 0, 0, 2000, 2000, 2000, 4000]);
  });
});

describe('purge mode Directly', () => {
  const spec = { failover: { cluster: { purgeMode: 'Directly' as const } } };
  const state = world(
    [east1, east2],
    [
      deployment('session', {
        placement: anyOne,
        replicas: 3,
        clusters: [{ name: 'east-1', replicas: 3 }],
        spec,
      }),
    ],
  );

  test('starts no replacement for a failed member until the task times out', () => {
    const simulation = run(state, { events: failEast1 });
    const steps = story(simulation, 'session');
    expect(steps).toContain('35s WaitsForDirectPurge east-1');
    const created = simulation.events.find(({ type }) => type === 'WorkCreated')!;
    expect((created.time - START) / 1000).toBeGreaterThan(635);
    expect(outcomeOf(simulation, 'session')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'east-2', replicas: 3 }],
    });
    expect(outcomeOf(simulation, 'session').gap!.seconds).toBeGreaterThan(650);
  });

  test('waits only for the old Work on a reachable member', () => {
    const taint = { key: 'maintenance', effect: 'NoExecute' as const };
    const simulation = run(state, { events: [[0, { type: 'taint', cluster: 'east-1', taint }]] });
    const created = simulation.events.find(({ type }) => type === 'WorkCreated')!;
    expect((created.time - START) / 1000).toBeLessThan(10);
  });
});

describe('failover between affinity groups', () => {
  test('uses the next group, and does not return to the first', () => {
    const placement: Placement = {
      clusterAffinities: [
        { affinityName: 'primary', clusterNames: ['east-1'] },
        { affinityName: 'backup', clusterNames: ['west-1'] },
      ],
      replicaScheduling: anyOne.replicaScheduling!,
    };
    const state = world(
      [east1, west1],
      [deployment('payments', { placement, replicas: 4, clusters: [{ name: 'east-1', replicas: 4 }] })],
    );
    const simulation = run(state, { events: [...failEast1, [1800, { type: 'recover', cluster: 'east-1' }]] });
    expect(outcomeOf(simulation, 'payments')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'west-1', replicas: 4 }],
    });
    expect(simulation.events.find(({ type }) => type === 'Scheduled')!.message).toBe(
      'by affinity group backup',
    );
  });
});

describe('several failures', () => {
  test('each placement considers the earlier failures', () => {
    const state = world(
      [east1, east2, west1],
      [deployment('cart', { placement: anyOne, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] })],
    );
    const simulation = run(state, {
      events: [...failEast1, [600, { type: 'fail', cluster: 'east-2' }]],
    });
    expect(outcomeOf(simulation, 'cart').after).toEqual([{ name: 'west-1', replicas: 3 }]);
  });
});

describe('a workload with suspended scheduling', () => {
  test('is evicted, not rescheduled, and lost', () => {
    const state = world(
      [east1, east2],
      [
        deployment('frozen', {
          placement: anyOne,
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
          spec: { suspension: { scheduling: true } },
        }),
      ],
    );
    expect(outcomeOf(run(state, { events: failEast1 }), 'frozen').outcome).toBe('lost');
  });
});

describe('a workload with suspended dispatching', () => {
  const suspended = { suspension: { dispatching: true } };
  const binding = deployment('held', {
    placement: anyOne,
    replicas: 1,
    clusters: [{ name: 'east-1', replicas: 1 }],
    spec: suspended,
  });

  test('is rescheduled but does not start, and its old copy is deleted at the timeout', () => {
    const simulation = run(world([east1, east2], [binding]), { events: failEast1 });
    expect(outcomeOf(simulation, 'held')).toMatchObject({
      outcome: 'lost',
      reason: 'its replacement on east-2 does not become ready',
      gap: { replicas: 1, open: true },
    });
    expect(story(simulation, 'held')).toContain('635s TaskEnded east-1');
  });

  test('starts once dispatching resumes', () => {
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'held-deployment' };
    const events: When['events'] = [
      ...failEast1,
      [100, { type: 'patch', target, merge: { spec: { suspension: null } } }],
    ];
    const simulation = run(world([east1, east2], [binding]), { events });
    expect(outcomeOf(simulation, 'held').gap).toMatchObject({ open: false });
  });
});

describe('a captured Work', () => {
  /** Ready again some seconds before the start. */
  const readyFor = (one: typeof east1, seconds: number) => ({
    ...one,
    status: {
      ...one.status,
      conditions: one.status!.conditions!.map((condition) => ({
        ...condition,
        lastTransitionTime: rfc3339(START - seconds * 1000),
      })),
    },
  });
  const id = { 'resourcebinding.karmada.io/permanent-id': 'back' };
  const goesBack = (scheduled: number, where = only('east-1')) => {
    const one = deployment('back', {
      placement: where,
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    });
    const status = { ...one.status, lastScheduledTime: rfc3339(START - scheduled * 1000) };
    return { ...one, metadata: { ...one.metadata, labels: { ...one.metadata.labels, ...id } }, status };
  };

  test('in deletion is deleted at once if its cluster has been Ready for longer than the retry interval', () => {
    const deleting = {
      metadata: {
        name: 'back',
        namespace: 'karmada-es-east-1',
        labels: id,
        deletionTimestamp: rfc3339(START - 45_000),
      },
    };
    const removed = (readySeconds: number) => {
      const state = { ...world([readyFor(east1, readySeconds), east2], [goesBack(60)]), works: [deleting] };
      const { events } = run(state, {});
      return (events.find(({ type }) => type === 'WorkRemoved')!.time - START) / 1000;
    };
    // 5 ms × (2^13 − 1) after the deletion a retry should have come, 5 s before the start
    expect(removed(10)).toBeLessThan(1);
    expect(removed(2)).toBeCloseTo(81.915 - 45, 2);
  });

  test('without a reported status gets its status at the next informer list of the cluster', () => {
    const applied = (seconds: number) => ({
      type: 'Applied',
      status: 'True' as const,
      reason: 'AppliedSuccessful',
      lastTransitionTime: rfc3339(START - seconds * 1000),
    });
    const unheard = (seconds: number) => ({
      metadata: { name: 'back', namespace: 'karmada-es-east-1', labels: id },
      spec: {
        workload: {
          manifests: [
            {
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              metadata: { namespace: 'shop', name: 'back' },
              spec: { replicas: 1 },
            },
          ],
        },
      },
      status: { conditions: [applied(seconds)] },
    });
    const binding = goesBack(36);
    const state = (readySeconds: number, appliedSeconds = 35) => ({
      ...world(
        [readyFor(east1, readySeconds), east2],
        [
          {
            ...binding,
            status: {
              ...binding.status,
              aggregatedStatus: [{ clusterName: 'east-1', applied: true, health: 'Unknown' as const }],
            },
          },
        ],
      ),
      works: [unheard(appliedSeconds)],
    });
    const simulation = run(state(37), {});
    const healthy = simulation.events.find(({ type }) => type === 'HealthChanged')!;
    // 37 s of two minutes have passed: a quarter of the rest
    expect((healthy.time - START) / 1000).toBeCloseTo(21, 0);
    // one applied a second ago may be as unreported
    for (const doubtful of [simulation, run(state(37, 1), {})])
      expect(outcomeOf(doubtful, 'back').dependsOn).toContainEqual(
        expect.stringContaining('when Karmada relists east-1'),
      );
    expect(run(state(86_400), {}).events.map(({ type }) => type)).not.toContain('HealthChanged');

    // Another Deployment that was created and reported since the return: the informer has relisted.
    const other = deployment('new', {
      placement: only('east-1'),
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    });
    const reported = {
      metadata: {
        name: 'new',
        namespace: 'karmada-es-east-1',
        creationTimestamp: rfc3339(START - 30_000),
        labels: { 'resourcebinding.karmada.io/permanent-id': 'new' },
      },
      spec: {
        workload: {
          manifests: [
            {
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              metadata: { namespace: 'shop', name: 'new' },
              spec: { replicas: 1 },
            },
          ],
        },
      },
      status: {
        conditions: [applied(30)],
        manifestStatuses: [
          {
            identifier: { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'new' },
            health: 'Healthy' as const,
          },
        ],
      },
    };
    const start = state(37);
    const relisted = run(
      { ...start, bindings: [...start.bindings, other], works: [...start.works, reported] },
      {},
    );
    const seen = relisted.events.find(({ type }) => type === 'HealthChanged')!;
    expect((seen.time - START) / 1000).toBeLessThan(2);
  });

  test('in deletion is deleted at the next retry of the execution controller, whose back-off doubles', () => {
    const placement = only('east-1', 'east-2');
    const binding = deployment('back', {
      placement,
      replicas: 1,
      clusters: [{ name: 'east-2', replicas: 1 }],
    });
    const id = { 'resourcebinding.karmada.io/permanent-id': 'back' };
    const work = {
      metadata: {
        name: 'back',
        namespace: 'karmada-es-east-1',
        labels: id,
        deletionTimestamp: '2026-09-01T07:58:00Z',
      },
    };
    const state = {
      ...world(
        [east1, east2],
        [{ ...binding, metadata: { ...binding.metadata, labels: { ...binding.metadata.labels, ...id } } }],
      ),
      works: [work],
    };
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'back-deployment' };
    const simulation = run(state, {
      events: [[0, { type: 'patch', target, merge: { spec: { replicas: 2 } } }]],
    });
    const gone = simulation.events.find(
      ({ type, cluster: where }) => type === 'WorkRemoved' && where === 'east-1',
    )!;
    // 5 ms × (2^15 − 1) after the deletion, 120 s before the start
    expect((gone.time - START) / 1000).toBeCloseTo(163.835 - 120, 2);
  });
});

describe('with the gate WorkloadAffinity', () => {
  const featureGates = { ...failoverOn.featureGates, WorkloadAffinity: true };
  const on = (name: string, clusterName: string, groups: ResourceBindingSpec['workloadAffinityGroups']) =>
    deployment(name, {
      placement: anyOne,
      replicas: 1,
      clusters: [{ name: clusterName, replicas: 1 }],
      spec: { workloadAffinityGroups: groups },
    });
  const after = (bindings: ResourceBinding[], name: string) => {
    const state = world([east1, east2, west1], bindings);
    const simulation = run(state, { events: failEast1, configuration: { ...failoverOn, featureGates } });
    return outcomeOf(simulation, name).after;
  };

  test('an evicted workload moves to its affinity group', () => {
    const group = { affinityGroup: 'frontend' };
    const bindings = [on('cart', 'east-1', group), on('web', 'west-1', group)];
    expect(after(bindings, 'cart')).toEqual([{ name: 'west-1', replicas: 1 }]);
  });

  test('an evicted workload avoids its anti-affinity group', () => {
    const group = { antiAffinityGroup: 'database' };
    const bindings = [on('orders', 'east-1', group), on('stock', 'east-2', group)];
    expect(after(bindings, 'orders')).toEqual([{ name: 'west-1', replicas: 1 }]);
  });
});

describe('resources that are preserved on deletion', () => {
  test('remain in the member after a workload is lost', () => {
    const binding = deployment('kept', {
      placement: only('east-1'),
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
      spec: { preserveResourcesOnDeletion: true },
    });
    expect(outcomeOf(run(world([east1, east2], [binding]), { events: failEast1 }), 'kept')).toMatchObject({
      outcome: 'lost',
      reason: 'its resources on east-1 stay there, unmanaged (preserveResourcesOnDeletion)',
    });
  });
});

describe('dependents', () => {
  test('follow their workload without a task', () => {
    const parent = deployment('cart', {
      placement: anyOne,
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
      spec: { propagateDeps: true },
    });
    const dependent = deployment('settings', {
      placement: {},
      clusters: [],
      spec: {
        placement: undefined,
        requiredBy: [
          { namespace: 'shop', name: 'cart-deployment', clusters: [{ name: 'east-1', replicas: 1 }] },
        ],
      },
    });
    const simulation = run(world([east1, east2], [parent, dependent]), { events: failEast1 });
    expect(story(simulation, 'settings')).toEqual(
      expect.arrayContaining(['35s DependenciesFollowed', '35s WorkCreated east-2']),
    );
    expect(simulation.clusters).toMatchObject([
      { name: 'east-1', before: { workloads: 2, replicas: 1 }, after: { workloads: 0 } },
      { name: 'east-2', before: { workloads: 0 }, after: { workloads: 2, replicas: 1 } },
    ]);
  });
});

describe('every simulation', () => {
  const names = ['east-1', 'east-2', 'west-1'];
  const target = fc.record({ name: fc.constantFrom(...names), replicas: fc.integer({ min: 1, max: 5 }) });
  const workload = fc.record({
    divided: fc.boolean(),
    clusters: fc.uniqueArray(target, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }),
    affinity: fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined }),
    mode: fc.constantFrom(undefined, 'Directly' as const, 'Gracefully' as const),
  });
  const fleet = fc.array(workload, { minLength: 1, maxLength: 5 });
  const events = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 900 }),
      fc.oneof(
        fc.record({ type: fc.constant('fail' as const), cluster: fc.constantFrom(...names) }),
        fc.record({ type: fc.constant('recover' as const), cluster: fc.constantFrom(...names) }),
        fc.record({
          type: fc.constant('taint' as const),
          cluster: fc.constantFrom(...names),
          taint: fc.constant({ key: 'maintenance', effect: 'NoExecute' as const }),
        }),
        fc.record({
          type: fc.constant('untaint' as const),
          cluster: fc.constantFrom(...names),
          key: fc.constant('maintenance'),
        }),
      ),
    ),
    { maxLength: 4 },
  );

  type Fleet = typeof fleet extends fc.Arbitrary<infer T> ? T : never;

  function state(workloads: Fleet) {
    return world(
      [east1, east2, west1],
      workloads.map(({ divided, clusters, affinity, mode }, index) => {
        const total = clusters.reduce((sum, { replicas }) => sum + replicas, 0);
        const replicas = divided ? total : 2;
        return deployment(`w${index}`, {
          placement: {
            ...(affinity ? { clusterAffinity: { clusterNames: affinity } } : {}),
            replicaScheduling: divided
              ? { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' }
              : { replicaSchedulingType: 'Duplicated' },
          },
          replicas,
          clusters: divided ? clusters : clusters.map(({ name }) => ({ name, replicas: 2 })),
          spec: mode ? { failover: { cluster: { purgeMode: mode } } } : {},
        });
      }),
    );
  }

  test('is the same for the same state and scenario, and does not change the state', () => {
    fc.assert(
      fc.property(fleet, events, (workloads, happening) => {
        const one = state(workloads);
        const before = JSON.stringify(one);
        const first = run(one, { events: happening });
        expect(JSON.stringify(one)).toBe(before);
        expect(run(state(workloads), { events: happening })).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });

  test('places all replicas of a divided workload, or reports a failed placement', () => {
    fc.assert(
      fc.property(fleet, events, (workloads, happening) => {
        const simulation = run(state(workloads), { events: happening });
        for (const [index, { divided, clusters }] of workloads.entries()) {
          const outcome = outcomeOf(simulation, `w${index}`);
          const placed = outcome.after.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
          const wanted = clusters.reduce((sum, { replicas }) => sum + replicas, 0);
          if (divided && !['lost', 'blocked'].includes(outcome.outcome)) expect(placed).toBe(wanted);
          if (!divided) expect(outcome.after.every(({ replicas }) => replicas === 2)).toBe(true);
          expect(new Set(outcome.after.map(({ name }) => name)).size).toBe(outcome.after.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('has events in order of time, each with an object', () => {
    fc.assert(
      fc.property(fleet, events, (workloads, happening) => {
        let last = START;
        for (const { time, object, type } of run(state(workloads), { events: happening }).events) {
          expect(time).toBeGreaterThanOrEqual(last);
          expect(object.name).not.toBe('');
          expect(type).not.toBe('');
          last = time;
        }
      }),
      { numRuns: 40 },
    );
  });
});
