import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { issue } from '../certificates.ts';
import { base64, Workbench } from '../connecting.ts';
import { status } from '../fakeHttpServer.ts';
import type { FakeHttpServer } from '../fakeHttpServer.ts';
import { fakeTiming } from '../fakeTiming.ts';

let bench: Workbench;
let server: FakeHttpServer;
beforeEach(async () => {
  bench = new Workbench();
  server = await bench.server();
});
afterEach(() => bench.end());

const authorizations = () => server.requests.map(({ headers }) => headers.authorization);
const V1 = 'client.authentication.k8s.io/v1';

/** A plugin that records its calls and prints the result of `script`: (n, info, environment) => answer. */
function plugin(script: string, more: object = {}) {
  const calls = `${bench.directory}/calls`;
  const file = bench.file(
    'plugin.cjs',
    `const fs = require('fs');
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
fs.appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ info, argv: process.argv.slice(2), mode: process.env.MODE }) + '\\n');
const n = fs.readFileSync(${JSON.stringify(calls)}, 'utf8').trim().split('\\n').length;
const answer = (${script})(n, info);
console.log(typeof answer === 'string' ? answer : JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status: answer }));
`,
  );
  const exec = { apiVersion: V1, interactiveMode: 'Never', command: process.execPath, args: [file], ...more };
  return {
    exec,
    calls: () =>
      readFileSync(calls, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { info: { spec: object }; argv: string[]; mode?: string }),
  };
}

