import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { slimServer } from '../../../src/operations/slimServer.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { fieldConflicts } from '../../../src/state/live/fieldConflicts.ts';
import { apiPath, CLUSTERS, groupPath } from '../../../src/state/live/resources.ts';
import { servedGroups } from '../../../src/state/live/served/servedGroups.ts';
import { servedResources } from '../../../src/state/live/served/servedResources.ts';
import { servedVersion } from '../../../src/state/live/served/servedVersion.ts';
import { Workbench } from './connecting.ts';
import type { Handler, Reply } from './fakeHttpServer.ts';
import { fakeTiming } from './fakeTiming.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

async function answering(handle: Handler) {
  const timing = fakeTiming({ jumps: true });
  const server = await bench.server(handle);
  return { server, timing, api: await bench.connect(server, { timing }) };
}

async function failure(asked: Promise<unknown>): Promise<ApiError> {
  const error = await asked.then(
    (value) => new Error(`no failure, but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

const page = (items: unknown, metadata: unknown = {}): Reply => ({
  body: { kind: 'ClusterList', apiVersion: 'cluster.karmada.io/v1alpha1', metadata, items },
});

describe('a list response', () => {
  test.each<[name: string, reply: Reply]>([
    ['null', { body: 'null' }],
    ['a number', { body: '5' }],
    ['a list', { body: '[1]' }],
    ['an empty object', { body: '{}' }],
    ['a number as kind', { body: { kind: 5, apiVersion: 7, items: [] } }],
    ['an object as items', page({})],
    ['text as items', page('abc')],
    ['null among the items', page([null])],
    ['a number among the items', page([5])],
    ['an item without metadata', page([{ spec: {} }])],
    ['an item without a name', page([{ metadata: {} }])],
    ['an object as namespace', page([{ metadata: { name: 'a', namespace: {} } }])],
    ['a number as resource version', page([{ metadata: { name: 'a', resourceVersion: 5 } }])],
    ['a number as uid', page([{ metadata: { name: 'a', uid: 5 } }])],
    ['a list as metadata', page([], [])],
    ['a number as continue token', page([], { continue: 5 })],
    ['an object as resource version of the list', page([], { resourceVersion: {} })],
  ])('is refused if it contains %s', async (_, reply) => {
    const { api } = await answering(() => reply);
    const error = await failure(api.list('/clusters'));
    expect(error).toMatchObject({ status: 0, exitCode: 4 });
    expect(error.message).toMatch(/answers \/clusters with .*; is it an API server\? See --server/);
  });

  test('is refused if its metadata is invalid JSON', async () => {
    const { api } = await answering(() => ({
      body: '{"kind":"AList","apiVersion":"v1","metadata":{x},"items":[]}',
    }));
    expect((await failure(api.list('/a'))).message).toMatch(/something that cannot be read as JSON/);
  });

  test.each([
    ['the same continue token repeatedly', () => 'again'],
    ['new continue tokens without end', (asked: number) => `token ${asked}`],
  ])('is refused if the server returns %s', async (_, token) => {
    let asked = 0;
    const send = () => Promise.resolve(JSON.stringify(page([], { continue: token(asked++) }).body));
    const { listAll } = await import('../../../src/state/live/listPages.ts');
    const error = await failure(listAll(send, <T>(text: string) => JSON.parse(text) as T, '/a', {}));
    expect(error.message).toMatch(/^the list of \/a does not end/);
    expect(asked).toBeLessThan(10_100);
  });

  test.each([
    ['with a new token', { metadata: { continue: 'next' } }],
    ['without a new token', {}],
  ])('is refused if its continue token expires repeatedly, %s', async (_, more) => {
    const { api, server } = await answering(({ query }) =>
      query.get('continue') === null && query.get('limit') !== null
        ? page([], { continue: 'first' })
        : { status: 410, body: { kind: 'Status', reason: 'Expired', ...more } },
    );
    expect(
      await failure(api.list('/a', { onPage: () => undefined, onRestart: () => undefined })),
    ).toMatchObject({ status: 410 });
    expect(server.requests.length).toBeLessThan(20);
  });
});

describe('an object of a relevant kind', () => {
  const path = '/apis/cluster.karmada.io/v1alpha1/clusters';
  const metadata = { name: 'a', resourceVersion: '9' };
  const bodies = [
    { kind: 'Status', apiVersion: 'v1', status: 'Success' },
    { kind: 'Cluster', apiVersion: 'cluster.karmada.io/v1alpha1' },
    { metadata, spec: 5 },
    { metadata, spec: { taints: {} } },
    { kind: 'Pod', apiVersion: 'v1', metadata, spec: { taints: [5] } },
    { metadata, status: [] },
    { metadata: { ...metadata, labels: 5 } },
  ];

  test.each(bodies)('is refused if it is invalid: %j', async (body) => {
    const { api } = await answering(({ query }) =>
      query.get('watch') === null
        ? { body }
        : { body: `${JSON.stringify({ type: 'MODIFIED', object: body })}\n` },
    );
    const watched = async () => {
      for await (const event of api.watch(path, '1')) throw new Error(`an event: ${JSON.stringify(event)}`);
    };
    for (const asked of [api.get(`${path}/a`), api.patch(`${path}/a`, {}), watched()])
      expect(await failure(asked)).toMatchObject({ status: 0, exitCode: 4 });
  });

  test('is refused if it is nested too deeply', async () => {
    const deep = `{"metadata":${JSON.stringify(metadata)},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { api } = await answering(({ query, path: asked }) => {
      if (query.get('watch') !== null) return { body: `{"type":"MODIFIED","object":${deep}}\n` };
      return { body: asked.endsWith('/a') ? deep : `{"metadata":{"resourceVersion":"9"},"items":[${deep}]}` };
    });
    const watched = async () => {
      for await (const event of api.watch(path, '1')) throw new Error(`an event: ${JSON.stringify(event)}`);
    };
    for (const asked of [api.get(`${path}/a`), api.patch(`${path}/a`, {}), api.list(path), watched()])
      expect(await failure(asked)).toMatchObject({ status: 0, exitCode: 4 });
    expect((await failure(api.list(path))).message).toMatch(/more than 1000 levels deep/);
  });

  test('is refused in a list if its spec is invalid, except in a metadata-only list', async () => {
    const { api } = await answering(() => page([{ metadata, spec: 5 }]));
    const broken = {
      reason: 'BrokenObject',
      exitCode: 4,
      message: `${api.url} (context karmada) answers ${path} with a broken object: Cluster a: spec: 5 is a number, expected an object; fix the object, or use a release of karmada-failover that knows this field`,
    };
    for (const server of [api, slimServer(api)])
      expect(await failure(server.list(path))).toMatchObject(broken);
    expect(await api.list(path, { metadataOnly: true })).toMatchObject({ items: [{ metadata }] });
  });

  test('is refused from a server without HTTP or with a redirect', async () => {
    const garbage = createServer((socket) => socket.end('garbage\r\n\r\n'));
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port } = garbage.address() as AddressInfo;
    bench.atEnd(() => garbage.close());
    const server = await bench.server();
    const none = await bench.connect(server, { server: `http://127.0.0.1:${port}` });
    expect((await failure(none.get(path))).message).toMatch(
      /sends an invalid answer \(.*\); is it an API server\? See --server/,
    );
    const { api } = await answering(() => ({ status: 302, body: '' }));
    expect((await failure(api.get(path))).message).toMatch(/redirects .* \(302\); is it an API server\?/);
  });

  test('is refused without metadata', async () => {
    const { api } = await answering(() => ({ body: {} }));
    expect((await failure(api.get(`${path}/a`))).message).toMatch(
      /something that is not an object; is it an API server\? See --server/,
    );
  });

  test('has the kind of its path, whatever kind it contains', async () => {
    const { api } = await answering(() => ({ body: { kind: 'Pod', apiVersion: 'v1', metadata } }));
    expect(await api.get(`${path}/a`)).toMatchObject({ kind: 'Cluster', metadata });
  });
});

