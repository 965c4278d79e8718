import { describe, expect, test } from '@jest/globals';
import type { SavedQueues } from '../../../src/karmada/queues/savedQueues.ts';
import { karmada, type ControllerName } from '../../../src/karmada/controllers/karmada.ts';
import { karmadaControllers } from '../../../src/karmada/running/karmadaControllers.ts';
import { latencies } from '../../../src/karmada/latencies.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime, type VirtualTime } from '../../../src/simulator/virtualTime/virtualTime.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../simulation/controlPlane.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const played: ReadonlySet<string> = new Set<ControllerName>([
  'cluster-taint-policy-controller',
  'taint-manager',
  'binding-eviction',
  'cluster-binding-eviction',
  'scheduler',
  'graceful-eviction',
]);
const controllers = karmadaControllers(members).filter(({ name }) => played.has(name));
const NET: Taint = { key: 'net', effect: 'NoExecute' };
const east = [{ name: 'east-1', replicas: 1 }];
const single: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};

function timeOf(state: World, saved?: SavedQueues, configuration = failoverOn): VirtualTime {
  const start = createStartingWorld(state, configuration, {
    start: START,
    members,
  });
  return createVirtualTime(start, { controllers, ordering: canonicalOrdering, explained: false, saved });
}

/** Sets the taints of a cluster by hand. */
function taint(time: VirtualTime, name: string, ...taints: Taint[]): void {
  const base = time.view.get('Cluster', name)!;
  const stamped = taints.map((one) => ({ timeAdded: rfc3339(time.now()), ...one }));
  const object: Cluster = { ...base, spec: { ...base.spec, taints: stamped } };
  time.write('somebody', [
    { verb: 'update', kind: 'Cluster', key: name, part: 'object', lock: true, base, object },
  ]);
}

/** When each binding was evicted, in seconds after the start, to a tenth. */
function evictionsOf(time: VirtualTime): Map<string, number> {
  const evicted = new Map<string, number>();
  time.follow(({ by, changes, time: at }) => {
    if (by !== 'binding-eviction') return;
    for (const { kind, key } of changes)
      if (kind === 'Binding') evicted.set(key.split('/')[1]!, Math.floor((at - START) / 100) / 10);
  });
  return evicted;
}

const named = (name: string, placement: Placement = single): ResourceBinding =>
  deployment(name, { placement, clusters: east, replicas: 1 });

describe('the controllers of cluster failover in virtual time', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  test('evict three bindings every two seconds, oldest first, and the scheduler places each again', () => {
    const time = timeOf(
      world(
        [cluster('east-1'), cluster('east-2')],
        names.map((name) => named(name)),
      ),
    );
    const evicted = evictionsOf(time);
    time.plan(START + 1000, () => taint(time, 'east-1', NET));
    time.run(START + 8000);
    expect([...evicted.values()]).toEqual([1, 1, 1, 3, 3, 3, 5]);
    const [a] = time.view.bindingsOn('east-2');
    expect(a).toMatchObject({
      metadata: { name: 'a-deployment', generation: 5 },
      spec: { clusters: [{ name: 'east-2', replicas: 1 }] },
      status: { schedulerObservedGeneration: 5 },
    });
  });

  test('keep a binding without a turn on its cluster when the taint is removed', () => {
    const time = timeOf(
      world(
        [cluster('east-1'), cluster('east-2')],
        names.map((name) => named(name)),
      ),
    );
    const evicted = evictionsOf(time);
    time.plan(START, () => taint(time, 'east-1', NET));
    time.plan(START + 3000, () => taint(time, 'east-1'));
    time.run(START + 60_000);
    expect(evicted.size).toBe(6);
    expect(time.view.bindingsOn('east-1').map(({ metadata }) => metadata.name)).toEqual(['g-deployment']);
  });

  test('continue unchanged after a save at any moment', () => {
    const taints: Taint = { ...NET, timeAdded: rfc3339(START) };
    const patient = named('patient', {
      ...single,
      clusterTolerations: [{ key: 'net', operator: 'Exists', tolerationSeconds: 5 }],
    });
    const state = world(
      [cluster('east-1', [taints]), cluster('east-2')],
      [...names.map((name) => named(name)), patient],
    );
    const whole = timeOf(state);
    whole.run(START + 30_000);
    for (const until of [0, 20, 100, 1000, 2100, 2500, 4300, 5100, 9000]) {
      const first = timeOf(state);
      first.run(START + until);
      const saved = JSON.parse(JSON.stringify(first.save(first.now()))) as SavedQueues;
      const rest = timeOf({ ...state, bindings: [...first.view.all('Binding')] }, saved);
      rest.run(START + 30_000);
      expect([...rest.view.all('Binding')]).toEqual([...whole.view.all('Binding')]);
    }
  });
});

