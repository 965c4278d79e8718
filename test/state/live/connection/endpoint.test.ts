import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConnectionOptions } from '../../../../src/state/live/connection/connectionOptions.ts';
import { resolveEndpoint, inClusterEndpoint } from '../../../../src/state/live/connection/endpoint.ts';
import { Workbench } from '../connecting.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

function kubeconfig(): string {
  return bench.kubeconfig('config', {
    'current-context': 'host',
    clusters: {
      host: { server: 'https://host:6443' },
      karmada: {
        server: 'https://karmada:5443/behind/',
        'tls-server-name': 'karmada-apiserver',
        'certificate-authority-data': 'Q0E=',
      },
      lax: { server: 'https://lax', 'insecure-skip-tls-verify': true },
      empty: {},
    },
    users: {
      admin: { 'client-certificate-data': 'Q0VSVA==', 'client-key-data': 'S0VZ' },
      reader: { token: 'r', as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x/y': ['1'] } },
    },
    contexts: {
      host: { cluster: 'host', user: 'admin' },
      karmada: { cluster: 'karmada', user: 'admin', namespace: 'shop' },
      lost: { cluster: 'gone' },
      vague: {},
      empty: { cluster: 'empty' },
    },
  });
}

const resolve = (options: ConnectionOptions, environment: NodeJS.ProcessEnv = {}) =>
  resolveEndpoint({ kubeconfig: kubeconfig(), ...options }, environment);
const serverOf = async (options: ConnectionOptions) => (await resolve(options)).server.href;

describe('the context', () => {
  test('is the current context, overridden by --context and then by --karmada-context', async () => {
    expect(await serverOf({})).toBe('https://host:6443/');
    expect(await serverOf({ context: 'karmada' })).toBe('https://karmada:5443/behind/');
    expect(await serverOf({ context: 'host', karmadaContext: 'karmada' })).toBe(
      'https://karmada:5443/behind/',
    );
    expect(await resolve({ context: 'karmada' })).toMatchObject({
      context: 'karmada',
      namespace: 'shop',
      userName: 'admin',
    });
  });

  test('is overridden separately by --cluster, --user and --server', async () => {
    const mixed = await resolve({ context: 'karmada', cluster: 'lax', user: 'reader' });
    expect(mixed.server.href).toBe('https://lax/');
    expect(mixed.user.token).toBe('r');
    expect(mixed.namespace).toBe('shop');
    expect(await serverOf({ context: 'karmada', server: 'https://other:1' })).toBe('https://other:1/');
  });

  test.each<[ConnectionOptions, RegExp]>([
    [
      { context: 'none' },
      /^context "none" is not in kubeconfig \S+; there are host, karmada, lost, vague, empty$/,
    ],
    [{ karmadaContext: 'none', context: 'host' }, /^context "none" is not in/],
    [{ cluster: 'none' }, /^--cluster none is not in \S+ \S+; there are host, karmada/],
    [{ user: 'none' }, /^--user none is not in .*; there are admin, reader$/],
    [{ context: 'lost' }, /^context "lost" names cluster "gone", which is not in/],
    [{ context: 'vague' }, /^context "vague" in .* names no cluster; give --cluster or --server/],
    [{ context: 'empty' }, /^cluster "empty" in the kubeconfig has no server; give --server/],
  ])('is refused with its name: %j', async (options, message) => {
    await expect(resolve(options)).rejects.toThrow(message);
  });

  test('is required if the kubeconfig has no current context', async () => {
    const none = bench.kubeconfig('none', {
      contexts: { a: { cluster: 'a' } },
      clusters: { a: { server: 'https://a' } },
    });
    await expect(resolve({ kubeconfig: none })).rejects.toThrow(
      /has no current context; give --context NAME; there are a$/,
    );
    const wrong = bench.kubeconfig('wrong', { 'current-context': 'b', contexts: { a: { cluster: 'a' } } });
    await expect(resolve({ kubeconfig: wrong })).rejects.toThrow(/^the current context "b" is not in/);
  });
});

describe('the identity of the server', () => {
  test('excludes the authorities of the kubeconfig with --insecure-skip-tls-verify', async () => {
    const { cluster } = await resolve({ context: 'karmada', insecureSkipTlsVerify: true });
    expect(cluster['certificate-authority-data']).toBeUndefined();
    expect(cluster['insecure-skip-tls-verify']).toBe(true);
  });

  test('includes only the authorities of --certificate-authority, and requires verification', async () => {
    const strict = await resolve({ cluster: 'lax', certificateAuthority: 'ca.crt' });
    expect(strict.cluster).toMatchObject({
      'certificate-authority': 'ca.crt',
      'insecure-skip-tls-verify': false,
    });
    const other = await resolve({ context: 'karmada', certificateAuthority: 'ca.crt' });
    expect(other.cluster['certificate-authority-data']).toBeUndefined();
    await expect(resolve({ certificateAuthority: 'ca.crt', insecureSkipTlsVerify: true })).rejects.toThrow(
      /contradict/,
    );
  });

  test('excludes the tls-server-name of the kubeconfig with --server', async () => {
    expect((await resolve({ context: 'karmada' })).cluster['tls-server-name']).toBe('karmada-apiserver');
    const moved = await resolve({ context: 'karmada', server: 'https://other' });
    expect(moved.cluster['tls-server-name']).toBeUndefined();
    const named = await resolve({ context: 'karmada', server: 'https://other', tlsServerName: 'x' });
    expect(named.cluster['tls-server-name']).toBe('x');
  });

  test('includes plain HTTP if --server has no scheme, as in kubectl', async () => {
    expect(await serverOf({ server: 'localhost:8080' })).toBe('http://localhost:8080/');
    expect(await serverOf({ server: '10.0.0.1' })).toBe('http://10.0.0.1/');
    for (const server of ['ftp://x', 'http://127.0.0.1:99999', 'https://[::1'])
      await expect(resolve({ server })).rejects.toThrow(`server "${server}" is not an address`);
  });
});

test('a request timeout is limited to the longest timer of Node.js', async () => {
  expect((await resolve({ requestTimeout: '999999h' })).requestTimeout).toBe(2 ** 31 - 1);
});

describe('the identity of the user', () => {
  test('has client certificates from flags instead of the kubeconfig', async () => {
    const { user } = await resolve({ clientCertificate: 'my.crt', clientKey: 'my.key' });
    expect(user).toEqual({ 'client-certificate': 'my.crt', 'client-key': 'my.key' });
  });

  test('has impersonation from the kubeconfig or from flags', async () => {
    expect((await resolve({ user: 'reader' })).user['as-groups']).toEqual(['a', 'b']);
    const { user } = await resolve({ user: 'reader', as: 'joe', asGroups: ['c'], asUid: '7' });
    expect(user).toMatchObject({ as: 'joe', 'as-groups': ['c'], 'as-uid': '7' });
    await expect(resolve({ asGroups: ['c'] })).rejects.toThrow(/give --as$/);
  });

  test.each<[object, RegExp]>([
    [{ token: 'a', username: 'b' }, /has a token and a password/],
    [{ 'client-certificate': 'a' }, /without its key; give --client-key/],
    [
      { 'client-certificate': 'a', 'client-certificate-data': 'b', 'client-key': 'c' },
      /both client-certificate and client-certificate-data/,
    ],
    [{ exec: { command: 'a' }, 'auth-provider': { name: 'oidc' } }, /exec and auth-provider/],
  ])('is refused as contradictory: %j', async (user, message) => {
    const file = bench.kubeconfig('x', { clusters: { c: { server: 'https://c' } }, users: { u: user } });
    await expect(resolve({ kubeconfig: file, cluster: 'c', user: 'u' })).rejects.toThrow(message);
  });
});

test.each<[string | undefined, number]>([
  [undefined, 0],
  ['0', 0],
  ['10', 10_000],
  ['1m30s', 90_000],
  ['250ms', 250],
])('--request-timeout %s is %d ms', async (requestTimeout, milliseconds) => {
  expect((await resolve({ requestTimeout })).requestTimeout).toBe(milliseconds);
});

test.each(['soon', '-1', '10 s', '-5s'])('--request-timeout %s is refused', async (requestTimeout) => {
  await expect(resolve({ requestTimeout })).rejects.toThrow(
    /^--request-timeout ".*" is neither seconds nor a duration/,
  );
});

describe('without a kubeconfig', () => {
  test('the error names the flags that are required', async () => {
    await expect(resolveEndpoint({}, { HOME: bench.directory })).rejects.toThrow(
      /^no kubeconfig at .*\.kube\/config; give --kubeconfig FILE or KUBECONFIG$/,
    );
    await expect(
      resolveEndpoint({ instead: '--state FILE for a captured one' }, { HOME: bench.directory }),
    ).rejects.toThrow(
      /give --kubeconfig FILE or KUBECONFIG for a live control plane, or --state FILE for a captured one$/,
    );
    await expect(resolveEndpoint({}, { KUBECONFIG: '/none:/neither' })).rejects.toThrow(
      /at \/none, \/neither;/,
    );
  });

  test('--server and --token are sufficient', async () => {
    const { server, user } = await resolveEndpoint(
      { server: 'https://a', token: 't' },
      { HOME: bench.directory },
    );
    expect([server.href, user.token]).toEqual(['https://a/', 't']);
  });

  test('a pod uses its service account', async () => {
    bench.file('sa/token', 'pod-token');
    bench.file('sa/ca.crt', 'CA');
    bench.file('sa/namespace', 'karmada-system\n');
    const at = `${bench.directory}/sa`;
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await inClusterEndpoint(environment, at)).toEqual({
      server: 'https://[fd00::1]:443',
      namespace: 'karmada-system',
      userName: "the pod's service account",
      cluster: { 'certificate-authority': `${at}/ca.crt` },
      user: { tokenFile: `${at}/token` },
    });
    expect(await inClusterEndpoint({}, at)).toBeUndefined();
    expect(await inClusterEndpoint(environment, `${bench.directory}/none`)).toBeUndefined();
  });
});