describe('a user', () => {
  test('authenticates with a password', async () => {
    const api = await bench.connect(server, { user: { username: 'jane', password: 'pass:word' } });
    await api.get('/a');
    expect(authorizations()).toEqual([`Basic ${base64('jane:pass:word')}`]);
  });

  test('authenticates with a client certificate, as data and as files', async () => {
    const { cert, key } = issue(server.authority, 'jane');
    const data = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    await (await bench.connect(server, { user: data })).get('/a');
    const files = {
      'client-certificate': bench.file('jane.crt', cert),
      'client-key': bench.file('jane.key', key),
    };
    await (await bench.connect(server, { user: files })).get('/a');
    expect(server.requests.map(({ client }) => client)).toEqual(['jane', 'jane']);
    await expect(bench.connect(server, { user: { ...files, 'client-key': '/none' } })).rejects.toThrow(
      'client-key of user "admin": /none: no such file or directory; check the path',
    );
  });

  test('authenticates with a rotated client certificate once both files are replaced', async () => {
    const [first, second] = [issue(server.authority, 'first'), issue(server.authority, 'second')];
    const user = {
      'client-certificate': bench.file('tls.crt', first.cert),
      'client-key': bench.file('tls.key', first.key),
    };
    const api = await bench.connect(server, { user });
    await api.get('/a');
    server.handle = ({ client }) => (client === 'second' ? {} : status(401, 'Unauthorized', 'Unauthorized'));
    bench.file('tls.crt', second.cert);
    await expect(api.get('/a')).rejects.toMatchObject({ status: 401 });
    bench.file('tls.key', second.key);
    await api.get('/a');
    expect(server.requests.map(({ client }) => client)).toEqual(['first', 'first', 'first', 'second']);
  });

  test('with --token also sends the client certificate, and runs no exec plugin', async () => {
    const { cert, key } = issue(server.authority, 'jane');
    const { exec } = plugin('() => ({ token: "plugin" })');
    const user = { exec, 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    await (await bench.connect(server, { user, token: 'flag' })).get('/a');
    expect([authorizations(), server.requests[0]!.client]).toEqual([['Bearer flag'], 'jane']);
  });

  test('with a removed auth provider is refused', async () => {
    await expect(bench.connect(server, { user: { 'auth-provider': { name: 'gcp' } } })).rejects.toThrow(
      /auth-provider gcp was removed from Kubernetes; use an exec plugin/,
    );
  });

  test('of OpenID Connect authenticates with the id token until it expires', async () => {
    const token = (exp: number) => `${base64('{}')}.${base64(JSON.stringify({ exp }))}.x`.replaceAll('=', '');
    const provider = (exp: number) => ({
      'auth-provider': { name: 'oidc', config: { 'id-token': token(exp) } },
    });
    const fresh = Date.now() / 1000 + 600;
    await (await bench.connect(server, { user: provider(fresh) })).get('/a');
    expect(authorizations()).toEqual([`Bearer ${token(fresh)}`]);
    const stale = await bench.connect(server, { user: provider(1) });
    await expect(stale.get('/a')).rejects.toThrow(/has expired and cannot be refreshed.*; log in again$/);
  });

  test('of OpenID Connect has an error with the cause if the refresh fails', async () => {
    const token = `${base64('{}')}.${base64(JSON.stringify({ exp: 1 }))}.x`.replaceAll('=', '');
    const realFetch = globalThis.fetch;
    bench.atEnd(() => void (globalThis.fetch = realFetch));
    globalThis.fetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('self-signed certificate') }));
    const config = {
      'idp-issuer-url': 'https://login.example',
      'client-id': 'kubectl',
      'id-token': token,
      'refresh-token': 'refresh-0',
    };
    const asked = async (more: object) => {
      const provider = { name: 'oidc', config: { ...config, ...more } };
      await (await bench.connect(server, { user: { 'auth-provider': provider } })).get('/a');
    };
    await expect(asked({})).rejects.toThrow(
      /could not be refreshed: .*self-signed certificate; log in again$/,
    );
    await expect(asked({ 'idp-certificate-authority': '/etc/ca.crt' })).rejects.toThrow(
      /self-signed certificate; idp-certificate-authority is not used: .* NODE_EXTRA_CA_CERTS, or log in again$/,
    );
  });

  test('of OpenID Connect refreshes an expired token once for concurrent requests', async () => {
    const issuer = 'https://login.example';
    const token = (exp: number) => {
      const claims = { iss: issuer, aud: 'kubectl', sub: 'jane', iat: exp - 600, exp };
      return (
        [{ alg: 'RS256' }, claims].map((part) => base64(JSON.stringify(part)).replaceAll('=', '')).join('.') +
        '.eA'
      );
    };
    const fresh = token(Math.floor(Date.now() / 1000) + 300);
    const renewals: string[] = [];
    const answer = (body: object) =>
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    const realFetch = globalThis.fetch;
    bench.atEnd(() => void (globalThis.fetch = realFetch));
    globalThis.fetch = async (address, init) => {
      if (String(address).endsWith('/.well-known/openid-configuration'))
        return answer({
          issuer,
          token_endpoint: `${issuer}/token`,
          id_token_signing_alg_values_supported: ['RS256'],
        });
      renewals.push(new URLSearchParams(init?.body as string).get('refresh_token') ?? '');
      return answer({
        access_token: 'a',
        token_type: 'bearer',
        id_token: fresh,
        expires_in: 300,
        refresh_token: `refresh-${renewals.length}`,
      });
    };
    const config = {
      'idp-issuer-url': issuer,
      'client-id': 'kubectl',
      'id-token': token(1),
      'refresh-token': 'refresh-0',
    };
    const api = await bench.connect(server, { user: { 'auth-provider': { name: 'oidc', config } } });
    await Promise.all([api.get('/a'), api.get('/b')]);
    await api.get('/c');
    expect(authorizations()).toEqual(Array(3).fill(`Bearer ${fresh}`));
    expect(renewals).toEqual(['refresh-0']);
  });
});