describe('the periodic reconcile of a tainted cluster', () => {
  const tolerating = named('web', { ...single, clusterTolerations: [{ key: 'net', operator: 'Exists' }] });

  function tolerationTakenAway(time: VirtualTime, at: number): void {
    time.plan(START + at, () => {
      const [base] = [...time.view.all('Binding')];
      const metadata = { ...base!.metadata, annotations: { 'policy.karmada.io/applied-placement': '{}' } };
      time.write('somebody', [
        {
          verb: 'update',
          kind: 'Binding',
          key: 'shop/web-deployment',
          part: 'object',
          lock: true,
          base: base!,
          object: { ...base!, metadata },
        },
      ]);
    });
  }
  const timeWithWeb = (configuration = failoverOn) =>
    timeOf(world([cluster('east-1'), cluster('east-2')], [tolerating]), undefined, configuration);
  /** as before Karmada v1.17: a timer fires whatever came before it */
  const keepsTimers = {
    ...failoverOn,
    featureGates: { ...failoverOn.featureGates, ControllerPriorityQueue: false },
  };

  test('applies a removed toleration within ten seconds, without any other reconcile', () => {
    const time = timeWithWeb();
    const evicted = evictionsOf(time);
    time.plan(START + 3000, () => taint(time, 'east-1', NET));
    tolerationTakenAway(time, 26_000);
    expect(time.run(START + 20_000)).toBe(false);
    time.run(START + 60_000);
    expect(evicted.get('web-deployment')).toBe(33);
  });

  test.each([
    ['starts a new interval', failoverOn, 18],
    ['with kept timers keeps its interval', keepsTimers, 13],
  ])('%s after another reconcile', (_, configuration, second) => {
    const time = timeWithWeb(configuration);
    const evicted = evictionsOf(time);
    time.plan(START + 3000, () => taint(time, 'east-1', NET));
    time.plan(START + 8000, () => taint(time, 'east-1', NET, { key: 'more', effect: 'NoSchedule' }));
    tolerationTakenAway(time, 10_000);
    time.run(START + 60_000);
    expect(evicted.get('web-deployment')).toBe(second);
  });

  test.each([
    ['starts a new interval', failoverOn, 18],
    ['with kept timers keeps its interval', keepsTimers, 13],
  ])('%s if the taint is removed and added again before the next round', (_, configuration, second) => {
    const time = timeWithWeb(configuration);
    const evicted = evictionsOf(time);
    time.plan(START + 3000, () => taint(time, 'east-1', NET));
    time.plan(START + 5000, () => taint(time, 'east-1'));
    time.plan(START + 8000, () => taint(time, 'east-1', NET));
    tolerationTakenAway(time, 10_000);
    time.run(START + 60_000);
    expect(evicted.get('web-deployment')).toBe(second);
  });

  test('starts a new interval if the taint is added again after the next round', () => {
    const time = timeWithWeb();
    const evicted = evictionsOf(time);
    time.plan(START + 3000, () => taint(time, 'east-1', NET));
    time.plan(START + 5000, () => taint(time, 'east-1'));
    time.plan(START + 18_000, () => taint(time, 'east-1', NET));
    tolerationTakenAway(time, 20_000);
    time.run(START + 60_000);
    expect(evicted.get('web-deployment')).toBe(28);
  });

  test('lets the simulation settle while nothing changes', () => {
    const time = timeWithWeb();
    time.plan(START + 3000, () => taint(time, 'east-1', NET));
    expect(time.run(START + 3600_000)).toBe(true);
  });
});