describe('an error Status', () => {
  test.each([
    { message: 5, reason: {}, code: 'x', details: { causes: 5, retryAfterSeconds: 'soon', name: {} } },
    { message: null, details: { causes: [null, 5, { message: 5, field: {} }] }, metadata: 7 },
    { message: ['x'], details: [], metadata: { continue: 5 } },
  ])('with fields of wrong types becomes a valid error: %j', async (fields) => {
    for (const status of [400, 403, 404, 409, 410, 418, 422]) {
      const { api } = await answering(() => ({ status, body: { kind: 'Status', ...fields } }));
      const error = await failure(api.get('/a'));
      expect(error).toMatchObject({ status, exitCode: 4 });
      expect(error.message).not.toMatch(/undefined|NaN|\[object Object\]/);
      expect(() => fieldConflicts(error)).not.toThrow();
    }
  });

  test('with a Retry-After of weeks delays a request one minute at most', async () => {
    for (const reply of [
      { status: 429, headers: { 'retry-after': '2000000' }, body: 'wait' },
      { status: 503, body: { kind: 'Status', message: 'wait', details: { retryAfterSeconds: 1e9 } } },
    ]) {
      const { api, timing } = await answering(() => reply);
      expect(await failure(api.get('/a'))).toMatchObject({ status: reply.status });
      expect(timing.pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(60_000);
    }
  });
});

describe('an HTTP response', () => {
  test('in another protocol is refused', async () => {
    const { api } = await answering((_, response) => {
      response.writeHead(101, { upgrade: 'other', connection: 'upgrade' }).end();
      return undefined;
    });
    expect((await failure(api.get('/a'))).message).toMatch(/its answer is another protocol\); is it an/);
  });

  test('with a large compressed body is refused at the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const packed = (status: number) => (_: unknown, response: ServerResponse) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end(bomb);
      return undefined;
    };
    const good = await answering(packed(200));
    expect((await failure(good.api.get('/a'))).message).toMatch(
      /its answer has more than \d+ MiB; is it an API server\?$/,
    );
    expect(good.server.requests).toHaveLength(1);
    const bad = await answering(packed(404));
    expect((await failure(bad.api.get('/a'))).message).toMatch(/does not serve \/a/);
  });

  test('with a long error body is reported by its status', async () => {
    const { api } = await answering(() => ({ status: 418, body: 'x'.repeat(17 * 1024 * 1024) }));
    expect((await failure(api.get('/a'))).message).toMatch(/GET \/a: 418 HTTP status 418$/);
  });
});

