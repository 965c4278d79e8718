import { describe, expect, test } from '@jest/globals';
import type { EvictionTaskChange } from '../../../src/analysis/explanation/tasks/evictionTaskChanges.ts';
import type { QueueStatus } from '../../../src/analysis/explanation/waitingEvictions.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { createQueueWatch, watchEvictions } from '../../../src/operations/eviction/watchEvictions.ts';
import type { StartMirror } from '../../../src/operations/watchMirrors.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { evictionQueueChanges } from '../../../src/views/eviction/evictionChanges.ts';
import { breaches } from '../../commands/schema.ts';
import { v1_18 } from '../../dialects.ts';
import { evicting, onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import { START, cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { answerText } from '../../views/shownText.ts';
import { type FakeControlPlane, createFakeControlPlane } from '../fakeControlPlane.ts';
import { PATH, controlPlane, evict } from './evictingControlPlane.ts';

interface Watched {
  reported: string[];
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
  timeoutAssumed?: string,
  components: Pick<Parameters<typeof watchEvictions>[1], 'others' | 'onStopped'> = {},
): Promise<Watched> {
  const client = plane.client();
  const start: StartMirror =
    given ?? ((path, listener) => client.openMirror(client.server, path, { listener }));
  const abort = new AbortController();
  const reported: string[] = [];
  const changes: EvictionTaskChange[] = [];
  const at = (time: number) => `${Math.round((time - START) / 1000)}s`;
  const over = watchEvictions(start, {
    concerns: ({ metadata }) => concerns(metadata.name),
    configuration: v1_18.defaults,
    timeoutAssumed,
    ...components,
    now: () => plane.time.now(),
    pause: client.pause,
    signal: abort.signal,
    onChanges(some, now) {
      changes.push(...some);
      if (some.length === 0) reported.push(`${at(now)} nothing`);
      for (const { type, task, ended } of some)
        reported.push([at(now), type, task.verdict, task.waitingFor ?? '', ended ?? ''].join(' ').trimEnd());
    },
    onSilence: (silent) => reported.push(`${at(plane.time.now())} ${silent ? 'silent' : 'heard again'}`),
    onWarning: (message) => reported.push(message),
  });
  over.catch(() => undefined);
  const pass = async (seconds: number) => plane.time.until(client.pause(seconds * 1000));
  await Promise.race([pass(1), over]);
  return {
    reported,
    changes,
    pass,
    stop: () => {
      abort.abort();
      return plane.time.until(over);
    },
  };
}

describe('a watch of evictions', () => {
  test('reports the state of each eviction task and every change until its end', async () => {
    const plane = controlPlane();
    const { reported, pass, stop } = await watch(plane);
    evict(plane, 0);
    await pass(40);
    await stop();
    expect([...new Set(reported)]).toEqual([
      '0s nothing',
      '1s ADDED new the graceful eviction controller to see it',
      '1s MODIFIED new the graceful eviction controller to see it',
      '1s MODIFIED waiting the scheduler to see generation 5',
      '1s MODIFIED waiting member2 to be Healthy (Unhealthy)',
      '24s MODIFIED ends-now',
      '24s DELETED ends-now  let-go',
    ]);
  });

  test('reports existing eviction tasks at the start', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    const { reported, stop } = await watch(plane);
    await stop();
    expect(reported).toEqual(['3s ADDED waiting member2 to be Healthy (Unhealthy)']);
  });

  test('infers the eviction timeout from an eviction that ends early without a healthy replacement', async () => {
    const plane = controlPlane(1000);
    const { reported, changes, pass, stop } = await watch(plane, undefined, undefined, '--assume');
    evict(plane, 0);
    await pass(30);
    expect(changes.at(-1)!.task).toMatchObject({ verdict: 'waiting', deadlineAssumed: true });
    plane.edit<KubernetesObject & ResourceBinding>(PATH, (binding) => ({
      ...binding,
      spec: { ...binding.spec, gracefulEvictionTasks: [] },
    }));
    await pass(1);
    await stop();
    expect(reported.filter((text) => text.includes('graceful-eviction-timeout'))).toEqual([
      expect.stringMatching(
        /^the eviction of Deployment cart from member1 ended after 3\ds without a Healthy replacement: graceful-eviction-timeout seems to be 3\ds here, not 10m,/,
      ),
    ]);
  });

  test('reports a task as unknown once the controller that would end it has stopped', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    let others: KubernetesObject[] = [];
    let refresh = () => {};
    const { changes, pass, stop } = await watch(plane, undefined, undefined, undefined, {
      others: () => others,
      onStopped: (again) => (refresh = again),
    });
    const spec = { renewTime: rfc3339(START - 600_000) };
    const metadata = { namespace: 'karmada-system', name: 'karmada-controller-manager' };
    others = [{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec } as KubernetesObject];
    refresh();
    await pass(1);
    await stop();
    expect(changes.at(-1)).toMatchObject({ type: 'MODIFIED', task: { certainty: 'unknown' } });
    expect(changes.at(-1)!.task.dependsOn!.join()).toContain('karmada-controller-manager has not renewed');
  });

  test('reports a passed deadline although no object changes', async () => {
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
    const { reported, pass, stop } = await watch(plane, still);
    await pass(60);
    await stop();
    expect(reported).toEqual(['3s ADDED waiting member2 to be Healthy (Unhealthy)', '30s MODIFIED ends-now']);
  });

  test('reports that a cancelled workload is restored', async () => {
    const plane = controlPlane();
    evict(plane, 3);
    const { reported, pass, stop } = await watch(plane);
    plane.edit(PATH, (binding: never) => {
      const { spec } = binding as { spec: object };
      const clusters = [{ name: 'member1', replicas: 3 }];
      return { ...(binding as object), spec: { ...spec, clusters, gracefulEvictionTasks: [] } } as never;
    });
    await pass(3);
    await stop();
    expect(reported.at(-1)).toMatch(/DELETED .* returned$/);
  });

  test('reports when the server stops and resumes responding', async () => {
    const plane = controlPlane();
    const cut = { path: /clusters$/, at: START + 10_000, milliseconds: 20_000, silent: false };
    const client = plane.client({ cuts: [cut] });
    const { reported, pass, stop } = await watch(plane, (path, listener) =>
      client.openMirror(client.server, path, { listener }),
    );
    await pass(60);
    await stop();
    expect(reported).toEqual(['0s nothing', '15s silent', '30s heard again']);
  });

  test('ignores bindings outside the selection', async () => {
    const plane = controlPlane();
    const { reported, pass, stop } = await watch(plane, undefined, (name) => name !== 'cart-deployment');
    evict(plane, 0);
    await pass(40);
    await stop();
    expect(reported).toEqual(['0s nothing']);
  });

  test('reports a kind without read permission, and fails without permission for bindings', async () => {
    const plane = controlPlane();
    const { reported, pass, stop } = await watch(plane, forbidding(plane, /\/clusterresourcebindings$/));
    await pass(15);
    await stop();
    expect(reported).toEqual(['ClusterResourceBindings cannot be read: forbidden', '0s nothing']);
    await expect(watch(plane, forbidding(plane, /\/resourcebindings$/))).rejects.toBe(FORBIDDEN);
  });
});

