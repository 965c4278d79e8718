import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RemovalPlan } from '../../../src/analysis/taintPolicy/removalPlan.ts';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { writePolicyChange, type MadeWrite } from '../../../src/useCases/taintPolicy/writePolicyChange.ts';
import { lossyServer, type Mishap } from '../../operations/lossyServer.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';

const POLICY = '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies/network';
const CLUSTER = '/apis/cluster.karmada.io/v1alpha1/clusters/alpha';
const taint = { key: 'example.com/network', value: 'down', effect: 'NoSchedule' } as const;
const put = { ...taint, timeAdded: '2026-09-01T08:00:00Z' };
const person = { key: 'example.com/person', effect: 'NoSchedule' } as const;

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'network', uid: 'p', resourceVersion: '7' },
  spec: { taints: [taint] },
} as const;
const cluster = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'alpha', uid: 'c', resourceVersion: '8' },
  spec: { taints: [put, person] },
};
const removal: RemovalPlan = {
  steps: [{ cluster: 'alpha', taints: [put], uid: 'c' }],
  kept: [],
};

function given(mishaps: Mishap[] = [], objects: object[] = [policy, cluster]) {
  const fake = servingObjects(structuredClone(objects) as KubernetesObject[]);
  const server = lossyServer(fake, mishaps);
  const controller = new AbortController();
  const remove = async (until = Infinity): Promise<MadeWrite[]> => {
    const stored = fake.store.all().find(({ kind }) => kind === 'ClusterTaintPolicy');
    const change = {
      applied: [],
      deleted: stored ? [stored as unknown as ClusterTaintPolicy] : [],
      deletion: 'deleted',
      removal,
    } as const;
    const options = {
      fieldManager: 'karmada-failover',
      force: false,
      dryRun: false,
      signal: controller.signal,
      pause: async () => undefined,
    };
    const writes: MadeWrite[] = [];
    for await (const write of writePolicyChange(server, change, options)) {
      writes.push(write);
      if (writes.length === until) controller.abort();
    }
    return writes;
  };
  const taints = () => (fake.store.get(CLUSTER) as unknown as typeof cluster).spec.taints;
  const exists = () => fake.store.all().some(({ kind }) => kind === 'ClusterTaintPolicy');
  return { fake, server, remove, taints, exists };
}

describe('deleting a policy with its taints', () => {
  test('removes its taints first, then the policy, and nothing else', async () => {
    const { fake, remove, taints, exists } = given();
    expect(await remove()).toMatchObject([
      { kind: 'Cluster', name: 'alpha', action: 'untainted', done: true },
      { kind: 'ClusterTaintPolicy', name: 'network', action: 'deleted', done: true },
    ]);
    expect(fake.writes).toEqual([`patch ${CLUSTER}`, `delete ${POLICY}`]);
    expect({ taints: taints(), exists: exists() }).toEqual({ taints: [person], exists: false });
  });

  test('continues with the same command after a stop between two writes', async () => {
    const first = given();
    expect(await first.remove(1)).toHaveLength(1);
    expect(first.exists()).toBe(true);
    const second = given([], [...first.fake.store.all()]);
    expect(await second.remove()).toMatchObject([
      { action: 'already untainted', done: true },
      { action: 'deleted', done: true },
    ]);
    expect({ taints: second.taints(), exists: second.exists() }).toEqual({ taints: [person], exists: false });
  });

  test('changes neither a renewed taint nor a recreated cluster with the same name', async () => {
    const renewed = { ...cluster, spec: { taints: [{ ...put, timeAdded: '2026-09-01T09:00:00Z' }] } };
    const changed = given([], [cluster, { ...policy, spec: { taints: [] } }]);
    changed.fake.store.patch(CLUSTER, { spec: renewed.spec }, { fieldManager: 'x' });
    expect(await changed.remove()).toMatchObject([
      { action: 'already untainted' },
      { action: 'deleted' },
      {},
    ]);

    const other = given([], [{ ...cluster, metadata: { ...cluster.metadata, uid: 'other' } }, policy]);
    expect(await other.remove()).toMatchObject([
      { action: 'refused', done: false, message: 'it was deleted and joined again; run the command again' },
      { action: 'not deleted' },
    ]);
    expect(other.exists()).toBe(true);
  });

  test('keeps the policy if a taint cannot be removed, and reports that', async () => {
    const other = given([], [{ ...cluster, metadata: { ...cluster.metadata, uid: 'other' } }, policy]);
    const [, kept, ...more] = await other.remove();
    expect(kept).toEqual({
      kind: 'ClusterTaintPolicy',
      name: 'network',
      action: 'not deleted',
      done: false,
      skipped: true,
      message: 'the taints of alpha are not removed; fix that and run the same command again',
    });
    expect(more).toEqual([]);
  });

  test.each<[string, Mishap[]]>([
    ['a lost response to a patch', [{ verb: 'patch', when: 'after' }]],
    ['a lost response to a deletion', [{ verb: 'delete', when: 'after' }]],
    ['a temporary server error', [{ verb: 'patch', when: 'before', status: 503 }]],
  ])('succeeds despite %s', async (_, mishaps) => {
    const { remove, taints, exists } = given(mishaps);
    const writes = await remove();
    expect(writes.every(({ done }) => done)).toBe(true);
    expect({ taints: taints(), exists: exists() }).toEqual({ taints: [person], exists: false });
  });

  test('removes a taint again that Karmada restored before the policy was deleted', async () => {
    const scene = given([
      {
        verb: 'delete',
        when: 'before',
        status: 503,
        then: () =>
          void scene.fake.store.patch(
            CLUSTER,
            { spec: { taints: [person, { ...put, timeAdded: '2026-09-01T10:00:00Z' }] } },
            { fieldManager: 'karmada-controller-manager' },
          ),
      },
    ]);
    expect(await scene.remove()).toMatchObject([
      { action: 'untainted' },
      { action: 'deleted' },
      { action: 'untainted' },
    ]);
    expect(scene.taints()).toEqual([person]);
  });
});