describe('a token file', () => {
  test('is read again after 50 seconds, and immediately after a 401', async () => {
    const tokenFile = bench.file('token', 'one\n');
    const timing = fakeTiming();
    const api = await bench.connect(server, { user: { tokenFile }, timing });
    await api.get('/a');
    bench.file('token', 'two');
    await api.get('/a');
    await timing.advance(50_000);
    await api.get('/a');
    bench.file('token', 'three');
    server.handle = ({ headers }) =>
      headers.authorization === 'Bearer three' ? {} : status(401, 'Unauthorized', 'Unauthorized');
    await api.get('/a');
    expect(authorizations()).toEqual([
      'Bearer one',
      'Bearer one',
      'Bearer two',
      'Bearer two',
      'Bearer three',
    ]);
  });

  test('keeps its last token while it is empty', async () => {
    const tokenFile = bench.file('token', 'one');
    const timing = fakeTiming();
    const api = await bench.connect(server, { user: { tokenFile }, timing });
    await api.get('/a');
    bench.file('token', '');
    await timing.advance(60_000);
    await api.get('/a');
    expect(authorizations()).toEqual(['Bearer one', 'Bearer one']);
  });

  test('is refused if it is a directory', async () => {
    const api = await bench.connect(server, { user: { tokenFile: bench.directory } });
    await expect(api.get('/a')).rejects.toThrow(
      `token file ${bench.directory} cannot be used: is a directory; name a file in it`,
    );
  });

  test('is refused if it is empty', async () => {
    const api = await bench.connect(server, { user: { tokenFile: bench.file('token', ' ') } });
    await expect(api.get('/a')).rejects.toThrow(
      /^token file .*token cannot be used: is empty; write the token into it$/,
    );
  });
});