describe('a watch', () => {
  const events = async (text: string) => {
    const { api } = await answering(() => ({ body: text }));
    const seen: unknown[] = [];
    for await (const event of api.watch('/a', '1')) seen.push(event);
    return seen;
  };

  test.each([
    'garbage',
    'null',
    '[]',
    '{"type":"ADDED"}',
    '{"type":"ADDED","object":null}',
    '{"type":"MODIFIED","object":{"metadata":{}}}',
    '{"type":"DELETED","object":{"metadata":{"name":"a","resourceVersion":5}}}',
    '{"type":"BOOKMARK","object":{}}',
    '{"type":"ERROR"}',
    '{"type":"ERROR","object":{"kind":"Status","code":"x","details":{"causes":5}}}',
  ])('fails on the event %s', async (event) => {
    expect(await failure(events(`${event}\n`))).toMatchObject({ exitCode: 4 });
  });

  test('fails on an endless line', async () => {
    const error = await failure(events(`{"type":"ADDED","object":"${'x'.repeat(33 * 1024 * 1024)}`));
    expect(error.message).toMatch(/more than 32 MiB/);
  });
});

describe('API discovery', () => {
  test.each([
    {},
    { resources: 5, groups: 5, components: 5 },
    {
      resources: [null, 5, { name: 'x' }],
      groups: [null, { name: 5 }, { name: 'work.karmada.io', versions: 5 }],
    },
    {
      components: {
        schemas: {
          'x.ClusterTaintPolicy': {},
          'x.PropagationPolicy': {
            properties: {
              spec: {
                properties: {
                  placement: {
                    properties: {
                      workloadAffinity: {},
                      clusterAffinities: { items: { properties: { overflowAffinities: {} } } },
                    },
                  },
                  failover: {
                    properties: { cluster: {}, application: { properties: { purgeMode: { enum: 5 } } } },
                  },
                },
              },
            },
          },
        },
      },
    },
  ])('ignores documents of wrong types: %j', async (body) => {
    const { api } = await answering(() => ({ body }));
    expect(await servedResources(api, 'apps/v1')).toEqual([]);
    expect((await servedGroups(api)) ?? []).toEqual([]);
    await expect(servedVersion(api, new AbortController().signal)).resolves.not.toThrow();
  });

  test('requests only API paths for any apiVersion of an object', async () => {
    const { api, server } = await answering(() => ({ body: {} }));
    for (const apiVersion of ['../../api/v1/secrets?x=', 'a b/v1', 'a\r\nx: y/v1', '\ud800', 'é/ü'])
      await servedResources(api, apiVersion);
    for (const { path, query } of server.requests) {
      expect(path.split('/').length).toBeLessThanOrEqual(4);
      expect([...query]).toEqual([]);
    }
    expect(server.requests).toHaveLength(5);
  });
});

test('API paths escape invalid characters in names', () => {
  expect(apiPath(CLUSTERS, undefined, 'a\ud800/../b')).toBe(
    '/apis/cluster.karmada.io/v1alpha1/clusters/a%EF%BF%BD%2F..%2Fb',
  );
  expect(groupPath('', 'v1')).toBe('/api/v1');
});
