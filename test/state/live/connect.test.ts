import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiError } from '../../../src/state/live/apiError.ts';
import { createAuthority, issue } from './certificates.ts';
import { base64, Workbench } from './connecting.ts';
import { status } from './fakeHttpServer.ts';
import { fakeTiming } from './fakeTiming.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  try {
    await promise;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('it did not fail');
};
const local = (message: string) => message.replaceAll(/127\.0\.0\.1:\d+/g, 'SERVER');

describe('the client sends', () => {
  test('the request path after the path of the server, with non-empty parameters only', async () => {
    const server = await bench.server(() => ({ body: { kind: 'Cluster' } }));
    const api = await bench.connect(server, { cluster: { server: `${server.url}/clusters/a/` } });
    const object = await api.get('/api/v1/x', {
      query: { labelSelector: 'a=b,c', limit: undefined, all: true },
    });
    expect(object).toEqual({ kind: 'Cluster' });
    const [{ path, query, headers }] = server.requests as [(typeof server.requests)[0]];
    expect(path).toBe('/clusters/a/api/v1/x');
    expect([...query]).toEqual([
      ['labelSelector', 'a=b,c'],
      ['all', 'true'],
    ]);
    expect(headers).toMatchObject({ accept: 'application/json', authorization: 'Bearer secret' });
    expect(headers['user-agent']).toBe('karmada-failover');
  });

  test('merge patches and new objects, with dryRun if requested', async () => {
    const server = await bench.server(({ body }) => ({ status: 201, body }));
    const api = await bench.connect(server);
    await api.patch('/p', { metadata: { resourceVersion: '7' }, spec: null });
    await api.create('/c', { kind: 'X' }, { dryRun: true, query: { fieldValidation: 'Strict' } });
    const [patch, create] = server.requests as [(typeof server.requests)[0], (typeof server.requests)[0]];
    expect([patch.method, patch.headers['content-type'], patch.body]).toEqual([
      'PATCH',
      'application/merge-patch+json',
      '{"metadata":{"resourceVersion":"7"},"spec":null}',
    ]);
    expect([create.method, create.headers['content-type'], create.query.toString()]).toEqual([
      'POST',
      'application/json',
      'fieldValidation=Strict&dryRun=All',
    ]);
  });

  test('patches of the status subresource', async () => {
    const server = await bench.server(({ body }) => ({ body }));
    const api = await bench.connect(server);
    await api.patch('/p', { status: {} }, { subresource: 'status', fieldManager: 'me' });
    expect([server.requests[0]!.path, server.requests[0]!.query.toString()]).toEqual([
      '/p/status',
      'fieldManager=me',
    ]);
  });

  test('server-side applies with field manager and force', async () => {
    const server = await bench.server(({ body }) => ({ body }));
    const api = await bench.connect(server);
    await api.apply('/a', { kind: 'X' }, { fieldManager: 'me', fieldValidation: 'Strict' });
    await api.apply('/a', { kind: 'X' }, { fieldManager: 'me', force: true, dryRun: true });
    const [one, two] = server.requests as [(typeof server.requests)[0], (typeof server.requests)[0]];
    expect([one.method, one.headers['content-type'], one.body]).toEqual([
      'PATCH',
      'application/apply-patch+yaml',
      '{"kind":"X"}',
    ]);
    expect(one.query.toString()).toBe('fieldValidation=Strict&fieldManager=me');
    expect(two.query.toString()).toBe('force=true&dryRun=All&fieldManager=me');
  });

  test('deletions with their preconditions', async () => {
    const server = await bench.server(() => ({ body: { kind: 'Status', status: 'Success' } }));
    const api = await bench.connect(server);
    const preconditions = { uid: 'u', resourceVersion: '7' };
    expect(await api.delete('/d', { preconditions, propagationPolicy: 'Orphan' })).toMatchObject({
      kind: 'Status',
    });
    await api.delete('/d', { dryRun: true });
    const [one, two] = server.requests as [(typeof server.requests)[0], (typeof server.requests)[0]];
    expect([one.method, JSON.parse(one.body)]).toEqual([
      'DELETE',
      { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy: 'Orphan' },
    ]);
    expect([two.query.toString(), JSON.parse(two.body)]).toEqual([
      '',
      { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
    ]);
  });

  test('a write only once if the server may have received it', async () => {
    const server = await bench.server((_, response) => void response.destroy());
    const api = await bench.connect(server);
    await expect(api.apply('/a', {}, { fieldManager: 'me' })).rejects.toMatchObject({ status: 0 });
    await expect(api.delete('/d')).rejects.toMatchObject({ status: 0 });
    expect(server.requests).toHaveLength(2);
  });

  test('consecutive requests on one connection', async () => {
    const server = await bench.server();
    const api = await bench.connect(server);
    for (let i = 0; i < 3; i++) await api.get('/a');
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(1);
  });

  test('impersonation headers with groups, uid and extra fields', async () => {
    const server = await bench.server();
    const api = await bench.connect(server, {
      user: { token: 't', 'as-user-extra': { 'example.com/Team x': ['a', 'b'] } },
      as: 'jane',
      asGroups: ['dev', 'ops'],
      asUid: '42',
    });
    await api.get('/a');
    expect(server.requests[0]!.headers).toMatchObject({
      'impersonate-user': 'jane',
      'impersonate-uid': '42',
      'impersonate-group': 'dev, ops',
      'impersonate-extra-example.com%2fteam%20x': 'a, b',
    });
  });

  test('no credentials over plain HTTP, as kubectl', async () => {
    const server = await bench.server(undefined, { plain: true });
    const api = await bench.connect(server, { as: 'jane' });
    await api.get('/a');
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
    expect(server.requests[0]!.headers['impersonate-user']).toBe('jane');
  });
});

describe('a response', () => {
  test('may be compressed, except with disable-compression', async () => {
    const server = await bench.server((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"long":true}'));
      return undefined;
    });
    expect(await (await bench.connect(server)).get('/a')).toEqual({ long: true });
    expect(server.requests[0]!.headers['accept-encoding']).toBe('gzip');
    server.handle = () => ({});
    await (await bench.connect(server, { cluster: { 'disable-compression': true } })).get('/a');
    expect(server.requests[1]!.headers['accept-encoding']).toBeUndefined();
  });

  test('may contain warnings, which are reported once', async () => {
    const warnings: string[] = [];
    const server = await bench.server(() => ({
      headers: {
        warning: [
          '299 - "policy v1alpha1 is \\"deprecated\\""',
          '299 karmada "second, with a comma" "Mon, 02 Jan 2026 15:04:05 GMT", 199 - "not this one"',
        ],
      },
    }));
    const api = await bench.connect(server, { warn: (warning) => warnings.push(warning) });
    await api.get('/a');
    await api.get('/b');
    expect(warnings).toEqual(['policy v1alpha1 is "deprecated"', 'second, with a comma']);
  });

  test('sets the clock to the time of the server', async () => {
    const timing = fakeTiming({ jumps: true, start: Date.parse('2026-01-01T00:00:00Z') });
    const server = await bench.server(() => ({ headers: { date: 'Thu, 01 Jan 2026 01:00:07 GMT' } }));
    const api = await bench.connect(server, { timing });
    expect(api.now()).toBe(timing.now());
    await api.get('/a');
    expect(api.now() - timing.now()).toBe(3_607_500);
  });
});