describe('an exec plugin', () => {
  test('receives the arguments and environment of the kubeconfig, and runs once', async () => {
    const { exec, calls } = plugin('(n) => ({ token: "t" + n })', { env: [{ name: 'MODE', value: 'test' }] });
    exec.args.push('get-token');
    const api = await bench.connect(server, { user: { exec } });
    await Promise.all([api.get('/a'), api.get('/b')]);
    await api.get('/c');
    expect(authorizations()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1']);
    expect(calls()).toEqual([
      {
        info: { kind: 'ExecCredential', apiVersion: V1, spec: { interactive: false } },
        argv: ['get-token'],
        mode: 'test',
      },
    ]);
  });

  test('receives the cluster if provideClusterInfo is set', async () => {
    const { exec, calls } = plugin('() => ({ token: "t" })', { provideClusterInfo: true });
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }];
    const api = await bench.connect(server, { user: { exec }, cluster: { extensions } });
    await api.get('/a');
    expect(calls()[0]!.info.spec).toEqual({
      interactive: false,
      cluster: {
        server: server.url,
        'certificate-authority-data': base64(server.authority.cert),
        config: { audience: 'x' },
      },
    });
  });

  test('runs again after its credentials expire', async () => {
    const timing = fakeTiming({ start: Date.parse('2026-01-01T00:00:00Z') });
    const { exec } = plugin('(n) => ({ token: "t" + n, expirationTimestamp: "2026-01-01T00:01:00Z" })', {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      interactiveMode: undefined,
    });
    const api = await bench.connect(server, { user: { exec }, timing });
    await api.get('/a');
    await timing.advance(60_000);
    await api.get('/a');
    await timing.advance(1);
    await api.get('/a');
    expect(authorizations()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  test('runs again once after a 401', async () => {
    const { exec } = plugin('(n) => ({ token: "t" + n })');
    const api = await bench.connect(server, { user: { exec } });
    server.handle = ({ headers }) =>
      headers.authorization === 'Bearer t2' ? {} : status(401, 'Unauthorized', 'Unauthorized');
    await api.patch('/a', {});
    expect(authorizations()).toEqual(['Bearer t1', 'Bearer t2']);
    server.handle = () => status(401, 'Unauthorized', 'Unauthorized');
    await expect(api.get('/a')).rejects.toMatchObject({ status: 401 });
    expect(authorizations()).toHaveLength(4);
  });

  test('may return certificates, and a new certificate opens a new connection', async () => {
    const [first, second] = [issue(server.authority, 'first'), issue(server.authority, 'second')];
    const answers = [first, second].map(({ cert, key }) => ({
      clientCertificateData: cert,
      clientKeyData: key,
    }));
    const { exec } = plugin(`(n) => (${JSON.stringify(answers)})[n - 1]`);
    const api = await bench.connect(server, { user: { exec } });
    await api.get('/a');
    server.handle = ({ client }) => (client === 'second' ? {} : status(401, 'Unauthorized', 'Unauthorized'));
    await api.get('/b');
    expect(server.requests.map(({ client }) => client)).toEqual(['first', 'first', 'second']);
  });

  test.each<[script: string, message: RegExp]>([
    [
      '() => process.exit(3)',
      /the credential plugin .* of user "admin" failed with exit code 3; run it manually to see why/,
    ],
    ['() => "hello"', /did not print JSON/],
    ['() => undefined', /printed no status/],
    ['() => ({})', /printed neither a token nor a certificate; log in again/],
    ['() => ({ clientKeyData: "x" })', /only one of a certificate and its key/],
    [
      `() => JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1beta1', status: { token: 'x' } })`,
      /answered in "client.authentication.k8s.io\/v1beta1", but/,
    ],
    ['() => "null"', /printed something other than an ExecCredential/],
    [`() => JSON.stringify({ apiVersion: '${V1}', status: 5 })`, /printed no status/],
    [`() => JSON.stringify({ apiVersion: { a: 1 } })`, /answered in \{"a":1\}, but/],
    ['() => ({ token: 5 })', /a status whose token is not text/],
    ['() => ({ clientCertificateData: 5, clientKeyData: 6 })', /whose clientCertificateData is not text/],
    ['() => ({ token: "t", expirationTimestamp: "soon" })', /an expirationTimestamp that is not a time/],
    ['() => ({ token: "secret\\r\\nX-Evil: 1" })', /: the token, .* has characters that no header may have/],
    [
      '() => ({ clientCertificateData: "secret", clientKeyData: "secret" })',
      /: the client certificate and its key cannot be used \(no start line\)/,
    ],
    ['() => "x".repeat(3e6)', /printed more than a credential/],
  ])('with the script %s is refused with an explanation', async (script, message) => {
    const { exec } = plugin(script);
    const api = await bench.connect(server, { user: { exec } });
    await expect(api.get('/a')).rejects.toThrow(message);
    await expect(api.get('/a')).rejects.toMatchObject({ exitCode: 4 });
    await expect(api.get('/a')).rejects.not.toThrow('secret');
  });

  test('may write an endless line to stderr, whose start is reported', async () => {
    const { exec } = plugin(
      `() => (process.stderr.write('x'.repeat(1e6) + '\\nnext\\nlast'), { token: "t" })`,
    );
    const reported: string[] = [];
    const api = await bench.connect(server, {
      user: { exec },
      pluginSays: (line) => void reported.push(line),
    });
    await api.get('/a');
    expect(reported).toEqual(['x'.repeat(4096), 'next', 'last']);
  });

  test('may write without limit to stderr, whose first megabyte is reported', async () => {
    const { exec } = plugin(`() => (process.stderr.write('x\\n'.repeat(2e6)), { token: "t" })`);
    let reported = 0;
    let last = '';
    const api = await bench.connect(server, {
      user: { exec },
      pluginSays: (line) => {
        reported++;
        last = line;
      },
    });
    await api.get('/a');
    expect(reported).toBeLessThan(700_000);
    expect(last).toBe('the credential plugin printed more than 1 MiB of messages; the rest is left out');
  });

  test('that is not installed is refused with its install hint', async () => {
    const { exec } = plugin('', { command: 'no-such-plugin', installHint: 'get it at\n https://x' });
    const api = await bench.connect(server, { user: { exec } });
    await expect(api.get('/a')).rejects.toThrow(
      /plugin no-such-plugin .* is not found; get it at https:\/\/x$/,
    );
  });

  test.each<[object, RegExp]>([
    [{ apiVersion: undefined }, /exec\.apiVersion is missing/],
    [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /exec\.apiVersion is ".*v1alpha1"/],
    [{ command: '' }, /exec\.command is missing/],
    [{ interactiveMode: undefined }, /exec\.interactiveMode is missing/],
    [{ interactiveMode: 'Sometimes' }, /exec\.interactiveMode is "Sometimes"/],
    [{ env: [{ name: '', value: 'x' }] }, /exec\.env has an entry without a name/],
  ])('with %j in the kubeconfig is refused', async (more, message) => {
    await expect(bench.connect(server, { user: { exec: plugin('', more).exec } })).rejects.toThrow(message);
  });

  test('in mode Always requires a terminal', async () => {
    const { exec } = plugin('() => ({ token: "t" })', { interactiveMode: 'Always' });
    const api = await bench.connect(server, { user: { exec } });
    await expect(api.get('/a')).rejects.toThrow(/is interactive, but stdin is not a terminal/);
  });
});