const configuration = evicting('proposal');
const members = { workloadReadyAfter: 1000, neverReady: [] };
const workload = (name: string, tolerationSeconds = 10) =>
  deployment(name, {
    placement: onOneOf('member1', 'member2', 'member3'),
    clusters: [{ name: 'member1', replicas: 1 }],
    replicas: 1,
    spec: { failover: { cluster: { tolerationSeconds } } },
  });
const faulty = cluster('member1', [{ key: 'fault', effect: 'PreferNoExecute', timeAdded: rfc3339(START) }]);
const clusters = [faulty, cluster('member2'), cluster('member3')];
const bindings = ['a', 'b', 'c'].map((name) => workload(name));

const brief = ({ clusters: counts }: QueueStatus) =>
  counts.map(({ waiting, tolerating }) => `${waiting} wait, ${tolerating} tolerated`).join();

/**
 * Watches a control plane that follows the design for some seconds; returns the reports about the queue, with their
 * seconds.
 */
async function watched(
  concerns: (name: string) => boolean,
  seconds: number,
  { rate = 0.5, workloads = bindings, onPause = (): void => undefined } = {},
) {
  const configuration = evicting('proposal', { 'resource-eviction-rate': rate });
  const plane = createFakeControlPlane(plainWorld(clusters, workloads), {
    start: START,
    configuration,
    members,
  });
  const client = plane.client();
  const abort = new AbortController();
  const reported: string[] = [];
  const over = watchEvictions((path, listener) => client.openMirror(client.server, path, { listener }), {
    concerns: ({ metadata }) => concerns(metadata.name),
    configuration,
    now: () => plane.time.now(),
    pause: (milliseconds, signal) => {
      onPause();
      return client.pause(milliseconds, signal);
    },
    signal: abort.signal,
    onChanges: () => undefined,
    onQueue: (standing, now) => reported.push(`${Math.floor((now - START) / 1000)}s ${brief(standing)}`),
    onSilence: () => undefined,
    onWarning: () => undefined,
  });
  await plane.time.until(client.pause(seconds * 1000));
  abort.abort();
  await plane.time.until(over);
  return reported;
}