describe('an access review', () => {
  test('reports the permissions of the user', async () => {
    const server = await bench.server(({ body }) => ({
      status: 201,
      body: { status: { allowed: body.includes('"verb":"list"') } },
    }));
    const api = await bench.connect(server);
    const access = { group: 'work.karmada.io', resource: 'works', namespace: 'karmada-es-a' };
    expect(await api.can({ verb: 'list', ...access })).toBe(true);
    expect(await api.can({ verb: 'patch', ...access })).toBe(false);
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'list', ...access } },
    });
  });

  test('assumes permission if the review is refused', async () => {
    const server = await bench.server(() => status(403, 'Forbidden', 'no'));
    expect(await (await bench.connect(server)).can({ verb: 'get', group: '', resource: 'pods' })).toBe(true);
  });
});

describe('an error names the server, the failure and the remedy', () => {
  const cases: [string, ReturnType<typeof status>, Partial<ApiError>, RegExp][] = [
    [
      '401',
      status(401, 'Unauthorized', 'Unauthorized'),
      { status: 401, reason: 'Unauthorized' },
      /does not accept the credentials of user "admin"; log in again/,
    ],
    [
      '403',
      status(403, 'Forbidden', 'clusters is forbidden: User "jane" cannot list resource "clusters"'),
      { status: 403, reason: 'Forbidden' },
      /: clusters is forbidden: User "jane" cannot list resource "clusters"; ask for this right/,
    ],
    [
      '403 from an admission webhook',
      status(403, 'Forbidden', 'admission webhook "guard" denied the request: NoExecute is not allowed'),
      { status: 403, reason: 'Forbidden' },
      /denied the request: NoExecute is not allowed$/,
    ],
    [
      '404 for an object',
      status(404, 'NotFound', 'clusters.cluster.karmada.io "x" not found', { details: { name: 'x' } }),
      { status: 404, reason: 'NotFound' },
      /: clusters\.cluster\.karmada\.io "x" not found$/,
    ],
    [
      '404 for an API',
      { status: 404, body: '404 page not found\n' },
      { status: 404, reason: 'NotFound' },
      /does not serve \/the\/path; is this Karmada's API server\?/,
    ],
    ['409', status(409, 'Conflict', 'modified'), { status: 409, reason: 'Conflict' }, /: modified$/],
    [
      '422',
      status(422, 'Invalid', 'spec.x: Required'),
      { status: 422, reason: 'Invalid' },
      /PATCH \/the\/path: 422 spec/,
    ],
  ];
  test.each(cases)('for status %s', async (_, reply, expected, message) => {
    const server = await bench.server(() => reply);
    const error = await failure((await bench.connect(server)).patch('/the/path', {}));
    expect(error).toMatchObject({ exitCode: 4, ...expected });
    expect(error.message).toMatch(message);
    expect(local(error.message)).toMatch(/https:\/\/SERVER \(context karmada\)/);
    expect(error.message).not.toContain('\n');
  });

  test('for a refused connection', async () => {
    const server = await bench.server();
    await server.close();
    const error = await failure((await bench.connect(server)).get('/a'));
    expect(error).toMatchObject({ status: 0, reason: 'ECONNREFUSED' });
    expect(local(error.message)).toMatch(
      /^https:\/\/SERVER \(context karmada\) refused the connection; is the API/,
    );
  });

  test('for a certificate that is untrusted, expired or for another host', async () => {
    const other = createAuthority('somebody');
    const server = await bench.server();
    const untrusted = await failure((await bench.connect({ ...server, authority: other })).get('/a'));
    expect(untrusted.message).toMatch(
      /is not signed by a trusted authority; give --certificate-authority FILE$/,
    );

    const elsewhere = await failure((await bench.connect(server, { tlsServerName: 'karmada' })).get('/a'));
    expect(elsewhere).toMatchObject({ reason: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(elsewhere.message).toMatch(/is not for karmada: it is for DNS:localhost, .*--tls-server-name/);

    const certificate = issue(server.authority, 'old', { hosts: ['127.0.0.1'], until: Date.now() - 1000 });
    const old = await bench.server(undefined, { certificate });
    const expired = await failure((await bench.connect(old)).get('/a'));
    expect(expired.message).toMatch(
      /^the certificate of .* has expired; renew it, or check this machine's clock$/,
    );

    const lax = await bench.connect(old, {
      cluster: { 'certificate-authority-data': '' },
      insecureSkipTlsVerify: true,
    });
    expect(await lax.get('/a')).toEqual({});
  });

  test('for TLS to a plain HTTP server', async () => {
    const server = await bench.server(undefined, { plain: true });
    const cluster = { server: server.url.replace('http:', 'https:') };
    const error = await failure((await bench.connect(server, { cluster })).get('/a'));
    expect(local(error.message)).toMatch(/does not speak TLS; did you mean http:\/\/SERVER\?$/);
  });

  test('for a request that exceeds --request-timeout', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    bench.atEnd(() => silent.close());
    const { port } = silent.address() as { port: number };
    const { authority } = await bench.server();
    const api = await bench.connect(
      { url: `https://127.0.0.1:${port}`, authority },
      { requestTimeout: '50ms' },
    );
    const error = await failure(api.get('/a'));
    expect(error).toMatchObject({ status: 0, reason: 'ETIMEDOUT', exitCode: 4 });
    expect(error.message).toMatch(/did not answer in time; .* see --request-timeout$/);
  });

  test('for a server that does not return JSON', async () => {
    const server = await bench.server(() => ({ body: '<html>' }));
    const api = await bench.connect(server);
    for (const asked of [api.get('/a'), api.list('/a'), api.patch('/a', {})])
      await expect(asked).rejects.toThrow(
        /answers \/a with something that cannot be read as JSON \(a value is expected\); is it an API server\?/,
      );
  });

  test('for an aborted request, with the reason of the caller', async () => {
    const server = await bench.server(() => undefined);
    const stop = new AbortController();
    const asked = (await bench.connect(server)).get('/a', { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a server certificate', () => {
  test('is verified against the name in --tls-server-name', async () => {
    const { authority } = await bench.server();
    const certificate = issue(authority, 'named', { hosts: ['karmada.internal'] });
    const server = await bench.server(undefined, { certificate });
    expect(await (await bench.connect(server, { tlsServerName: 'karmada.internal' })).get('/a')).toEqual({});
  });

  test('is verified against the address in --tls-server-name', async () => {
    const { authority } = await bench.server();
    const certificate = issue(authority, 'address', { hosts: ['10.9.8.7'] });
    const server = await bench.server(undefined, { certificate });
    expect(await (await bench.connect(server, { tlsServerName: '10.9.8.7' })).get('/a')).toEqual({});
    const wrong = await bench.connect(server, { tlsServerName: '10.9.8.6' });
    await expect(wrong.get('/a')).rejects.toMatchObject({ reason: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('is verified by system authorities if the kubeconfig has none', async () => {
    const server = await bench.server();
    const environment = { SSL_CERT_FILE: bench.file('roots.pem', server.authority.cert) };
    const cluster = { 'certificate-authority-data': '' };
    expect(await (await bench.connect(server, { cluster, environment })).get('/a')).toEqual({});
  });

  test('is verified by the authorities in a file', async () => {
    const server = await bench.server();
    const certificateAuthority = bench.file('ca.crt', server.authority.cert);
    const api = await bench.connect(server, {
      cluster: { 'certificate-authority-data': base64('something else') },
      certificateAuthority,
    });
    expect(await api.get('/a')).toEqual({});
    await expect(bench.connect(server, { certificateAuthority: '/none' })).rejects.toThrow(
      'certificate-authority: /none: no such file or directory; check the path',
    );
    for (const other of ['something else', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'])
      await expect(
        bench.connect(server, { cluster: { 'certificate-authority-data': base64(other) } }),
      ).rejects.toThrow('certificate-authority-data has no certificate in PEM that can be read');
  });
});
