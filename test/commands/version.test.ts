import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json, root, run, type Ran } from './cli.ts';
import { knownVersions } from '../../src/karmada/dialects/dialects.ts';
import { breaches } from './schema.ts';
import { isExecutable, program } from '../program.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const runtime = isExecutable() ? 'Bun [0-9.]+' : `Node ${process.version}`;
const nowhere = { HOME: '/nowhere', KUBECONFIG: '' };

test('version --client sends no request', () => {
  const document = json(['version', '--client']);
  expect(document).toEqual({
    kind: 'Version',
    schemaVersion: 'v1',
    client: isExecutable()
      ? {
          version,
          node: expect.stringMatching(/^v\d/),
          bun: expect.stringMatching(/^\d/),
        }
      : { version, node: process.version },
    knownKarmadaVersions: knownVersions,
  });
  expect(breaches('version', document)).toBe('');
  expect(run(['version', '--client'], { env: nowhere })).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      `^client          ${version}, on ${runtime}\nknows Karmada   ${knownVersions.join(', ')}\n$`,
    ),
    stderr: '',
  });
});

test('version prints the client version if the control plane is unreachable', () => {
  const { code, stdout, stderr } = run(['version'], { env: nowhere });
  expect(code).toBe(2);
  expect(stdout).toBe(run(['version', '--client']).stdout);
  expect(stderr).toMatch(/^error: no kubeconfig .*\n$/);
  const refused = run(['version', '--server', 'http://127.0.0.1:9', '--request-timeout', '1'], {
    env: nowhere,
  });
  expect(refused).toMatchObject({ code: 4, stdout });
});

/** Runs the command while this process answers requests. */
function runMeanwhile(...argv: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ...nowhere };
    const child = execFile(...program(...argv), { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

let server: Server;
let schemas: Record<string, object> = {};
beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = request.url === '/version' ? { gitVersion: 'v1.35.4' } : { components: { schemas } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => void server.close());

test.each([
  [{ 'io.karmada.policy.PropagationPolicy': {} }, 'v1.10', true],
  [{}, null, null],
])('version detects the Karmada version of an API with %j', async (served, karmadaVersion, known) => {
  schemas = served;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout } = await runMeanwhile('version', '--server', url, '-o', 'json');
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(code).toBe(0);
  expect(document['server']).toMatchObject({ url, kubernetesVersion: 'v1.35.4', karmadaVersion, known });
  expect(breaches('version', document)).toBe('');
});
