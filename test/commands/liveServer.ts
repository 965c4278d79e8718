import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ApiError } from '../../src/state/live/apiError.ts';
import type { DeleteOptions } from '../../src/state/live/apiServer.ts';
import type { Status } from '../../src/state/live/serverStatus.ts';
import type { ObjectStore } from '../state/live/objectStore.ts';
import { servingObjects, type ServingOptions } from '../state/live/servingObjects.ts';
import { root, type Ran } from './cli.ts';

/** A control plane of these objects, behind HTTP, and a kubeconfig for it. */
export interface LiveServer {
  /** what it serves, as commands have left it */
  store: ObjectStore;
  /** each write that it was asked for: verb and path, dry runs marked so */
  writes: readonly string[];
  kubeconfig: string;
  /** where files of a test may go */
  directory: string;
  close(): void;
}

/** The path of a kind's objects, not of one of them. */
const LIST = /^\/(?:api\/v\d\w*|apis\/[^/]+\/v\d\w*)(?:\/namespaces\/[^/]+)?\/[^/]+$/;

/** Serves the objects as an API server does, and takes writes of them, as far as commands ask for it. */
export async function liveServer(
  objects: KubernetesObject[],
  options: ServingOptions = {},
): Promise<LiveServer> {
  const fake = servingObjects(objects, options);
  const write = async (request: IncomingMessage, path: string, query: URLSearchParams): Promise<unknown> => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece as string;
    const body = (text === '' ? {} : JSON.parse(text)) as KubernetesObject &
      Omit<DeleteOptions, 'dryRun'> & { dryRun?: string[] };
    const status = path.endsWith('/status');
    const target = status ? path.slice(0, -'/status'.length) : path;
    const options = {
      dryRun: query.get('dryRun') === 'All',
      fieldManager: query.get('fieldManager') ?? request.headers['user-agent']?.split('/')[0] ?? 'unknown',
      ...(status ? { subresource: 'status' as const } : {}),
    };
    switch (request.method) {
      case 'POST':
        if (path.endsWith('/selfsubjectaccessreviews')) return { status: { allowed: true } };
        return fake.create(target, body, options);
      case 'PUT':
        return fake.store.replace(target, body, options);
      case 'DELETE':
        // beside a body, a server looks at no parameter
        return fake.delete(target, {
          ...body,
          dryRun: text === '' ? options.dryRun : body.dryRun?.[0] === 'All',
        });
      default:
        return request.headers['content-type'] === 'application/apply-patch+yaml'
          ? fake.apply(target, body, { ...options, force: query.get('force') === 'true' })
          : fake.patch(target, body, options);
    }
  };
  /** Streams what changes from now on, until the client has enough. */
  const watch = (path: string, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const end = fake.store.follow(path, (event) => response.write(`${JSON.stringify(event)}\n`));
    response.on('close', end);
  };
  const answer = async (path: string, metadataOnly: boolean): Promise<unknown> => {
    if (LIST.test(path)) {
      const { items } = await fake.list(path, { metadataOnly });
      return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: fake.store.version }, items };
    }
    return fake.get(path);
  };
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (searchParams.get('watch') === 'true') return watch(path, response);
    const metadataOnly = request.headers.accept?.includes('PartialObjectMetadata') ?? false;
    const answered =
      request.method === 'GET' ? answer(path, metadataOnly) : write(request, path, searchParams);
    answered.then(
      (body) => response.end(JSON.stringify(body)),
      ({ status: code, message, reason, cause }: ApiError) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            ...{ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, message, reason },
            details: (cause as Status | undefined)?.details,
          }),
        ),
    );
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
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'bin/kubectl-karmada_failover.js'), ...argv], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], KUBECONFIG: kubeconfig, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text));
    child.on('close', (code) => resolve({ ...ran, code }));
  });
}
