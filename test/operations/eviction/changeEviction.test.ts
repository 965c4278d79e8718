import { describe, expect, test } from '@jest/globals';
import type { EvictionActionName } from '../../../src/analysis/evictionAction/actionOutcome.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { changeEviction } from '../../../src/operations/eviction/changeEviction.ts';
import type { Client, ClientOptions } from '../fakeClient.ts';
import type { FakeControlPlane } from '../fakeControlPlane.ts';
import { groups } from '../drain/drainScene.ts';
import { contextOf, controlPlane, evict, PATH } from './evictingControlPlane.ts';

interface Asked {
  allowLoss?: boolean;
  dryRun?: 'none' | 'client' | 'server';
  client?: ClientOptions;
  /** the binding as read before, if others have changed it since */
  binding?: ResourceBinding;
}

async function change(plane: FakeControlPlane, action: EvictionActionName, asked: Asked = {}) {
  const client: Client = plane.client(asked.client);
  const binding = asked.binding ?? (await plane.time.until(client.server.get<ResourceBinding>(PATH)));
  const outcome = await plane.time.until(
    changeEviction(
      client.server,
      action,
      { binding, fromCluster: 'member1' },
      {
        allowLoss: asked.allowLoss ?? false,
        dryRun: asked.dryRun ?? 'none',
        context: () => contextOf(plane),
        pause: client.pause,
      },
    ),
  );
  return { ...outcome, writes: client.writes };
}

const cart = (plane: FakeControlPlane) => plane.binding('cart-deployment');
const pass = ({ time }: FakeControlPlane, seconds: number) => time.run(time.now() + seconds * 1000);
const copies = (plane: FakeControlPlane) =>
  plane.works().map(({ metadata }) => metadata.namespace!.replace('karmada-es-', ''));

describe('a change of an eviction has the predicted result', () => {
  test('a held old copy stays past its deadline, and its release deletes it once the replacement is ready', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    const hold = await change(plane, 'hold');
    expect(hold).toMatchObject({ result: 'changed', action: { taskEnds: 'never', oldCopy: 'stays' } });
    pass(plane, 1200);
    expect(copies(plane)).toEqual(['member1', 'member2']);

    const release = await change(plane, 'release');
    expect(release).toMatchObject({ result: 'changed', action: { taskEnds: 'now', oldCopy: 'deleted' } });
    pass(plane, 5);
    expect(cart(plane).spec.gracefulEvictionTasks).toEqual([]);
    expect(copies(plane)).toEqual(['member2']);
    expect(plane.history.leastReady.get('cart-deployment')).toBe(3);
  });

  test('a cancelled eviction restores the old copy without downtime', async () => {
    const plane = controlPlane();
    evict(plane, 5);
    const cancelled = await change(plane, 'cancel');
    expect(cancelled).toMatchObject({
      result: 'changed',
      action: { clusters: [{ name: 'member1', replicas: 3 }], oldCopy: 'stays' },
    });
    pass(plane, 60);
    expect(cart(plane).spec.clusters).toEqual(cancelled.action.clusters);
    expect(copies(plane)).toEqual(['member1']);
    expect(plane.history.leastReady.get('cart-deployment')).toBe(3);
  });

  test('a cancelled eviction restores the previous affinity group', async () => {
    const plane = controlPlane(20, groups('member1', 'member2'));
    evict(plane, 5);
    expect(cart(plane).status?.schedulerObservingAffinityName).toBe('member2');
    const rehearsed = await change(plane, 'cancel', { dryRun: 'server' });
    expect(rehearsed).toMatchObject({ result: 'changed', action: { affinityName: 'member1' } });
    expect(cart(plane).status?.schedulerObservingAffinityName).toBe('member2');

    const cancelled = await change(plane, 'cancel');
    expect(cancelled).toMatchObject({ result: 'changed', action: { affinityName: 'member1' } });
    expect(cancelled.writes.map(({ path }) => path)).toEqual([`${PATH}/status`, PATH]);
    pass(plane, 60);
    expect(cart(plane).spec.clusters).toEqual([{ name: 'member1', replicas: 3 }]);
    expect(copies(plane)).toEqual(['member1']);
    expect(plane.history.leastReady.get('cart-deployment')).toBe(3);
  });

  test('a completed eviction deletes the old copy immediately', async () => {
    const plane = controlPlane();
    evict(plane, 5);
    expect(await change(plane, 'complete')).toMatchObject({ result: 'refused' });
    expect(await change(plane, 'complete', { allowLoss: true })).toMatchObject({
      result: 'changed',
      action: {
        taskEnds: 'now',
        oldCopy: 'deleted',
        risk: expect.stringMatching(/no other copy is known to be ready/),
      },
    });
    pass(plane, 3);
    expect(copies(plane)).toEqual(['member2']);
  });
});

test('a risky release is refused without a write', async () => {
  const plane = controlPlane();
  evict(plane, 5, { suppressDeletion: true });
  const { result, message, writes } = await change(plane, 'release');
  expect({ result, writes }).toEqual({ result: 'refused', writes: [] });
  expect(message).toMatch(/^Karmada would delete the copy on member1 at .*$/);
});

test('a patch contains the resource version, the uid and only the changed tasks', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const { writes } = await change(plane, 'hold');
  expect(writes).toEqual([
    {
      path: PATH,
      dryRun: false,
      patch: {
        metadata: { resourceVersion: expect.any(String), uid: expect.any(String) },
        spec: {
          gracefulEvictionTasks: [
            expect.objectContaining({ fromCluster: 'member1', producer: 'somebody', suppressDeletion: true }),
          ],
        },
      },
    },
  ]);
});