describe('a plan to delete policies with their taints', () => {
  const other = { ...put, key: 'example.com/disk' };
  const names = ['alpha', 'beta', 'gamma'];

  interface Scene {
    /** of each cluster */
    taints: Taint[][];
    policies: number;
    /** the clusters whose taint is removed, and whether the other one is, too */
    planned: [number, boolean][];
  }
  const scenes: fc.Arbitrary<Scene> = fc.record({
    taints: fc.array(fc.subarray<Taint>([put, other, person]), { minLength: 1, maxLength: 3 }),
    policies: fc.integer({ min: 1, max: 3 }),
    planned: fc.uniqueArray(fc.tuple(fc.nat(2), fc.boolean()), { selector: ([at]) => at }),
  });
  const mishaps: fc.Arbitrary<Mishap[]> = fc.array(
    fc.record({
      verb: fc.constantFrom('get', 'patch', 'delete'),
      when: fc.constantFrom('before', 'after'),
      status: fc.constantFrom(0, 503),
    }),
    { maxLength: 4 },
  );

  function staged({ taints, policies, planned }: Scene) {
    const clusters = taints.map((some, at) => ({
      ...cluster,
      metadata: { name: names[at]!, uid: names[at]!, resourceVersion: '8' },
      spec: { taints: some },
    }));
    const deleted = Array.from({ length: policies }, (_, at) => ({
      ...policy,
      metadata: { name: `p${at}`, uid: `p${at}`, resourceVersion: '7' },
    }));
    const steps = planned.map(([at, both]) => ({
      cluster: names[at]!,
      taints: both ? [put, other] : [put],
      uid: names[at]!,
    }));
    const fake = servingObjects(structuredClone([...clusters, ...deleted]) as unknown as KubernetesObject[]);
    const removal: RemovalPlan = { steps, kept: [] };
    return {
      fake,
      /** Carries it out, and stops after this many writes. */
      async execute(until = Infinity, failing: Mishap[] = []): Promise<MadeWrite[]> {
        const controller = new AbortController();
        const server = lossyServer(fake, failing);
        const options = { fieldManager: 'karmada-failover', force: false, dryRun: false };
        const writes: MadeWrite[] = [];
        const made = writePolicyChange(
          server,
          {
            applied: [],
            deletion: 'deleted',
            removal,
            deleted: deleted as unknown as ClusterTaintPolicy[],
          },
          { ...options, signal: controller.signal, pause: async () => undefined },
        );
        for await (const write of made) {
          writes.push(write);
          if (writes.length >= until) controller.abort();
        }
        return writes;
      },
      /** the objects, without the versions, which count the writes */
      left: () =>
        fake.store.all().map((one) => {
          const { resourceVersion: _writes, ...metadata } = one.metadata;
          return { ...one, metadata };
        }),
    };
  }

  test('reaches the same end after any stops and failures if it is executed again, and then does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenes,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), mishaps), { maxLength: 3 }),
        async (scene, interrupted) => {
          const [once, often] = [staged(scene), staged(scene)];
          await once.execute();
          // one that fails rejects
          for (const [until, failing] of interrupted)
            await often.execute(until, failing).catch((error: unknown) => {
              if (!(error instanceof ApiError)) throw error;
            });
          await often.execute();
          expect(often.left()).toEqual(once.left());
          // each object is written at most once, and none by executing it again
          const patched = often.fake.writes.filter((one) => one.startsWith('patch'));
          expect(new Set(patched).size).toBe(patched.length);
          const before = often.fake.writes.filter((one) => one.startsWith('patch')).length;
          const again = await often.execute();
          expect(again.map(({ action }) => action)).toEqual(
            again.map(({ kind }) => (kind === 'Cluster' ? 'already untainted' : 'already gone')),
          );
          expect(often.left()).toEqual(once.left());
          expect(often.fake.writes.filter((one) => one.startsWith('patch'))).toHaveLength(before);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('replacing a policy by another', () => {
  const successor = { ...policy, metadata: { name: 'successor' } } as unknown as ClusterTaintPolicy;
  const replace = async (mishap: Mishap) => {
    const { fake, server, taints, exists } = given([mishap]);
    const [stored] = fake.store.all().filter(({ kind }) => kind === 'ClusterTaintPolicy');
    const change = {
      applied: [successor, { ...successor, metadata: { name: 'another' } }],
      deleted: [stored as unknown as ClusterTaintPolicy],
      deletion: 'pruned',
      removal,
    } as const;
    const options = { fieldManager: 'x', force: false, dryRun: false, pause: async () => undefined };
    const writes: MadeWrite[] = [];
    for await (const write of writePolicyChange(server, change, options)) writes.push(write);
    return { writes, taints: taints(), exists: exists() };
  };

  test('deletes and removes nothing if a new policy is not applied', async () => {
    const refusal: Mishap = { verb: 'apply', when: 'before', status: 422, message: 'no' };
    const { writes, taints, exists } = await replace(refusal);
    const message = 'successor is not applied; fix that and run the same command again';
    expect(writes).toMatchObject([
      { name: 'successor', action: 'refused', done: false },
      { name: 'another', action: 'created', done: true },
      { kind: 'Cluster', name: 'alpha', action: 'not untainted', done: false, skipped: true, message },
      {
        kind: 'ClusterTaintPolicy',
        name: 'network',
        action: 'not pruned',
        done: false,
        skipped: true,
        message,
      },
    ]);
    expect({ taints, exists }).toEqual({ taints: [put, person], exists: true });
  });
});