describe('a binding without capacity', () => {
  const large = deployment('large', { placement: single, clusters: [], replicas: 3000 });

  function roomAt(time: VirtualTime, at: number): void {
    time.plan(START + at, () => {
      const base = time.view.get('Cluster', 'east-2')!;
      const resourceSummary = { allocatable: { cpu: '9000', memory: '9Ti', pods: '9000' } };
      const object = { ...base, status: { ...base.status, resourceSummary } };
      time.write('somebody', [
        { verb: 'update', kind: 'Cluster', key: 'east-2', part: 'status', lock: false, base, object },
      ]);
    });
  }
  const placedAt = (time: VirtualTime): number[] => {
    const placed: number[] = [];
    time.follow(({ by, changes, time: at }) => {
      if (by !== 'scheduler') return;
      for (const change of changes)
        if (change.kind === 'Binding' && change.before?.spec !== change.after?.spec) placed.push(at - START);
    });
    return placed;
  };

  test('is retried at the end of its back-off, not when capacity is free', () => {
    const behind = { ...large, status: { schedulerObservedGeneration: 1 } };
    const time = timeOf(world([cluster('east-1'), cluster('east-2')], [behind]));
    const placed = placedAt(time);
    roomAt(time, 60_000);
    time.run(START + 200_000);
    // 5 ms doubled: the first attempt, and 5 × (2^14 − 1) later
    expect(placed).toEqual([karmada.scheduler.reaction + 81_915]);
  });

  test('from a capture is retried at the end of its back-off', () => {
    const failed: ResourceBinding = {
      ...large,
      status: {
        schedulerObservedGeneration: 1,
        conditions: [
          {
            type: 'Scheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: 'no room',
            lastTransitionTime: rfc3339(START - 60_000),
          },
        ],
      },
    };
    const time = timeOf(world([cluster('east-1'), cluster('east-2')], [failed]));
    const placed = placedAt(time);
    roomAt(time, 1000);
    time.run(START + 200_000);
    expect(placed).toEqual([81_915 - 60_000]);
  });
});

describe('the single worker of the scheduler', () => {
  const unplaced = (name: string): ResourceBinding => {
    const binding = deployment(name, { placement: single, clusters: [], replicas: 1 });
    return { ...binding, status: { schedulerObservedGeneration: 1 } };
  };
  const state = world([cluster('east-1')], ['a', 'b', 'c'].map(unplaced));
  const takes = latencies.singleWorker;
  const reacts = karmada.scheduler.reaction;

  /** Its writes, and their times. */
  function writesOf(time: VirtualTime): string[] {
    const reported: string[] = [];
    time.follow(({ by, key, time: at, changes }) => {
      if (by === 'scheduler' && changes.length > 0) reported.push(`${at - START} ${key!}`);
    });
    return reported;
  }
  const expected = [
    `${reacts} shop/a-deployment`,
    `${reacts + takes} shop/b-deployment`,
    `${reacts + 2 * takes} shop/c-deployment`,
    // its own writes trigger it again for each of them
    `${reacts + 3 * takes} shop/a-deployment`,
    `${reacts + 4 * takes} shop/b-deployment`,
    `${reacts + 5 * takes} shop/c-deployment`,
  ];

  test('processes bindings one after another', () => {
    const time = timeOf(state);
    const reported = writesOf(time);
    time.run(START + 10_000);
    expect(reported).toEqual(expected);
  });

  test('continues in the same order in a saved world', () => {
    const first = timeOf(state);
    const reported = writesOf(first);
    first.run(START + reacts + takes + 1);
    const saved = JSON.parse(JSON.stringify(first.save(START + reacts + takes + 1))) as SavedQueues;
    const rest = timeOf({ ...state, bindings: [...first.view.all('Binding')] }, saved);
    const later = writesOf(rest);
    rest.run(START + 10_000);
    expect([...reported, ...later]).toEqual(expected);
  });
});
