import { describe, expect, test } from '@jest/globals';
import type { Change } from '../../../src/karmada/controllers/write.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Job } from '../../../src/karmada/controllers/registry.ts';
import { watchRivals, type ObservedRival } from '../../../src/operations/controllers/rivalWatch.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';

const ALL: Job[] = ['cluster-taint-policy', 'taint-manager', 'graceful-eviction', 'application-failover'];
const TIME = '2026-09-01T10:00:00Z';

function bindingWith(clusters: string[], ...tasks: Partial<GracefulEvictionTask>[]): ResourceBinding {
  const binding = deployment('web', { placement: {}, clusters: clusters.map((name) => ({ name })) });
  const list = tasks.map((task) => ({
    fromCluster: 'east-1',
    reason: 'r',
    producer: 'TaintManager',
    ...task,
  }));
  return { ...binding, spec: { ...binding.spec, gracefulEvictionTasks: list } };
}
const ofBinding = (before: ResourceBinding, after: ResourceBinding): Change => ({
  kind: 'Binding',
  key: 'shop/web-deployment',
  before,
  after,
});
const evicted = (producer: string) =>
  ofBinding(bindingWith(['east-1', 'west-1']), bindingWith(['west-1'], { producer }));
const tainted = (effect: 'NoSchedule' | 'NoExecute'): Change => ({
  kind: 'Cluster',
  key: 'east-1',
  before: cluster('east-1'),
  after: cluster('east-1', [{ key: 'k', effect }]),
});

/** The findings for changes with lists written by this manager, and the number of requests. */
async function seenOf(changes: Change[], manager: string | undefined, jobs = ALL, every = 60_000) {
  let notify: (change: Change) => void = () => undefined;
  let now = 0;
  let asked = 0;
  const seen: ObservedRival[] = [];
  const server = {
    get: () => {
      asked++;
      if (manager === undefined)
        return Promise.reject(new ApiError('gone', { status: 404, reason: 'NotFound' }));
      const fields = { 'f:spec': { 'f:gracefulEvictionTasks': {}, 'f:taints': {} } };
      return Promise.resolve({ metadata: { managedFields: [{ manager, time: TIME, fieldsV1: fields }] } });
    },
  } as unknown as ApiServer;
  const live = { subscribe: (listener: typeof notify) => ((notify = listener), () => undefined) };
  const end = watchRivals(server, live, jobs, { found: (one) => void seen.push(one), localNow: () => now });
  for (const change of changes) {
    notify(change);
    now += every;
    await new Promise((resolve) => setImmediate(resolve));
  }
  end();
  return { seen, asked };
}

describe('the watch for Karmada’s controller manager', () => {
  test.each<[string, Change, Job]>([
    ['an eviction task of the taint manager', evicted('TaintManager'), 'taint-manager'],
    [
      'an eviction task of application failover',
      evicted('resource-binding-application-failover-controller'),
      'application-failover',
    ],
    [
      'the timestamp of an eviction task',
      ofBinding(bindingWith(['west-1'], {}), bindingWith(['west-1'], { creationTimestamp: TIME })),
      'graceful-eviction',
    ],
    [
      'the end of an eviction task',
      ofBinding(bindingWith(['west-1'], {}), bindingWith(['west-1'])),
      'graceful-eviction',
    ],
    ['a NoExecute taint', tainted('NoExecute'), 'cluster-taint-policy'],
  ])('detects %s once', async (_, change, job) => {
    const { seen } = await seenOf([change, change], 'karmada-controller-manager');
    expect(seen).toMatchObject([{ job, time: TIME }]);
    // jobs that Karmada should do are not ours
    const others = ALL.filter((one) => one !== job);
    expect(await seenOf([change], 'karmada-controller-manager', others)).toEqual({ seen: [], asked: 0 });
  });

  test.each([['karmada-failover-controller'], ['kubectl-edit'], [undefined]])(
    'ignores writes of the field manager %s',
    async (manager) => {
      const { seen, asked } = await seenOf([evicted('TaintManager')], manager);
      expect([seen, asked]).toEqual([[], 1]);
    },
  );

  test('ignores NoSchedule taints, which Karmada’s cluster controller writes', async () => {
    expect(await seenOf([tainted('NoSchedule')], 'karmada-controller-manager')).toEqual({
      seen: [],
      asked: 0,
    });
  });

  test('reads managedFields at most every ten seconds', async () => {
    const many = Array.from({ length: 50 }, () => evicted('TaintManager'));
    expect((await seenOf(many, 'somebody', ALL, 100)).asked).toBe(1);
    expect((await seenOf(many, 'somebody', ALL, 1000)).asked).toBe(5);
  });
});
