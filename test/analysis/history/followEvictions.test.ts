import { describe, expect, test } from '@jest/globals';
import type { Changed } from '../../../src/karmada/controllers/write.ts';
import type { History, ObservedChange } from '../../../src/analysis/history/history.ts';
import { observedHistory } from '../../../src/analysis/history/observedHistory.ts';
import { reconstructedHistory } from '../../../src/analysis/history/reconstructedHistory.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { countOperations } from '../../fuzz/operations.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const taint = (key: string, seconds: number): Taint => ({
  key,
  effect: 'NoExecute',
  timeAdded: rfc3339(at(seconds)),
});
const unready = (one: Cluster, seconds: number): Cluster => ({
  ...one,
  status: {
    ...one.status,
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'ClusterNotReachable',
        lastTransitionTime: rfc3339(at(seconds)),
      },
    ],
  },
});
const onEast = deployment('cart', {
  placement: {},
  replicas: 1,
  clusters: [{ name: 'east', replicas: 1 }],
});
const evicted = (seconds: number): ResourceBinding => {
  const task: GracefulEvictionTask = {
    fromCluster: 'east',
    reason: 'ApplicationFailure',
    producer: 'resource-binding-application-failover-controller',
    creationTimestamp: rfc3339(at(seconds)),
  };
  return { ...onEast, spec: { ...onEast.spec, clusters: [], gracefulEvictionTasks: [task] } };
};

function seen(
  changes: readonly [seconds: number, before: object | undefined, after: object | undefined][],
): History {
  return observedHistory({
    first: world([cluster('east')], [onEast]),
    changes: changes.map(([seconds, before, after]): ObservedChange => ({
      at: at(seconds),
      ...({ before, after } as Changed<KubernetesObject>),
    })),
    start: START,
    end: at(600),
    configuration: failoverOn,
    doubts: [],
  });
}

test('a placement after an eviction is reported as a return, even with an outdated Scheduled condition', () => {
  // given an evicted workload that cannot be placed, and whose task ends
  const failed = {
    conditions: [{ type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: '0/1 clusters' }],
  };
  const leaving = evicted(10);
  const gone = { ...leaving, status: failed };
  const nowhere = { ...gone, spec: { ...gone.spec, gracefulEvictionTasks: [] } };
  // when the scheduler places it where it was, and only then writes the condition
  const back = { ...onEast, status: failed };
  const { events, workloads } = seen([
    [10, onEast, leaving],
    [11, leaving, gone],
    [60, gone, nowhere],
    [90, nowhere, back],
    [91, back, onEast],
  ]);
  // then it failed once, was placed once, and came back once
  const reported = events.filter(({ type }) => type.startsWith('Schedule'));
  expect(reported.map(({ type, time }) => [type, time])).toEqual([
    ['ScheduleFailed', at(11)],
    ['Scheduled', at(90)],
  ]);
  expect(workloads).toMatchObject([{ returns: 1 }]);
});

test('an eviction ends with its deleted workload, and one that is recreated does not continue it', () => {
  // given an eviction whose workload is deleted
  const leaving = evicted(10);
  // when it is recreated, placed in the same place and ready
  const anew = { ...onEast, spec: { ...onEast.spec, clusters: [] } };
  const { evictions, workloads } = seen([
    [10, onEast, leaving],
    [20, leaving, undefined],
    [300, undefined, anew],
    [301, anew, onEast],
  ]);
  // then the eviction was over before, and that is no return
  expect(evictions).toHaveLength(1);
  expect(evictions[0]!.ended).toBe(at(20));
  expect(evictions[0]!.scheduled).toBeUndefined();
  expect(evictions[0]!.ready).toBeUndefined();
  expect(workloads).toMatchObject([{ returns: 0 }]);
});

test('the result of an eviction excludes the cluster that it evicted from', () => {
  // given an eviction without a task, after which the scheduler places it there again, and elsewhere, too
  const leaving = evicted(10);
  const clusters = [
    { name: 'east', replicas: 1 },
    { name: 'west', replicas: 1 },
  ];
  const both = { ...leaving, spec: { ...leaving.spec, clusters } };
  const { evictions } = seen([
    [10, onEast, leaving],
    [11, leaving, both],
  ]);
  expect(evictions[0]!.to).toEqual([{ name: 'west', replicas: 1 }]);
});

test('a Ready cluster in deletion is not reported as failed', () => {
  const east = cluster('east');
  const leaving = { ...east, metadata: { ...east.metadata, deletionTimestamp: rfc3339(at(10)) } };
  const { clusters, events } = seen([
    [10, east, leaving],
    [20, leaving, undefined],
  ]);
  expect(clusters).toEqual([]);
  expect(events.map(({ type, message }) => [type, message])).toEqual([
    ['ObjectDeleted', undefined],
    ['ObjectDeleted', 'gone'],
  ]);
});

