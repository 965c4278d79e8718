import { describe, expect, test } from '@jest/globals';
import type { History, SeenChange } from '../../../src/engine/history/history.ts';
import { seenHistory } from '../../../src/engine/history/seenHistory.ts';
import { toldHistory } from '../../../src/engine/history/toldHistory.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { countOperations } from '../../fuzz/operations.ts';
import { cluster, deployment, failoverOn, START, world } from '../simulation/controlPlane.ts';

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

function seen(changes: readonly [seconds: number, before: object, after: object][]): History {
  return seenHistory({
    first: world([cluster('east')], [onEast]),
    changes: changes.map(([seconds, before, after]): SeenChange => ({
      at: at(seconds),
      before: before as KubernetesObject,
      after: after as KubernetesObject,
    })),
    start: START,
    end: at(600),
    configuration: failoverOn,
    doubts: [],
  });
}

describe('what led to an eviction', () => {
  test('is no taint that was gone by then', () => {
    // given a taint that comes and goes
    const tainted = cluster('east', [taint('upgrade', 1)]);
    // when the workload is evicted long after it, for another reason
    const { evictions } = seen([
      [1, cluster('east'), tainted],
      [2, tainted, cluster('east')],
      [300, onEast, evicted(300)],
    ]);
    // then that taint is not told of
    expect(evictions).toMatchObject([{ from: 'east', evicted: at(300) }]);
    expect(evictions[0]).not.toHaveProperty('tainted');
  });

  test('is the newest taint as long as one that evicts is there', () => {
    const [one, two] = [taint('a', 1), taint('b', 2)];
    const { evictions } = seen([
      [1, cluster('east'), cluster('east', [one])],
      [2, cluster('east', [one]), cluster('east', [one, two])],
      [3, cluster('east', [one, two]), cluster('east', [two])],
      [4, onEast, evicted(4)],
    ]);
    expect(evictions[0]!.tainted).toBe(at(2));
  });

  test('of one state, is the newest taint before it, in whatever order they are', () => {
    const tainted = cluster('east', [taint('b', 20), taint('a', 10), taint('c', 90)]);
    const { evictions } = toldHistory(world([tainted], [evicted(30)]), at(100), failoverOn);
    expect(evictions[0]!.tainted).toBe(at(20));
  });

  test('of one state, is no failure that came after it', () => {
    const flapped = toldHistory(world([unready(cluster('east'), 60)], [evicted(30)]), at(100), failoverOn);
    expect(flapped.evictions[0]).not.toHaveProperty('detected');
    const failed = toldHistory(world([unready(cluster('east'), 5)], [evicted(30)]), at(100), failoverOn);
    expect(failed.evictions[0]!.detected).toBe(at(5));
  });
});

/** A change of each of many workloads, all of which are evicted and none of which gets ready. */
function evictedTogether(workloads: number): void {
  const bindings = Array.from({ length: workloads }, (_, i) => ({
    ...onEast,
    metadata: { ...onEast.metadata, name: `cart${i}-deployment` },
  }));
  const { spec } = evicted(1);
  const changes = bindings.map((one): SeenChange => ({
    at: at(1),
    before: one as unknown as KubernetesObject,
    after: { ...one, spec } as unknown as KubernetesObject,
  }));
  const { evictions } = seenHistory({
    first: world([cluster('east')], bindings),
    changes,
    ...{ start: START, end: at(600), configuration: failoverOn, doubts: [] },
  });
  expect(evictions).toHaveLength(workloads);
}

test('ten times as many evictions that are on their way take ten times the operations', async () => {
  evictedTogether(3);
  const few = await countOperations(() => evictedTogether(60));
  const more = await countOperations(() => evictedTogether(600));
  expect(more.blocks / few.blocks).toBeLessThan(17);
});
