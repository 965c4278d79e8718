import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { connectFromFlags } from '../../src/cli/connectFromFlags.ts';
import { issue } from '../state/live/certificates.ts';
import { Workbench } from '../state/live/connecting.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

test('every connection flag has the same meaning as in kubectl', async () => {
  const server = await bench.server(() => ({ headers: { warning: '299 - "this API is old"' } }));
  const { cert, key } = issue(server.authority, 'jane');
  const said: string[] = [];
  const stderr = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => said.push(String(text)) > 0);
  const api = await connectFromFlags({
    kubeconfig: bench.kubeconfig('config', {
      contexts: { karmada: { cluster: 'nowhere', user: 'nobody' }, host: {} },
      clusters: { other: { server: 'https://other.invalid' } },
      users: { robot: { token: 'of the kubeconfig' } },
    }),
    'karmada-context': 'karmada',
    context: 'host',
    cluster: 'other',
    user: 'robot',
    server: server.url,
    'tls-server-name': 'localhost',
    'certificate-authority': bench.file('ca.crt', server.authority.cert),
    token: 'of the flag',
    'client-certificate': bench.file('jane.crt', cert),
    'client-key': bench.file('jane.key', key),
    as: 'admin',
    'as-group': ['a', 'b'],
    'as-uid': '7',
    'request-timeout': '10',
  });
  bench.atEnd(() => api.close());
  await api.get('/a');
  await api.get('/a');
  stderr.mockRestore();
  expect(api.context).toBe('karmada');
  const [request] = server.requests;
  expect(request!.client).toBe('jane');
  expect(request!.headers).toMatchObject({
    authorization: 'Bearer of the flag',
    'impersonate-user': 'admin',
    'impersonate-group': 'a, b',
    'impersonate-uid': '7',
  });
  expect(said).toEqual(['warning: this API is old\n']);
});

test('--insecure-skip-tls-verify trusts any server', async () => {
  const server = await bench.server();
  const kubeconfig = bench.kubeconfig('config', {});
  const api = await connectFromFlags({ kubeconfig, server: server.url, 'insecure-skip-tls-verify': true });
  bench.atEnd(() => api.close());
  expect(await api.get('/a')).toEqual({});
});
