import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { applyMergePatch } from '../../src/kubernetes/mergePatch.ts';
import type { OpenMirror } from '../../src/state/live/mirrors/mirror.ts';
import type { Pause } from '../../src/operations/pause.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer, WriteOptions } from '../../src/state/live/apiServer.ts';
import type { Mirror, MirrorListener } from '../../src/state/live/mirrors/mirror.ts';
import type { VirtualTime } from './virtualTime.ts';

/**
 * The fault of one request. `before` and `after`: whether the server has acted when the response is lost or an error; `foreign`: another
 * client writes the object just before; `slow`: additional milliseconds, each way.
 */
export type Fault =
  | { type: 'reset' | 'error'; when: 'before' | 'after' }
  | { type: 'overloaded'; retryAfter: number }
  | { type: 'foreign' }
  | { type: 'slow'; milliseconds: number }
  | { type: 'kill'; when: 'before' | 'after' | 'answered' };

/** A watch that delivers nothing for a while; a silent one is not recognized as stale. */
export interface WatchCut {
  path: RegExp;
  at: number;
  milliseconds: number;
  silent: boolean;
}

export interface Request {
  verb: 'get' | 'list' | 'patch';
  path: string;
  /** the index of the request of this client, from 0 */
  number: number;
}

export interface ClientOptions {
  fault?: (request: Request) => Fault | undefined;
  /** milliseconds from a change to its arrival at a mirror */
  watchLag?: (path: string) => number;
  cuts?: readonly WatchCut[];
  /** epoch milliseconds at which the process is killed */
  killAt?: number;
}

/** One process of ours, as a client of the control plane. */
export interface Client {
  server: ApiServer;
  pause: Pause;
  openMirror: OpenMirror;
  /** looks take no time, however slow the machine is */
  stopwatch: () => number;
  /** ends the process: nothing that it awaits ever resolves */
  kill(): void;
  /** resolves when the process has been killed */
  readonly killed: Promise<void>;
  /** merge patches that were sent, in order */
  readonly writes: { path: string; patch: unknown; dryRun: boolean }[];
}

/** An object as it is served. */
export interface Stored extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { resourceVersion: string };
}

export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Stored;
}

/** An accepted write: what was sent, and its effect on the object. */
export interface TakenWrite {
  path: string;
  before: Stored;
  after: KubernetesObject;
  patch: unknown;
  part: 'object' | 'status';
}

/** The API of a control plane, whatever drives its changes. */
export interface Served {
  time: VirtualTime;
  /** throws an ApiError of status 404 if there is none */
  existing(path: string): Stored;
  /** of a namespace, or of a kind in all namespaces */
  listed(path: string): Stored[];
  version(): string;
  subscribers: Set<(path: string, change: Change) => void>;
  write(write: TakenWrite): Stored;
  /** another client writes an object without a relevant change */
  touch(path: string): void;
}

