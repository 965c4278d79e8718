import { describe, expect, test } from '@jest/globals';
import type { EvictionTaskChange } from '../../../src/analysis/explanation/tasks/evictionTaskChanges.ts';
import { watchEvictions } from '../../../src/operations/eviction/watchEvictions.ts';
import type { StartMirror } from '../../../src/operations/watchMirrors.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { v1_18 } from '../../dialects.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import type { FakeControlPlane } from '../fakeControlPlane.ts';
import { controlPlane, evict, PATH } from './evictingControlPlane.ts';

interface Watched {
  told: string[];
  changes: EvictionTaskChange[];
  stop(): Promise<void>;
  /** lets time pass while the watch looks */
  pass(seconds: number): Promise<void>;
}

const FORBIDDEN = new ApiError('forbidden', { status: 403, reason: 'Forbidden' });

/** Mirrors of a control plane that forbids some paths. */
const forbidding =
  (plane: FakeControlPlane, forbidden: RegExp): StartMirror =>
  (path, listener) => {
    const { server, openMirror } = plane.client();
    const mirror = openMirror(server, path, { listener });
    if (!forbidden.test(path)) return mirror;
    mirror.stop();
    return { ...mirror, synced: Promise.reject(FORBIDDEN), staleSince: () => START };
  };

const nameOf = ({ metadata }: { metadata: { namespace?: string; name: string } }) =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;

async function watch(
  plane: FakeControlPlane,
  given?: StartMirror,
  concerns: (name: string) => boolean = () => true,
): Promise<Watched> {
  const client = plane.client();
  const start: StartMirror =
    given ?? ((path, listener) => client.openMirror(client.server, path, { listener }));
  const abort = new AbortController();
  const told: string[] = [];
  const changes: EvictionTaskChange[] = [];
  const at = (time: number) => `${Math.round((time - START) / 1000)}s`;
  const over = watchEvictions(start, {
    concerns: ({ metadata }) => concerns(metadata.name),
    configuration: v1_18.defaults,
    now: () => plane.time.now(),
    pause: client.pause,
    signal: abort.signal,
    onChanges(some, now) {
      changes.push(...some);
      if (some.length === 0) told.push(`${at(now)} nothing`);
      for (const { type, task, ended } of some)
        told.push([at(now), type, task.verdict, task.waitingFor ?? '', ended ?? ''].join(' ').trimEnd());
    },
    onSilence: (silent) => told.push(`${at(plane.time.now())} ${silent ? 'silent' : 'heard again'}`),
    onWarning: (message) => told.push(message),
  });
  over.catch(() => undefined);
  const pass = async (seconds: number) => plane.time.until(client.pause(seconds * 1000));
  await Promise.race([pass(1), over]);
  return {
    told,
    changes,
    pass,
    stop: () => {
      abort.abort();
      return plane.time.until(over);
    },
  };
}

describe('watching evictions', () => {
  test('tells where each task stands, and whenever that changes, to its end', async () => {
    const plane = controlPlane();
    const { told, pass, stop } = await watch(plane);
    evict(plane, 0);
    await pass(40);
    await stop();
    expect([...new Set(told)]).toEqual([
      '0s nothing',
      '1s ADDED new the graceful eviction controller to see it',
      '1s MODIFIED new the graceful eviction controller to see it',
      '1s MODIFIED waiting the scheduler to see generation 5',
      '1s MODIFIED waiting member2 to be Healthy (Unhealthy)',
      '24s MODIFIED ends-now',
      '24s DELETED ends-now  let-go',
    ]);
  });

  test('tells of those that are there at the start', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    const { told, stop } = await watch(plane);
    await stop();
    expect(told).toEqual(['3s ADDED waiting member2 to be Healthy (Unhealthy)']);
  });

  test('tells when a deadline passes though nothing changes', async () => {
    const plane = controlPlane();
    evict(plane, 3, { gracePeriodSeconds: 30 });
    const binding = plane.binding('cart-deployment');
    // a control plane whose controllers are down
    const still: StartMirror = (path, listener) => {
      const objects = new Map<string, never>();
      const found = path.endsWith('/resourcebindings')
        ? [binding]
        : path.endsWith('/clusters')
          ? plane.clusters()
          : [];
      const synced = Promise.resolve().then(() => {
        for (const object of found as never[]) {
          objects.set(nameOf(object), object);
          listener({ after: object });
        }
      });
      return {
        objects,
        synced,
        heardAt: () => 0,
        staleSince: () => undefined,
        observe: () => undefined,
        stop: () => undefined,
      };
    };
    const { told, pass, stop } = await watch(plane, still);
    await pass(60);
    await stop();
    expect(told).toEqual(['3s ADDED waiting member2 to be Healthy (Unhealthy)', '30s MODIFIED ends-now']);
  });

  test('tells that a cancelled workload is back', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    const { told, pass, stop } = await watch(plane);
    plane.edit(PATH, (binding: never) => {
      const { spec } = binding as { spec: object };
      const clusters = [{ name: 'member1', replicas: 3 }];
      return { ...(binding as object), spec: { ...spec, clusters, gracefulEvictionTasks: [] } } as never;
    });
    await pass(3);
    await stop();
    expect(told.at(-1)).toMatch(/DELETED .* returned$/);
  });

  test('says when the server is not heard of any more, and when it is again', async () => {
    const plane = controlPlane();
    const cut = { path: /clusters$/, at: START + 10_000, milliseconds: 20_000, silent: false };
    const client = plane.client({ cuts: [cut] });
    const { told, pass, stop } = await watch(plane, (path, listener) =>
      client.openMirror(client.server, path, { listener }),
    );
    await pass(60);
    await stop();
    expect(told).toEqual(['0s nothing', '15s silent', '30s heard again']);
  });

  test('is silent about bindings that were not asked for', async () => {
    const plane = controlPlane();
    const { told, pass, stop } = await watch(plane, undefined, (name) => name !== 'cart-deployment');
    evict(plane, 0);
    await pass(40);
    await stop();
    expect(told).toEqual(['0s nothing']);
  });

  test('says which kind it cannot see, and ends where it sees no bindings at all', async () => {
    const plane = controlPlane();
    const { told, pass, stop } = await watch(plane, forbidding(plane, /\/clusterresourcebindings$/));
    await pass(15);
    await stop();
    expect(told).toEqual(['ClusterResourceBindings cannot be read: forbidden', '0s nothing']);
    await expect(watch(plane, forbidding(plane, /\/resourcebindings$/))).rejects.toBe(FORBIDDEN);
  });
});