describe('a watch of the eviction queue', () => {
  test('reports the queue at the start, when tolerations end, and at each turn', async () => {
    expect(await watched(() => true, 20)).toEqual([
      '0s 0 wait, 3 tolerated',
      '10s 2 wait, 0 tolerated',
      '12s 1 wait, 0 tolerated',
      '14s ',
    ]);
  });

  test('reports at most once per second', async () => {
    const workloads = Array.from({ length: 30 }, (_, at) => workload(`w${at}`));
    const reported = await watched(() => true, 20, { rate: 10, workloads });
    const seconds = reported.map((line) => line.split(' ')[0]);
    expect(seconds).toEqual([...new Set(seconds)]);
    expect(reported.length).toBeGreaterThan(3);
    expect(reported.at(-1)).toMatch(/^1[34]s $/);
  });

  test('does not read repeatedly when a toleration ends before the next read', async () => {
    const early = Array.from({ length: 30 }, (_, at) => workload(`w${at}`));
    let pauses = 0;
    const onPause = () => {
      if (++pauses > 5000) throw new Error('it never rests');
    };
    const reported = await watched(() => true, 20, {
      rate: 10,
      onPause,
      workloads: [...early, workload('late', 11), workload('later', 12)],
    });
    expect(reported.at(-1)).toMatch(/^1[34]s $/);
  });

  test('reports only the selected workloads', async () => {
    expect(await watched((name) => name === 'c-deployment', 20)).toEqual([
      '0s 0 wait, 1 tolerated',
      expect.stringMatching(/^1[01]s 1 wait, 0 tolerated$/),
      '14s ',
    ]);
  });
});

describe('the status of the eviction queue', () => {
  const queue = () => createQueueWatch({ configuration, partial: false, concerns: () => true })!;

  test('is reported once while no object changes', () => {
    const watch = queue();
    expect(watch.read(clusters, bindings, START + 30_000)).toMatchObject({ waiting: 3 });
    expect(watch.read(clusters, bindings, START + 60_000)).toBeUndefined();
    expect(watch.read(clusters, bindings.slice(1), START + 60_000)).toMatchObject({ waiting: 2 });
  });

  test('is not reported for an empty queue, nor for released versions of Karmada', () => {
    expect(queue().read(clusters.slice(1), bindings, START)).toBeUndefined();
    const released = { configuration: evicting('v1.18'), partial: false, concerns: () => true };
    expect(createQueueWatch(released)).toBeUndefined();
  });

  test('is shown as a sentence and as a JSON document', () => {
    const watch = queue();
    const views = evictionQueueChanges('proposal');
    const standing = watch.read(clusters, bindings, START + 30_000)!;
    expect(breaches('eviction-queue-change', views.document(standing, START))).toBe('');
    expect(answerText(views.answer([standing], START + 30_000))).toMatch(
      /The eviction queue evicts 0\.5 workloads per second: 1 of 3.*\s+3 workloads wait in the eviction queue \(member1 3\)/,
    );
    const nothing = watch.read(clusters, [], START + 30_000)!;
    expect(answerText(views.answer([nothing], START))).toContain('The eviction queue is empty.');
  });
});
