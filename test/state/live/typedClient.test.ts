import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClusterEvent } from '../../../src/state/live/typedObjects.ts';
import { Workbench } from './connecting.ts';
import { status } from './fakeHttpServer.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const at = Date.parse('2026-09-01T10:00:00.250Z');
const record = {
  holderIdentity: 'one',
  leaseDurationSeconds: 15,
  leaseTransitions: 2,
  acquireTime: at,
  renewTime: at + 1000,
};
const spec = {
  holderIdentity: 'one',
  leaseDurationSeconds: 15,
  leaseTransitions: 2,
  acquireTime: '2026-09-01T10:00:00.250000Z',
  renewTime: '2026-09-01T10:00:01.250000Z',
};
const PATH = '/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases';

describe('a Lease', () => {
  test('is created and read, and replaced with its version as a precondition', async () => {
    const metadata = { name: 'controller', namespace: 'karmada-system', resourceVersion: '7' };
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: { ...spec, strategy: 'x' },
    };
    const server = await bench.server(({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      body: lease,
    }));
    const leases = (await (await bench.connect(server, { user: { token: 'secret' } })).typed()).leases(
      'karmada-system',
    );
    const created = await leases.create('controller', record);
    expect(created.record).toEqual(record);
    const read = await leases.read('controller');
    await leases.replace(read!, { ...record, holderIdentity: '' });
    const [post, get, put] = server.requests;
    expect([post!.method, post!.path, JSON.parse(post!.body)]).toEqual([
      'POST',
      PATH,
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'controller', namespace: 'karmada-system' },
        spec,
      },
    ]);
    expect(get).toMatchObject({
      method: 'GET',
      path: `${PATH}/controller`,
      headers: { authorization: 'Bearer secret' },
    });
    expect([put!.method, JSON.parse(put!.body)]).toMatchObject([
      'PUT',
      { metadata: { resourceVersion: '7' }, spec: { ...spec, holderIdentity: '', strategy: 'x' } },
    ]);
  });

  test('is undefined if it does not exist, and a conflict is an API error', async () => {
    const server = await bench.server(({ method }) =>
      method === 'GET' ? status(404, 'NotFound', 'no lease') : status(409, 'Conflict', 'modified'),
    );
    const leases = (await (await bench.connect(server)).typed()).leases('karmada-system');
    expect(await leases.read('controller')).toBeUndefined();
    await expect(leases.create('controller', record)).rejects.toMatchObject({ status: 409, exitCode: 4 });
  });

  test.each([
    ['not JSON', '<html>log in</html>', /cannot be read as JSON/],
    ['null', 'null', /is it an API server/],
    ['an empty object', '{}', /is it an API server/],
    ['nested too deeply', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, /more than 1000 levels deep/],
    [
      'a Lease with a number as finalizers',
      '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"controller","finalizers":5}}',
      /a broken object: Lease controller: metadata\.finalizers: 5 is a number/,
    ],
    [
      'a Lease with a number as holder',
      '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"controller"},"spec":{"holderIdentity":5}}',
      /a broken object: Lease controller: spec\.holderIdentity: 5 is a number/,
    ],
  ])('is refused as an error of the server if the response is %s', async (_, body, message) => {
    const server = await bench.server(() => ({ body }));
    const { leases, events } = await (await bench.connect(server)).typed();
    const system = leases('karmada-system');
    const event = { name: 'a.1', namespace: 'default', count: 1, message: '', lastTimestamp: at };
    for (const asked of [
      system.read('controller'),
      system.create('controller', record),
      system.replace({ record, stored: { metadata: { name: 'controller' } } }, record),
      events.patch(event as ClusterEvent),
    ]) {
      const error: unknown = await asked.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ exitCode: 4, message: expect.stringMatching(message) });
    }
  });

  test('read is aborted with its signal', async () => {
    const server = await bench.server(() => new Promise(() => undefined));
    const leases = (await (await bench.connect(server)).typed()).leases('karmada-system');
    const stop = new AbortController();
    const read = leases.read('controller', stop.signal);
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(read).rejects.toThrow('enough');
  });
});

describe('an Event', () => {
  test('is created as a whole, and patched with its changed fields', async () => {
    const server = await bench.server(({ body }) => ({ status: 201, body }));
    const { events } = await (await bench.connect(server)).typed();
    const event: ClusterEvent = {
      name: 'member1.1',
      namespace: 'default',
      type: 'Warning',
      reason: 'Tainted',
      message: 'why',
      component: 'karmada-failover',
      host: 'here',
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
      involvedObject: {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        name: 'member1',
        uid: 'u',
      },
    };
    await events.create(event);
    server.handle = () => ({ body: server.requests[0]!.body });
    await events.patch({ ...event, count: 2 });
    const [post, patch] = server.requests;
    expect([post!.path, JSON.parse(post!.body)]).toEqual([
      '/api/v1/namespaces/default/events',
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'member1.1', namespace: 'default' },
        involvedObject: event.involvedObject,
        type: 'Warning',
        reason: 'Tainted',
        message: 'why',
        count: 1,
        source: { component: 'karmada-failover', host: 'here' },
        reportingComponent: 'karmada-failover',
        reportingInstance: 'here',
        firstTimestamp: '2026-09-01T10:00:00.000Z',
        lastTimestamp: '2026-09-01T10:00:00.000Z',
      },
    ]);
    expect([patch!.method, patch!.path, patch!.headers['content-type'], JSON.parse(patch!.body)]).toEqual([
      'PATCH',
      '/api/v1/namespaces/default/events/member1.1',
      'application/merge-patch+json',
      { count: 2, message: 'why', lastTimestamp: '2026-09-01T10:00:00.000Z' },
    ]);
  });
});
