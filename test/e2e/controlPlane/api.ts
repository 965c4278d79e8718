import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

export interface Access {
  /** https://127.0.0.1:PORT */
  server: string;
  /** PEM */
  ca: string;
  token: string;
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
}

interface ListOfObjects {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion: string };
  items: KubernetesObject[];
}

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the tests themselves need of an API server; independent of the product's client. */
export class Api {
  readonly #access: Access;
  readonly #agent: Agent;

  constructor(access: Access) {
    this.#access = access;
    this.#agent = new Agent({ ca: access.ca, keepAlive: true });
  }

  /** Ends idle connections, which otherwise keep the process alive for a while. */
  close(): void {
    this.#agent.destroy();
  }

  async #send(
    method: string,
    path: string,
    { body, type = 'application/json', signal }: { body?: unknown; type?: string; signal?: AbortSignal } = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, this.#access.server),
        {
          method,
          agent: this.#agent,
          ...(signal ? { signal } : {}),
          headers: {
            authorization: `Bearer ${this.#access.token}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': type }),
          },
        },
        resolve,
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // the server has closed an idle connection: nothing has been sent
        const idle = outgoing.reusedSocket && error.code === 'ECONNRESET';
        if (idle)
          this.#send(method, path, { body, type, ...(signal ? { signal } : {}) }).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async #json<T>(method: string, path: string, body?: unknown, type?: string): Promise<T> {
    const response = await this.#send(method, path, {
      body,
      ...(type ? { type } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk as string;
    const status = response.statusCode ?? 0;
    if (status >= 300) throw new ApiError(status, `${method} ${path}: ${status} ${messageOf(text)}`);
    return (text.startsWith('{') ? JSON.parse(text) : text) as T;
  }

  get<T = KubernetesObject>(path: string): Promise<T> {
    return this.#json('GET', path);
  }

  create<T = KubernetesObject>(path: string, object: unknown): Promise<T> {
    return this.#json('POST', path, object);
  }

  replace<T = KubernetesObject>(path: string, object: unknown): Promise<T> {
    return this.#json('PUT', path, object);
  }

  merge<T = KubernetesObject>(path: string, patch: unknown): Promise<T> {
    return this.#json('PATCH', path, patch, 'application/merge-patch+json');
  }

  async remove(path: string): Promise<void> {
    await this.#json('DELETE', path);
  }

  /** A collection, its items with apiVersion and kind as kubectl prints them. */
  async list(path: string): Promise<ListOfObjects> {
    const list = await this.get<ListOfObjects>(path);
    const type = { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, '') };
    return { ...list, items: list.items.map((item) => ({ ...type, ...item })) };
  }

  /**
   * Reports every object of a collection and every change to it, through restarts of the server, until the signal aborts. If the server has
   * forgotten what happened during an interruption, objects are reported again, and deleted ones as DELETED.
   * @param listed called once every initial object has been reported
   */
  async follow(
    path: string,
    notify: (event: WatchEvent) => void,
    signal: AbortSignal,
    listed?: () => void,
  ): Promise<void> {
    let version: string | undefined;
    const known = new Map<string, KubernetesObject>();
    const see = (event: WatchEvent) => {
      const { namespace = '', name } = event.object.metadata;
      if (event.type === 'DELETED') known.delete(`${namespace}/${name}`);
      else known.set(`${namespace}/${name}`, event.object);
      notify(event);
    };
    while (!signal.aborted) {
      try {
        if (version === undefined) {
          const { items, metadata } = await this.list(path);
          const there = new Set(items.map(({ metadata }) => metadata.uid));
          for (const object of [...known.values()].filter(({ metadata }) => !there.has(metadata.uid)))
            see({ type: 'DELETED', object });
          for (const object of items) see({ type: 'ADDED', object });
          version = metadata.resourceVersion;
          listed?.();
        }
        const query = `watch=true&resourceVersion=${version}`;
        const response = await this.#send('GET', `${path}?${query}`, { signal });
        if (response.statusCode === 410) version = undefined;
        if (response.statusCode !== 200) throw new ApiError(response.statusCode ?? 0, path);
        for await (const line of lines(response)) {
          const event = JSON.parse(line) as WatchEvent;
          if (!['ADDED', 'MODIFIED', 'DELETED'].includes(event.type)) {
            version = undefined;
            break;
          }
          see(event);
          version = event.object.metadata.resourceVersion;
        }
      } catch {
        // away for a while
      }
      if (!signal.aborted) await sleep(250);
    }
  }
}

async function* lines(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    const parts = (rest + (chunk as string)).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text.slice(0, 500);
  }
}
