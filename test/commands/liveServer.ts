import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ObjectStore } from '../state/live/objectStore.ts';
import { answering } from '../state/live/answering.ts';
import { servingObjects, type ServingOptions } from '../state/live/servingObjects.ts';
import { program, root } from '../program.ts';
import type { Ran } from './cli.ts';
import { usedRights, type UsedRight } from './rightsUsed.ts';

/** A control plane of these objects over HTTP, and a kubeconfig for it. */
export interface LiveServer {
  /** its objects, including changes by commands */
  store: ObjectStore;
  /** each write that it received: verb and path, dry runs marked */
  writes: readonly string[];
  /** the rights that requests needed */
  rights: readonly UsedRight[];
  kubeconfig: string;
  /** a directory for the test's files */
  directory: string;
  close(): void;
}

/**
 * Serves the objects like an API server, including writes, as far as commands need it. `clock` is the time in responses, in epoch
 * milliseconds; absent: that of this machine.
 */
export async function liveServer(
  objects: KubernetesObject[],
  { clock, ...options }: ServingOptions & { clock?: () => number } = {},
): Promise<LiveServer> {
  const fake = servingObjects(objects, options);
  const answer = answering(fake);
  const rights: UsedRight[] = [];
  const server = createServer((request, response) => {
    rights.push(...usedRights(request, (path) => fake.store.has(path)));
    if (clock) response.setHeader('Date', new Date(clock()).toUTCString());
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'karmada-failover-live-'));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'karmada',
      clusters: [{ name: 'karmada', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'reader', user: { token: 'none' } }],
      contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'reader' } }],
    }),
  );
  return {
    store: fake.store,
    writes: fake.writes,
    rights,
    kubeconfig,
    directory,
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs a command line while this process serves it. */
export function runLive(
  argv: string[],
  { kubeconfig }: Pick<LiveServer, 'kubeconfig'>,
  env: object = {},
  stdin?: string,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(...program(...argv), {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], KUBECONFIG: kubeconfig, ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(stdin);
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text));
    child.on('close', (code) => resolve({ ...ran, code }));
  });
}