/** A process as a client of the API, over a separate network: versions, conflicts, merge patches, lagging watches, failing requests. */
export function createClient(
  { time, existing, listed, version, subscribers, write, touch }: Served,
  { fault, watchLag, cuts = [], killAt }: ClientOptions = {},
): Client {
  let dead = false;
  let requests = 0;
  let reportKilled: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (reportKilled = resolve));
  const writes: Client['writes'] = [];
  const kill = () => {
    dead = true;
    reportKilled();
  };
  if (killAt !== undefined) time.plan(killAt, kill);
  /** a wait of the process, which never resolves for a killed one */
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) =>
      time.plan(time.now() + milliseconds, () => {
        if (!dead) resolve();
      }),
    );
  const pause: Pause = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      let over = false;
      const end = () => {
        if (over || dead) return;
        over = true;
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end);
      time.plan(time.now() + milliseconds, end);
    });

  /** `act` happens at the server even if the process is killed before the response. */
  function request<T>(verb: Request['verb'], path: string, act: () => T): Promise<T> {
    if (dead) return new Promise(() => undefined);
    const wrong = fault?.({ verb, path, number: requests++ });
    const way = 5 + (wrong?.type === 'slow' ? wrong.milliseconds : 0);
    return new Promise<T>((resolve, reject) => {
      const answer = (give: () => void) =>
        time.plan(time.now() + way, () => {
          if (dead) return;
          if (wrong?.type === 'kill' && wrong.when === 'answered') kill();
          else give();
        });
      time.plan(time.now() + way, () => {
        if (wrong && 'when' in wrong && wrong.when === 'before')
          return wrong.type === 'kill' ? kill() : answer(() => reject(failure(wrong.type)));
        if (wrong?.type === 'overloaded')
          return answer(() => reject(failure('overloaded', wrong.retryAfter)));
        if (wrong?.type === 'foreign' && verb === 'patch') touch(path);
        try {
          const result = act();
          if (wrong && 'when' in wrong && wrong.when === 'after')
            return wrong.type === 'kill' ? kill() : answer(() => reject(failure(wrong.type)));
          answer(() => resolve(result));
        } catch (error) {
          answer(() => reject(error as Error));
        }
      });
    });
  }

  const server: ApiServer = {
    url: 'https://karmada.example',
    now: () => time.now(),
    get: <T>(path: string) => request('get', path, () => existing(path) as T),
    async list(path, { onPage } = {}) {
      const { items, resourceVersion } = await request('list', path, () => ({
        items: listed(path),
        resourceVersion: version(),
      }));
      if (!onPage) return { items, resourceVersion };
      onPage(items);
      return { items: [], resourceVersion };
    },
    watch: () => {
      throw new Error('mirrors are made by openMirror');
    },
    patch: <T>(
      path: string,
      patch: unknown,
      { dryRun = false, subresource, beforeSent }: WriteOptions = {},
    ) => {
      beforeSent?.();
      const written = subresource === undefined ? path : `${path}/${subresource}`;
      if (!dead) writes.push({ path: written, patch, dryRun });
      return request('patch', path, () => {
        const before = existing(path);
        const { metadata } = patch as { metadata: { resourceVersion?: string; uid?: string } };
        if (
          metadata.resourceVersion !== before.metadata.resourceVersion ||
          metadata.uid !== before.metadata.uid
        )
          throw new ApiError(`the object has been modified`, { status: 409, reason: 'Conflict' });
        const after = applyMergePatch(before, patch) as KubernetesObject;
        if (dryRun) return after as T;
        return write({ path, before, after, patch, part: subresource ?? 'object' }) as T;
      });
    },
    create: () => Promise.reject(new Error('nothing is created')),
    apply: () => Promise.reject(new Error('nothing is applied')),
    delete: () => Promise.reject(new Error('nothing is deleted')),
    can: () => Promise.resolve(true),
    typed: () => Promise.reject(new Error('nothing is read by its type')),
    close: () => undefined,
  };

  function openMirror<T>(
    _server: unknown,
    path: string,
    { listener }: { listener?: MirrorListener<T> } = {},
  ): Mirror<T> {
    const objects = new Map<string, T>();
    const lag = () => watchLag?.(path) ?? 20;
    let stopped = false;
    let deliveredAt = 0;
    let connected = false;
    let staleSince: number | undefined;
    let cutAt = 0;
    const newer = (object: Stored) => {
      const known = objects.get(keyOf(object)) as Stored | undefined;
      return !known || Number(known.metadata.resourceVersion) < Number(object.metadata.resourceVersion);
    };
    const set = (object: Stored) => {
      if (!newer(object)) return;
      const before = objects.get(keyOf(object));
      objects.set(keyOf(object), object as unknown as T);
      listener?.({ ...(before ? { before } : {}), after: object as unknown as T });
    };
    const remove = (object: Stored) => {
      if (!newer(object)) return;
      const before = objects.get(keyOf(object));
      objects.delete(keyOf(object));
      if (before) listener?.({ before });
    };
    let connection = 0;
    const subscriber = (changed: string, { type, object }: Change) => {
      if (!connected || !within(changed, path)) return;
      const mine = connection;
      deliveredAt = Math.max(deliveredAt, time.now() + lag());
      time.plan(deliveredAt, () => {
        if (dead || stopped || mine !== connection) return;
        if (type === 'DELETED') remove(object);
        else set(object);
      });
    };
    const connect = () => {
      if (dead || stopped) return;
      connected = true;
      connection++;
      staleSince = undefined;
      deliveredAt = 0;
      const items = listed(path) as Stored[];
      const keys = new Set(items.map(keyOf));
      for (const [key, object] of [...objects])
        if (!keys.has(key)) {
          objects.delete(key);
          listener?.({ before: object });
        }
      items.forEach(set);
    };
    subscribers.add(subscriber);
    for (const cut of cuts) {
      if (!cut.path.test(path)) continue;
      time.plan(cut.at, () => {
        connected = false;
        connection++;
        cutAt = time.now();
        if (!cut.silent) staleSince ??= time.now();
        time.plan(time.now() + cut.milliseconds, connect);
      });
    }
    const synced = sleep(10).then(connect);
    return {
      objects,
      synced,
      heardAt: () => (connected ? time.now() : cutAt),
      staleSince: () => staleSince,
      observe: (object) => set(object as unknown as Stored),
      stop() {
        stopped = true;
        subscribers.delete(subscriber);
      },
    };
  }

  return { server, pause, openMirror, stopwatch: time.now, kill, killed, writes };
}

export function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Whether an object is in a collection: of its namespace, or of its kind in all namespaces. */
export function within(path: string, collection: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent === collection || parent.replace(/\/namespaces\/[^/]+/, '') === collection;
}

/** The object at a path. Throws an ApiError of status 404 if there is none. */
export function existingIn(store: ReadonlyMap<string, Stored>, path: string): Stored {
  const object = store.get(path);
  if (object) return object;
  const name = path.slice(path.lastIndexOf('/') + 1);
  throw new ApiError(`"${name}" not found`, { status: 404, reason: 'NotFound' });
}

/** What is stored below the path of a collection. */
export function listedIn(store: ReadonlyMap<string, Stored>, path: string): Stored[] {
  return [...store].filter(([one]) => within(one, path)).map(([, object]) => object);
}

function failure(type: 'reset' | 'error' | 'overloaded' | 'kill', retryAfter?: number): ApiError {
  switch (type) {
    case 'overloaded':
      return new ApiError('too many requests', { status: 429, reason: 'TooManyRequests', retryAfter });
    case 'error':
      return new ApiError('internal error', { status: 500, reason: 'InternalError' });
    default:
      return new ApiError('socket hang up', { status: 0, reason: 'ECONNRESET' });
  }
}
