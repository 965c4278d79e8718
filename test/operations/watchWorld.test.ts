import { describe, expect, test } from '@jest/globals';
import type { World } from '../../src/karmada/world.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { StartMirror } from '../../src/operations/watchMirrors.ts';
import { watchWorld, type WatchWorldOptions } from '../../src/operations/watchWorld.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import { START } from '../simulator/simulation/controlPlane.ts';
import { controlPlane, evict } from './eviction/evictingControlPlane.ts';
import type { FakeControlPlane } from './fakeControlPlane.ts';

const KINDS = ['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'ClusterTaintPolicy', 'Work'];
const MEMBER = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';

function watch(plane: FakeControlPlane, given?: StartMirror, more: Partial<WatchWorldOptions> = {}) {
  const client = plane.client();
  const start: StartMirror =
    given ?? ((path, listener) => client.openMirror(client.server, path, { listener }));
  const abort = new AbortController();
  const looks: { at: number; world: World }[] = [];
  const said: string[] = [];
  const over = watchWorld(start, {
    kinds: new Set(KINDS),
    now: () => plane.time.now(),
    pause: client.pause,
    signal: abort.signal,
    stopwatch: () => plane.time.now(),
    onWorld: (world, now) => looks.push({ at: now - START, world }),
    onSilence: (silent) => said.push(silent ? 'silent' : 'heard again'),
    onWarning: (message) => said.push(message),
    ...more,
  });
  over.catch(() => undefined);
  const pass = (seconds: number) => plane.time.until(client.pause(seconds * 1000));
  const stop = () => {
    abort.abort();
    return plane.time.until(over);
  };
  return { looks, said, pass, stop, over };
}

const forbidding =
  (plane: FakeControlPlane, forbidden: RegExp, status = 403): StartMirror =>
  (path, listener) => {
    const { server, openMirror } = plane.client();
    const mirror = openMirror(server, path, { listener });
    if (!forbidden.test(path)) return mirror;
    mirror.stop();
    const error = new ApiError(`cannot list ${path}`, { status, reason: 'Forbidden' });
    return { ...mirror, synced: Promise.reject(error), staleSince: () => START };
  };

const label = (plane: FakeControlPlane, value: string) =>
  plane.edit<KubernetesObject>(MEMBER, (one) => ({
    ...one,
    metadata: { ...one.metadata, labels: { value } },
  }));

describe('a watch of the world', () => {
  test('reports the world after the first read and after each change', async () => {
    const plane = controlPlane();
    const { looks, pass, stop } = watch(plane);
    await pass(5);
    expect(looks).toHaveLength(1);
    expect(looks[0]!.world).toMatchObject({
      clusters: [{ metadata: { name: 'member1' } }, { metadata: { name: 'member2' } }],
      bindings: [{ metadata: { name: 'cart-deployment' } }],
      unread: [],
    });
    evict(plane, 0);
    await pass(5);
    await stop();
    expect(looks.at(-1)!.world.bindings[0]!.spec.clusters).toEqual([{ name: 'member2', replicas: 3 }]);
  });

  for (const [reason, reported] of [
    ['AuthProviderFailed', 'the login has expired'],
    ['ECONNREFUSED', 'silent'],
  ] as const)
    test(`reports the reason for a stale watch (${reason})`, async () => {
      const plane = controlPlane();
      const { server, openMirror } = plane.client();
      const failing: StartMirror = (path, listener) => ({
        ...openMirror(server, path, { listener }),
        staleSince: () => START,
        failure: () => new ApiError('the login has expired', { status: 0, reason }),
      });
      const heard: string[] = [];
      const onSilence = (_: boolean, why = 'silent') => void heard.push(why);
      const { pass, stop } = watch(plane, failing, { onSilence });
      await pass(10);
      await stop();
      expect(heard).toEqual([reported]);
    });

  test('reports the start of a period without responses, by the clock of the server', async () => {
    // given a server whose clock differs from the machine's, silent for 20 s
    const plane = controlPlane();
    const { server, openMirror } = plane.client();
    const heardAt = Date.now() - 20_000;
    const silent: StartMirror = (path, listener) => ({
      ...openMirror(server, path, { listener }),
      staleSince: () => heardAt,
    });
    const reported: { silentFor: number; most: number }[] = [];
    const { pass, stop } = watch(plane, silent, {
      onSilence: (_, _why, since) =>
        void reported.push({ silentFor: plane.time.now() - since!, most: Date.now() - heardAt }),
    });
    await pass(10);
    await stop();
    const [{ silentFor, most }] = reported as [(typeof reported)[0]];
    expect(silentFor).toBeGreaterThanOrEqual(20_000);
    expect(silentFor).toBeLessThanOrEqual(most);
  });

  test('combines changes within a quarter of a second', async () => {
    const plane = controlPlane();
    const { looks, pass, stop } = watch(plane);
    await pass(5);
    for (let i = 0; i < 10; i++) {
      label(plane, String(i));
      await pass(0.02);
    }
    await pass(5);
    await stop();
    expect(looks).toHaveLength(2);
    expect(looks[1]!.world.clusters[0]!.metadata.labels).toEqual({ value: '9' });
  });

  test('pauses after a long refresh without missing a change', async () => {
    const plane = controlPlane();
    let looking = 0;
    const values: unknown[] = [];
    const { pass, stop } = watch(plane, undefined, {
      stopwatch: () => plane.time.now() + looking,
      onWorld({ clusters }) {
        looking += 1000;
        values.push(clusters[0]!.metadata.labels?.value);
      },
    });
    await pass(5);
    // a look of a second and a pause of four, however much happens in ten seconds
    for (let i = 0; i < 40; i++) {
      label(plane, String(i));
      await pass(0.25);
    }
    await pass(5);
    expect(values.length).toBeLessThanOrEqual(5);
    expect(values.at(-1)).toBe('39');
    // after a pause it looks at once
    label(plane, 'late');
    await pass(5);
    label(plane, 'later');
    await pass(0.5);
    await stop();
    expect(values.at(-1)).toBe('later');
  });

  test('continues without unreadable kinds, and warns about them', async () => {
    const plane = controlPlane();
    const { looks, said, pass, stop } = watch(plane, forbidding(plane, /works$/));
    await pass(15);
    await stop();
    expect(looks[0]!.world.unread).toMatchObject([{ kind: 'Work' }]);
    expect(said).toEqual([expect.stringMatching(/^cannot list .*works; .*karmada-failover-reader/)]);
  });

  test('continues without kinds that the API does not serve', async () => {
    const plane = controlPlane();
    const { looks, said, pass, stop } = watch(plane, forbidding(plane, /clustertaintpolicies$/, 404));
    await pass(5);
    await stop();
    expect(looks[0]!.world.unread).toEqual([]);
    expect(said).toEqual([]);
  });

  test('fails without permission to read bindings, and names the ClusterRole', async () => {
    const plane = controlPlane();
    const { over } = watch(plane, forbidding(plane, /\/resourcebindings$/));
    await expect(plane.time.until(over)).rejects.toThrow(/granted by the ClusterRole/);
  });

  test('reports when the server stops and resumes responding', async () => {
    const plane = controlPlane();
    const cut = { path: /clusters$/, at: START + 10_000, milliseconds: 20_000, silent: false };
    const client = plane.client({ cuts: [cut] });
    const { said, pass, stop } = watch(plane, (path, listener) =>
      client.openMirror(client.server, path, { listener }),
    );
    await pass(60);
    await stop();
    expect(said).toEqual(['silent', 'heard again']);
  });
});