test('manual task fields and a manual end of an eviction are reported without a user', () => {
  const [task] = evicted(10).spec.gracefulEvictionTasks!;
  const held = {
    ...evicted(10),
    spec: { ...evicted(10).spec, gracefulEvictionTasks: [{ ...task!, suppressDeletion: true }] },
  };
  const released = {
    ...held,
    spec: { ...held.spec, gracefulEvictionTasks: [{ ...task!, suppressDeletion: false }] },
  };
  const ended = { ...held, spec: { ...held.spec, gracefulEvictionTasks: [] } };
  const writers = (...changes: [number, object, object][]) =>
    seen(changes).events.map(({ type, controller }) => [type, controller]);
  expect(writers([10, held, released], [11, released, ended])).toEqual([
    ['TaskReleased', ''],
    ['TaskEnded', 'graceful-eviction'],
  ]);
  expect(writers([10, held, onEast])).toEqual([['TaskEnded', '']]);
});

describe('the cause of an eviction', () => {
  test('is the taint, even if its watch event arrives just after the eviction', () => {
    const [task] = evicted(10).spec.gracefulEvictionTasks!;
    const untolerated = { ...task!, reason: 'TaintUntolerated', producer: 'TaintManager' };
    const by = (reason: object) => ({
      ...evicted(10),
      spec: { ...evicted(10).spec, gracefulEvictionTasks: [{ ...task!, ...reason }] },
    });
    const tainted = cluster('east', [taint('upgrade', 10)]);
    const course = (binding: object, seconds: number) =>
      seen([
        [10, onEast, binding],
        [seconds, cluster('east'), tainted],
      ]).evictions[0]!;
    expect(course(by(untolerated), 10.2)).toMatchObject({ evicted: at(10), tainted: at(10) });
    expect(course(by(untolerated), 12)).not.toHaveProperty('tainted');
    expect(course(by({}), 10.2)).not.toHaveProperty('tainted');
  });

  test('is not a taint that was already removed', () => {
    // given a taint that comes and goes
    const tainted = cluster('east', [taint('upgrade', 1)]);
    // when the workload is evicted long after it, for another reason
    const { evictions } = seen([
      [1, cluster('east'), tainted],
      [2, tainted, cluster('east')],
      [300, onEast, evicted(300)],
    ]);
    // then that taint is not reported
    expect(evictions).toMatchObject([{ from: 'east', evicted: at(300) }]);
    expect(evictions[0]).not.toHaveProperty('tainted');
  });

  test('is the newest taint while an evicting taint remains', () => {
    const [one, two] = [taint('a', 1), taint('b', 2)];
    const { evictions } = seen([
      [1, cluster('east'), cluster('east', [one])],
      [2, cluster('east', [one]), cluster('east', [one, two])],
      [3, cluster('east', [one, two]), cluster('east', [two])],
      [4, onEast, evicted(4)],
    ]);
    expect(evictions[0]!.tainted).toBe(at(2));
  });

  test('in a single state is the newest taint before it, whatever the order of the taints', () => {
    const tainted = cluster('east', [taint('b', 20), taint('a', 10), taint('c', 90)]);
    const { evictions } = reconstructedHistory(world([tainted], [evicted(30)]), at(100), failoverOn);
    expect(evictions[0]!.tainted).toBe(at(20));
  });

  test('in a single state is not a later cluster failure', () => {
    const flapped = reconstructedHistory(
      world([unready(cluster('east'), 60)], [evicted(30)]),
      at(100),
      failoverOn,
    );
    expect(flapped.evictions[0]).not.toHaveProperty('detected');
    const failed = reconstructedHistory(
      world([unready(cluster('east'), 5)], [evicted(30)]),
      at(100),
      failoverOn,
    );
    expect(failed.evictions[0]!.detected).toBe(at(5));
  });
});

/** A change of each of many workloads, all evicted and none becoming ready. */
function evictedTogether(workloads: number): void {
  const bindings = Array.from({ length: workloads }, (_, i) => ({
    ...onEast,
    metadata: { ...onEast.metadata, name: `cart${i}-deployment` },
  }));
  const { spec } = evicted(1);
  const changes = bindings.map((one): ObservedChange => ({
    at: at(1),
    before: one as unknown as KubernetesObject,
    after: { ...one, spec } as unknown as KubernetesObject,
  }));
  const { evictions } = observedHistory({
    first: world([cluster('east')], bindings),
    changes,
    start: START,
    end: at(600),
    configuration: failoverOn,
    doubts: [],
  });
  expect(evictions).toHaveLength(workloads);
}

test('the cost of following evictions grows linearly with their number', async () => {
  evictedTogether(3);
  const few = await countOperations(() => evictedTogether(20));
  const more = await countOperations(() => evictedTogether(200));
  expect(more.blocks / few.blocks).toBeLessThan(17);
});
