import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root, run } from './cli.ts';
import { program } from '../program.ts';

const directory = mkdtempSync(join(tmpdir(), 'karmada-failover-waits-'));
afterAll(() => rmSync(directory, { recursive: true }));

const pipe = join(directory, 'pipe');
execFileSync('mkfifo', [pipe]);

function kubeconfig(user: object): string {
  const file = join(directory, 'kubeconfig');
  const config = {
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:9' } }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const childOfPlugin = join(directory, 'child.pid');
const hanging = {
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'Never',
  command: 'sh',
  args: ['-c', `sleep 3600 & echo $! > ${childOfPlugin}; wait`],
};

/** Starts a command, and sends it a signal once it has reported what it waits for and `begun` holds. */
function stopped(
  argv: string[],
  env: object,
  signal: NodeJS.Signals,
  begun?: () => Promise<void>,
): Promise<{ said: string; ended: string }> {
  return new Promise((resolve) => {
    const child = spawn(...program(...argv), {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: directory, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said === '') void Promise.resolve(begun?.()).then(() => child.kill(signal));
      said += text;
    });
    child.on('close', (code, by) => resolve({ said, ended: by ?? String(code) }));
  });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process is gone, or only a zombie. */
function hasEnded(pid: string): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

describe('a command reports its wait, and ends on a signal, for', () => {
  test.each<[string, string[], () => object, RegExp]>([
    [
      'a pipe as kubeconfig',
      ['cordon', 'a'],
      () => ({ KUBECONFIG: pipe }),
      /^waiting for \S+pipe, a pipe, to be written to$/m,
    ],
    [
      'a pipe as state',
      ['failover', 'status', '--state', pipe],
      () => ({}),
      /^waiting for \S+pipe, a pipe, to be written to$/m,
    ],
    [
      'a pipe as state to audit',
      ['failover', 'audit', '--state', pipe],
      () => ({}),
      /^waiting for \S+pipe, a pipe, to be written to$/m,
    ],
    [
      'a pipe as token',
      ['cordon', 'a'],
      () => ({ KUBECONFIG: kubeconfig({ tokenFile: pipe }) }),
      /^waiting for \S+pipe, a pipe/m,
    ],
    [
      'a pipe as report',
      ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt', '--report', pipe],
      () => ({}),
      /^waiting for \S+pipe, a pipe, to be read$/m,
    ],
    [
      'a credential plugin',
      ['cordon', 'a'],
      () => ({ KUBECONFIG: kubeconfig({ exec: hanging }) }),
      /^waiting for the credential plugin sh$/m,
    ],
  ])('%s', async (_, argv, env, waiting) => {
    const stops = (['SIGINT', 'SIGTERM'] as const).map((signal) => stopped(argv, env(), signal));
    for (const { said, ended } of await Promise.all(stops)) {
      expect(said).toMatch(waiting);
      expect(ended).not.toBe('0');
    }
  });

  test.each([
    ['does not respond', ''],
    [
      'responds without an end',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
    ],
  ])('a server that %s', async (_, head) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write(head);
      const drops = setInterval(() => head !== '' && socket.write(' '), 200);
      socket.on('close', () => clearInterval(drops));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const argv of [
      ['failover', 'status'],
      ['failover', 'audit'],
      ['cordon', 'a'],
      ['drain', 'a', '--yes'],
      ['record', join(directory, `never-${port}.rec`)],
      ['controller', 'run', '--karmada-version=v1.18', '--bind-address=0', '--feature-gates=Failover=true'],
    ]) {
      const start = [...argv, '--kubeconfig', '/dev/null', '--server', `http://127.0.0.1:${port}`];
      const stops = (['SIGINT', 'SIGTERM'] as const).map((signal) => stopped(start, {}, signal));
      for (const { said, ended } of await Promise.all(stops)) {
        expect({ argv, said }).toEqual({
          argv,
          said: expect.stringMatching(/(?:^|"msg":")waiting for http:[^\s"]+ to answer(?:$|")/m),
        });
        expect(ended).not.toBe('0');
      }
    }
    server.close();
  });

  test('a server that responds to everything but a write', async () => {
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'a' },
      spec: {},
    };
    const server = createHttpServer(({ method }, answer) => {
      if (method === 'GET') answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(cluster));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const start = ['cordon', 'a', '--kubeconfig', '/dev/null', '--server', `http://127.0.0.1:${port}`];
    const stops = (['SIGINT', 'SIGTERM'] as const).map((signal) => stopped(start, {}, signal));
    for (const { said, ended } of await Promise.all(stops)) {
      expect(said).toMatch(/^waiting for http:\S+ to answer$/m);
      expect(said).toContain('stopped before the API server answered; unknown whether it has the change');
      expect(ended).toBe('4');
    }
    server.closeAllConnections();
    server.close();
  });

  test('a credential plugin, whose processes end too', async () => {
    rmSync(childOfPlugin, { force: true });
    const started = () => existsSync(childOfPlugin) && readFileSync(childOfPlugin, 'utf8').endsWith('\n');
    const env = { KUBECONFIG: kubeconfig({ exec: hanging }) };
    await stopped(['cordon', 'a'], env, 'SIGINT', () => until(started));
    const pid = readFileSync(childOfPlugin, 'utf8').trim();
    // by itself it would continue for an hour
    await until(() => hasEnded(pid));
  });
});

test('directories that link to each other are read once', () => {
  const [a, b] = ['a', 'b'].map((name) => join(directory, 'links', name)) as [string, string];
  for (const one of [a, b]) mkdirSync(one, { recursive: true });
  for (let link = 0; link < 8; link++) {
    symlinkSync(a, join(b, `to-a-${link}`));
    symlinkSync(b, join(a, `to-b-${link}`));
  }
  const state = readFileSync(join(root, 'examples/shop/control-plane.json'));
  writeFileSync(join(a, 'state.json'), state);
  const { code, stderr } = run(['failover', 'status', '--state', join(directory, 'links')]);
  expect({ code, stderr: stderr.includes('circle') }).toEqual({ code: expect.any(Number), stderr: false });
});
