import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { connect } from '../../../src/state/live/connect.ts';
import type { ConnectionOptions } from '../../../src/state/live/connect.ts';
import type { Timing } from '../../../src/state/live/mirrors/timing.ts';
import { fakeHttpServer } from './fakeHttpServer.ts';
import type { FakeHttpServer, Handler } from './fakeHttpServer.ts';
import { fakeTiming } from './fakeTiming.ts';

/** Parts of a kubeconfig, each by name. */
export interface Config {
  clusters?: Record<string, object>;
  users?: Record<string, object>;
  contexts?: Record<string, object>;
  'current-context'?: string;
}

/** Servers, files and connections of one test, with their cleanup. */
export class Workbench {
  readonly directory = mkdtempSync(join(tmpdir(), 'live-'));
  readonly #ends: (() => unknown)[] = [() => rmSync(this.directory, { recursive: true, force: true })];

  atEnd(end: () => unknown): void {
    this.#ends.unshift(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  file(name: string, text: string, mode = 0o600): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  kubeconfig(name: string, config: Config): string {
    const list = (entries: Record<string, object> = {}, field: string) =>
      Object.entries(entries).map(([name, value]) => ({ name, [field]: value }));
    return this.file(
      name,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': config['current-context'] ?? '',
        clusters: list(config.clusters, 'cluster'),
        users: list(config.users, 'user'),
        contexts: list(config.contexts, 'context'),
      }),
    );
  }

  async server(handle?: Handler, options?: Parameters<typeof fakeHttpServer>[1]): Promise<FakeHttpServer> {
    const server = await fakeHttpServer(handle, options);
    this.atEnd(() => server.close());
    return server;
  }

  /** A connection to a server as a user of a kubeconfig; without the machine's proxies. */
  async connect(
    server: Pick<FakeHttpServer, 'url' | 'authority'>,
    {
      user = { token: 'secret' },
      cluster = {},
      environment = {},
      timing = fakeTiming({ jumps: true }),
      ...options
    }: Omit<ConnectionOptions, 'user' | 'cluster'> & {
      user?: object;
      cluster?: object;
      environment?: NodeJS.ProcessEnv;
      timing?: Timing;
    } = {},
  ): Promise<ApiServer> {
    const kubeconfig = this.kubeconfig('config', {
      clusters: {
        karmada: {
          server: server.url,
          'certificate-authority-data': base64(server.authority.cert),
          ...cluster,
        },
      },
      users: { admin: user },
      contexts: { karmada: { cluster: 'karmada', user: 'admin' } },
      'current-context': 'karmada',
    });
    const api = await connect({ kubeconfig, ...options }, { environment, timing });
    this.atEnd(() => api.close());
    return api;
  }
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
