import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import { cordon } from '../../src/operations/cordon.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import type { Client, ClientOptions } from './fakeClient.ts';
import { createFakeControlPlane } from './fakeControlPlane.ts';
import { cluster, drainOptions, scene, smallScene, START } from './drain/drainScene.ts';
import { v1_18 } from '../dialects.ts';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

/** Another client writes these objects just before each of our writes. */
const contending = (path: RegExp): ClientOptions => ({
  fault: (request) => (request.verb === 'patch' && path.test(request.path) ? { type: 'foreign' } : undefined),
});

const three = () =>
  createFakeControlPlane(
    scene(
      ['member1', 'member2', 'member3'].map((name) => cluster(name)),
      [],
    ),
    { start: START },
  );

async function cordonAll({ server, pause }: Client, signal?: AbortSignal) {
  const done: string[] = [];
  let failure: unknown;
  try {
    const names = ['member1', 'member2', 'member3'];
    for await (const one of cordon(server, names, { pause, signal })) done.push(one.cluster.metadata.name);
  } catch (error) {
    failure = error;
  }
  return { done, message: (failure as Error | undefined)?.message };
}

describe('cordon with API errors', () => {
  test('tries a cluster with conflicts five times, reports it, and continues with the next cluster', async () => {
    const plane = three();
    const client = plane.client(contending(/member2/));
    const { done, message } = await plane.time.until(cordonAll(client));
    expect(done).toEqual(['member1', 'member3']);
    expect(message).toBe(
      'Cluster member2: conflict: other clients wrote it first at each of 5 tries; try again later',
    );
    expect(client.writes.filter(({ path }) => path.includes('member2'))).toHaveLength(5);
    expect(client.writes).toHaveLength(7);
  });

  test('fails if the response shows an unchanged cluster, and names the webhook', async () => {
    const plane = three();
    const client = plane.client();
    const server: ApiServer = {
      ...client.server,
      patch: (path) => client.server.get(path),
      list: (path, options) =>
        path !== WEBHOOKS
          ? client.server.list(path, options)
          : Promise.resolve({
              resourceVersion: '1',
              items: [
                {
                  apiVersion: 'v1',
                  kind: 'MutatingWebhookConfiguration',
                  metadata: { name: 'guard' },
                  webhooks: [
                    {
                      name: 'taints.guard.example',
                      rules: [
                        { apiGroups: ['cluster.karmada.io'], apiVersions: ['*'], resources: ['clusters'] },
                      ],
                    },
                    {
                      name: 'pods.guard.example',
                      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
                    },
                  ],
                },
              ],
            }),
    };
    const { done, message } = await plane.time.until(cordonAll({ ...client, server }));
    expect(done).toEqual([]);
    expect(message).toContain(
      'Cluster member1: the API server accepts the change, but the object does not show it in spec.taints; an admission webhook reverts it: taints.guard.example (guard)',
    );
    expect(message).not.toContain('pods.guard.example');
  });

  test('reads the cluster if the response shows another object', async () => {
    const plane = three();
    const client = plane.client();
    const server: ApiServer = {
      ...client.server,
      async patch<T>(path: string, ...rest: [unknown]) {
        const answer = await client.server.patch<Cluster>(path, ...rest);
        return { ...answer, metadata: { ...answer.metadata, uid: 'of another' } } as T;
      },
    };
    expect((await plane.time.until(cordonAll({ ...client, server }))).done).toHaveLength(3);
    expect(client.writes).toHaveLength(3);
  });

  test('ends within two seconds of an interruption although the server does not respond', async () => {
    const plane = three();
    const client = plane.client();
    const stop = new AbortController();
    const server: ApiServer = {
      ...client.server,
      patch: (_path, _patch, { signal } = {}) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    plane.time.plan(START + 5000, () => stop.abort(new Error('SIGINT')));
    const { message } = await plane.time.until(cordonAll({ ...client, server }, stop.signal));
    expect(plane.time.now() - START).toBeLessThan(7000);
    expect(message).toBe(
      'Cluster member1: stopped before the API server answered; unknown whether it has the change',
    );
  });

  test.each([
    [
      'is overloaded',
      () => new ApiError('busy', { status: 429, reason: 'TooManyRequests', retryAfter: 60 }),
      3,
    ],
    ['returns internal errors', () => new ApiError('oops', { status: 500, reason: 'InternalError' }), 5],
    ['resets connections', () => new ApiError('reset', { status: 0, reason: 'ECONNRESET' }), 15],
  ])('limits its writes if the server %s', async (_, failure, most) => {
    const plane = three();
    const client = plane.client();
    const tries = new Map<string, number>();
    const server: ApiServer = {
      ...client.server,
      patch(path) {
        tries.set(path, (tries.get(path) ?? 0) + 1);
        return Promise.reject(failure());
      },
    };
    const { done } = await plane.time.until(cordonAll({ ...client, server }));
    expect(done).toEqual([]);
    for (const count of tries.values()) expect(count).toBeLessThanOrEqual(most);
    expect(tries.size).toBeGreaterThan(0);
  });
});

describe('a drain with conflicting writes', () => {
  test('skips a workload whose binding has conflicts after 20 writes, and drains all other workloads', async () => {
    const plane = createFakeControlPlane(smallScene(), { start: START });
    const names = plane.bindings().map(({ metadata }) => metadata.name);
    const poisoned = names[0]!;
    const client = plane.client(contending(new RegExp(`/${poisoned}$`)));
    const { server, pause, openMirror, stopwatch } = client;
    const result = await plane.time.until(
      executeDrain(server, drainOptions(), { configuration: v1_18.defaults, pause, openMirror, stopwatch }),
    );
    expect(result.outcome).toBe('not-finished');
    expect(result.reason).toBe('1 workload is left where it is');
    expect(result.workloads.find(({ phase }) => phase === 'skipped')).toMatchObject({
      binding: { name: poisoned },
      waitingFor: 'conflict: other clients wrote it first at each of 5 tries; try again later',
    });
    expect(result.gone).toBe(result.workloads.length - 1);
    expect(client.writes.filter(({ path }) => path.endsWith(poisoned))).toHaveLength(20);
  });

  test('fails after five conflicts on the Cluster, before any eviction', async () => {
    const plane = createFakeControlPlane(smallScene(), { start: START });
    const client = plane.client(contending(/\/clusters\//));
    const { server, pause, openMirror, stopwatch } = client;
    const drained = executeDrain(server, drainOptions(), {
      configuration: v1_18.defaults,
      pause,
      openMirror,
      stopwatch,
    });
    await expect(plane.time.until(drained)).rejects.toThrow(/^Cluster \S+: conflict/);
    expect(client.writes).toHaveLength(5);
  });
});