test('a change is recomputed after conflicts with other clients', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  let others = 2;
  const fault: ClientOptions['fault'] = ({ verb }) =>
    verb === 'patch' && others-- > 0 ? { type: 'foreign' } : undefined;
  expect(await change(plane, 'hold', { client: { fault } })).toMatchObject({ result: 'changed' });
  expect(cart(plane).spec.gracefulEvictionTasks).toMatchObject([{ suppressDeletion: true }]);
});

test('an eviction that Karmada has ended cannot be held, and counts as completed', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const binding = await plane.time.until(plane.client().server.get<ResourceBinding>(PATH));
  pass(plane, 60);
  expect(await change(plane, 'hold', { binding })).toMatchObject({
    result: 'impossible',
    action: { next: 'it is not being evicted from member1; no copy exists on member1' },
  });
  expect(await change(plane, 'complete')).toMatchObject({ result: 'unchanged', writes: [] });
});

test('a change fails after five conflicts with other clients', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const fault: ClientOptions['fault'] = ({ verb }) => (verb === 'patch' ? { type: 'foreign' } : undefined);
  const { result, message, writes } = await change(plane, 'hold', { client: { fault } });
  expect({ result, message }).toEqual({
    result: 'failed',
    message: 'conflict: other clients wrote it first at each of 5 tries; try again later',
  });
  expect(writes).toHaveLength(5);
  expect(cart(plane).spec.gracefulEvictionTasks?.[0]).not.toHaveProperty('suppressDeletion');
});

test('a change fails with the error of the server', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const binding = cart(plane);
  const { server } = plane.client();
  const unauthorized = () => Promise.reject(new ApiError('Unauthorized', { status: 401, reason: '' }));
  const hold = (denied: Partial<ApiServer>) =>
    plane.time.until(
      changeEviction(
        { ...server, ...denied },
        'hold',
        { binding, fromCluster: 'member1' },
        { allowLoss: false, dryRun: 'none', context: () => contextOf(plane) },
      ),
    );
  // the action is still reported, as the binding shows it
  expect(await hold({ list: unauthorized })).toMatchObject({
    result: 'failed',
    message: 'Unauthorized',
    action: { action: 'hold', fromCluster: 'member1' },
  });
  expect(cart(plane)).toEqual(binding);
});

test('an interruption ends the request for Works', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const binding = cart(plane);
  const { server } = plane.client();
  const stop = new AbortController();
  plane.time.plan(plane.time.now() + 1000, () => stop.abort(new Error('SIGINT')));
  const list: ApiServer['list'] = (_path, { signal } = {}) =>
    new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
  const changed = changeEviction(
    { ...server, list },
    'hold',
    { binding, fromCluster: 'member1' },
    { allowLoss: false, dryRun: 'none', context: () => contextOf(plane), signal: stop.signal },
  );
  await expect(plane.time.until(changed)).rejects.toThrow('SIGINT');
  expect(cart(plane)).toEqual(binding);
});

test('a change of an eviction of a deleted binding is impossible', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const binding = cart(plane);
  const client = plane.client();
  const gone = () => Promise.reject(new ApiError('not found', { status: 404, reason: 'NotFound' }));
  const outcome = await plane.time.until(
    changeEviction(
      { ...client.server, patch: gone },
      'hold',
      { binding, fromCluster: 'member1' },
      { allowLoss: false, dryRun: 'none', context: () => contextOf(plane), pause: client.pause },
    ),
  );
  expect(outcome).toMatchObject({
    result: 'impossible',
    action: { verdict: 'impossible', taskEnds: 'no-task', oldCopy: 'gone', clusters: [] },
  });
});

test('a change with a lost response is verified by a read and not sent again', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  let lost = 1;
  const fault: ClientOptions['fault'] = ({ verb }) =>
    verb === 'patch' && lost-- > 0 ? { type: 'reset', when: 'after' } : undefined;
  const { result, writes } = await change(plane, 'hold', { client: { fault } });
  expect({ result, sent: writes.length }).toEqual({ result: 'changed', sent: 1 });
});

test('a dry run writes nothing: with client it sends no request, with server it requests validation', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  expect(await change(plane, 'hold', { dryRun: 'client' })).toMatchObject({ result: 'planned', writes: [] });
  expect(await change(plane, 'hold', { dryRun: 'server' })).toMatchObject({
    result: 'changed',
    writes: [{ dryRun: true }],
  });
  expect(cart(plane).spec.gracefulEvictionTasks?.[0]).not.toHaveProperty('suppressDeletion');
});

test('a change that the server rejects fails, and a dry run reports it as impossible', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  const fault: ClientOptions['fault'] = ({ verb }) =>
    verb === 'patch' ? { type: 'error', when: 'before' } : undefined;
  const asked = { client: { fault } };
  expect(await change(plane, 'hold', asked)).toMatchObject({ result: 'failed', message: 'internal error' });
  expect(await change(plane, 'hold', { ...asked, dryRun: 'server' })).toMatchObject({
    result: 'impossible',
    message: 'the API server would not admit it: internal error',
  });
});

test('a change keeps unknown fields of eviction tasks', async () => {
  const plane = controlPlane();
  evict(plane, 5);
  plane.edit<KubernetesObject & ResourceBinding>(PATH, (binding) => ({
    ...binding,
    spec: {
      ...binding.spec,
      gracefulEvictionTasks: binding.spec.gracefulEvictionTasks!.map((task) => ({ ...task, later: [1] })),
    },
  }));
  await change(plane, 'hold');
  expect(cart(plane).spec.gracefulEvictionTasks).toMatchObject([{ later: [1], suppressDeletion: true }]);
});
