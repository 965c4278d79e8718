import { afterAll, describe, expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { OpenMirror } from '../../src/state/live/mirrors/mirror.ts';
import { recordWorld } from '../../src/operations/recordWorld.ts';
import { openRecording } from '../../src/state/recording/recording.ts';
import { createRecording } from '../../src/state/recording/recordingWriter.ts';
import { START } from '../simulator/simulation/controlPlane.ts';
import { recordingPlace } from '../state/recording/recorded.ts';
import { controlPlane, evict } from './eviction/evictingControlPlane.ts';
import type { FakeControlPlane } from './fakeControlPlane.ts';

const place = recordingPlace();
afterAll(() => place.end());

const MEMBER = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';

async function record(plane: FakeControlPlane, open?: OpenMirror, now = () => plane.time.now()) {
  const file = place.file();
  const client = plane.client();
  const writer = await createRecording(file, { escaped: (text) => text });
  const abort = new AbortController();
  const said: string[] = [];
  const over = recordWorld(client.server, {
    openMirror: open ?? client.openMirror,
    writer,
    known: { components: { commandLines: [], versions: [], warnings: [] }, warnings: [] },
    templates: [],
    onStart: () => void said.push('started'),
    now,
    pause: client.pause,
    signal: abort.signal,
    onSilence: (silent) => void said.push(silent ? 'silent' : 'heard again'),
    onWarning: (message) => void said.push(message),
  });
  over.catch(() => undefined);
  /** Lets time pass, and pending writes complete. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      await plane.time.until(client.pause(1000));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const stop = async () => {
    abort.abort();
    await plane.time.until(over);
    await writer.close(now(), 'it was over');
    return openRecording([file]);
  };
  return { file, said, pass, stop, over };
}

describe('a recording of a control plane', () => {
  test('contains the world at the start and each change with its time', async () => {
    const plane = controlPlane();
    const { pass, stop, said } = await record(plane);
    await pass(3);
    const evicted = plane.time.now();
    evict(plane, 0);
    await pass(3);
    const recording = await stop();
    expect(said).toEqual(['started']);
    const before = recording.worldAt(recording.from);
    expect(before.clusters.map(({ metadata }) => metadata.name)).toEqual(['member1', 'member2']);
    expect(before.bindings[0]!.spec.gracefulEvictionTasks).toBeUndefined();
    const after = recording.worldAt(recording.to);
    expect(after.bindings[0]!.spec.clusters).toEqual([{ name: 'member2', replicas: 3 }]);
    const [change] = recording.changes;
    expect(change!.of).toBe('work.karmada.io/ResourceBinding/shop/cart-deployment');
    expect(change!.at - evicted).toBeLessThan(1000);
  });

  test('contains a change within half a second', async () => {
    const plane = controlPlane();
    const { pass, stop, file } = await record(plane);
    await pass(3);
    evict(plane, 0);
    await plane.time.until(plane.client().pause(500));
    // pending writes arrive soon, and nothing more: virtual time does not advance
    const recorded = async () => (await openRecording([file])).changes.map(({ of }) => of);
    while (!(await recorded()).includes('work.karmada.io/ResourceBinding/shop/cart-deployment'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await stop();
  });

  test('contains Events of relevant reasons, and the managers of cluster taints', async () => {
    const plane = controlPlane();
    const asked: Record<string, unknown> = {};
    let notify: (object: KubernetesObject) => void = () => undefined;
    const open: OpenMirror = (server, path, options) => {
      const { query, managedFields } = options ?? {};
      asked[path] = { query, managedFields };
      if (path === '/api/v1/events') notify = (after) => options?.listener?.({ after: after as never });
      return plane.client().openMirror(server, path, options);
    };
    const { pass, stop } = await record(plane, open);
    await pass(2);
    const event = (name: string, reason: string) =>
      ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        reason,
        message: 'x',
        lastTimestamp: '2026-09-01T10:00:00Z',
        source: { component: 'some' },
        involvedObject: { kind: 'Cluster', name: 'member1' },
      }) as KubernetesObject;
    notify(event('a', 'TaintClusterFailed'));
    notify(event('b', 'SomethingElse'));
    await pass(2);
    const { changes } = await stop();
    expect(changes.map(({ after }) => after)).toEqual([event('a', 'TaintClusterFailed')]);
    expect(asked['/api/v1/events']).toMatchObject({
      query: { fieldSelector: expect.stringContaining('reason!=SyncWorkSucceed') as unknown },
    });
    expect(asked['/apis/cluster.karmada.io/v1alpha1/clusters']).toMatchObject({ managedFields: true });
    expect(asked['/apis/work.karmada.io/v1alpha1/works']).toMatchObject({ managedFields: undefined });
  });

  test('contains heartbeats while no object changes', async () => {
    const { pass, stop, file } = await record(controlPlane());
    await pass(14);
    await stop();
    const rows = gunzipSync(readFileSync(file)).toString().split('\n');
    expect(rows.filter((row) => row.includes('"alive":true')).length).toBeGreaterThanOrEqual(2);
  });

  test('contains a gap while the watch of a kind is stale', async () => {
    const plane = controlPlane();
    let silentSince: number | undefined;
    const open: OpenMirror = (server, path, options) => {
      const mirror = plane.client().openMirror(server, path, options);
      return path.endsWith('/works')
        ? { ...mirror, objects: mirror.objects, staleSince: () => silentSince }
        : mirror;
    };
    const { pass, stop } = await record(plane, open as OpenMirror);
    await pass(2);
    silentSince = Date.now();
    await pass(4);
    silentSince = undefined;
    await pass(2);
    const { gaps } = await stop();
    expect(gaps).toEqual([{ kind: 'Work', from: expect.any(Number), to: expect.any(Number), lost: false }]);
    expect(gaps[0]!.to! - gaps[0]!.from).toBeGreaterThanOrEqual(3000);
  });

  test('contains a gap for the time in which the recorder slept', async () => {
    // given a recorder whose machine sleeps for a minute, as its clock shows afterwards
    const plane = controlPlane();
    let slept = 0;
    const { pass, stop } = await record(plane, undefined, () => plane.time.now() + slept);
    await pass(3);
    slept = 60_000;
    await pass(3);
    const { gaps } = await stop();
    // then each kind has a gap of that period
    expect(gaps.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Cluster', 'ResourceBinding', 'Work']),
    );
    for (const { from, to, lost } of gaps) {
      expect(to! - from).toBeGreaterThanOrEqual(60_000);
      expect(lost).toBe(false);
    }
  });

  test('marks a gap with lost changes if a kind is listed again', async () => {
    const plane = controlPlane();
    let listAgain: () => Promise<unknown> = () => Promise.resolve();
    const open: OpenMirror = (server, path, options) => {
      if (path.endsWith('/clusters')) {
        void server.list(path);
        listAgain = () => server.list(path);
      }
      return plane.client().openMirror(server, path, options);
    };
    const { pass, stop } = await record(plane, open);
    await pass(2);
    const listed = listAgain();
    plane.edit<KubernetesObject>(MEMBER, (one) => ({
      ...one,
      metadata: { ...one.metadata, labels: { a: 'b' } },
    }));
    await pass(3);
    await listed;
    const { gaps, worldAt, to } = await stop();
    expect(gaps).toMatchObject([{ kind: 'Cluster', lost: true }]);
    expect(worldAt(to).clusters[0]!.metadata.labels).toEqual({ a: 'b' });
  });

  test('fails if the file cannot be written', async () => {
    const plane = controlPlane();
    const client = plane.client();
    const writer = await createRecording(place.file(), { escaped: (text) => text });
    const failing = { ...writer, size: writer.size, flush: () => Promise.reject(new Error('no space left')) };
    const over = recordWorld(client.server, {
      openMirror: client.openMirror,
      writer: failing,
      known: { components: { commandLines: [], versions: [], warnings: [] }, warnings: [] },
      templates: [],
      onStart: () => undefined,
      now: () => START,
      pause: client.pause,
      signal: new AbortController().signal,
      onSilence: () => undefined,
      onWarning: () => undefined,
    });
    over.catch(() => undefined);
    await expect(plane.time.until(over)).rejects.toThrow('no space left');
    await writer.close(START, 'over');
  });
});
