import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { base64, Workbench } from '../connecting.ts';
import type { FakeHttpServer, Seen } from '../fakeHttpServer.ts';

let bench: Workbench;
let server: FakeHttpServer;
const warnings: string[] = [];

/** A server that repeats every secret it received. */
beforeEach(async () => {
  bench = new Workbench();
  warnings.length = 0;
  server = await bench.server(({ headers }: Seen) => {
    const said = `what you sent, ${String(headers.authorization?.replace(/^\w+ /, ''))}, is not known`;
    return {
      status: 403,
      headers: { warning: `299 - "${said}"` },
      body: { kind: 'Status', message: said, code: 403, reason: 'Forbidden' },
    };
  });
});
afterEach(() => bench.end());

const refusal = async (user: object, more: object = {}) => {
  const api = await bench.connect(server, { user, warn: (text) => warnings.push(text), ...more });
  return api.get('/a').then(
    () => 'answered',
    (error: Error) => error.message,
  );
};

describe('the client redacts', () => {
  test.each([
    ['a token', { token: 'canary-token' }, 'canary-token'],
    ['a token of digits', { token: '8675309' }, '8675309'],
    ['a password', { username: 'jane', password: 'canary' }, base64('jane:canary')],
  ])('%s that the server repeats', async (_, user, secret) => {
    const message = await refusal(user);
    expect(message).toContain('what you sent, ***, is not known');
    expect(warnings).toEqual(['what you sent, ***, is not known']);
    expect(message + warnings.join()).not.toContain(secret);
  });

  test('a token in the path of a request', async () => {
    server.handle = () => ({ status: 418, body: 'no' });
    const api = await bench.connect(server, { user: { token: '8675309' } });
    await expect(api.get('/a/web-8675309')).rejects.toThrow(/GET \/a\/web-\*\*\*: 418 no$/);
  });

  test('the token of an exec plugin in its output and in responses', async () => {
    const file = bench.file(
      'plugin.cjs',
      `console.error('asked with token=8675309');
console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: '8675309' } }));`,
    );
    const said: string[] = [];
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: process.execPath,
      args: [file],
    };
    const message = await refusal({ exec }, { pluginSays: (line: string) => said.push(line) });
    expect(message).toContain('what you sent, ***, is not known');
    expect(said).toEqual(['asked with token=***']);
  });

  test('environment values of an exec plugin in its output', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: process.execPath,
      args: ['-e', 'console.error("with " + process.env.PLAIN); process.exit(1)'],
      env: [{ name: 'PLAIN', value: 'canary' }],
    };
    const said: string[] = [];
    const message = await refusal({ exec }, { pluginSays: (line: string) => said.push(line) });
    expect(message).not.toContain('canary');
    expect(said).toEqual(['with ***']);
  });

  test('the password of an unreachable proxy', async () => {
    const message = await refusal(
      { token: 'canary-token' },
      { cluster: { 'proxy-url': 'http://jane:p%40ss%2Fword@127.0.0.1:9' } },
    );
    expect(message).not.toMatch(/p%40ss|p@ss|word/);
  });
});
