import type { MemberAssumptions, ScenarioAction } from '../../src/engine/scenario.ts';
import type { Change as StoreChange, Write } from '../../src/engine/controllers/write.ts';
import { bindingKey } from '../../src/engine/objects/identities.ts';
import { karmadaControllers } from '../../src/engine/simulation/karmadaControllers.ts';
import { followReadyReplicas } from '../../src/engine/verdicts/readyReplicas.ts';
import { scenarioWrites } from '../../src/engine/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../src/engine/store/startingWorld.ts';
import { canonicalOrdering } from '../../src/engine/virtualTime/ordering.ts';
import { createVirtualTime } from '../../src/engine/virtualTime/virtualTime.ts';
import type { World } from '../../src/engine/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth, Work } from '../../src/karmada/api/work.ts';
import type { Configuration } from '../../src/karmada/configuration.ts';
import { applyMergePatch } from '../../src/kubernetes/mergePatch.ts';
import type { OpenMirror } from '../../src/operations/drain/drainMirrors.ts';
import type { Pause } from '../../src/operations/pause.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer, WriteOptions } from '../../src/state/live/apiServer.ts';
import type { Mirror, MirrorListener } from '../../src/state/live/mirror.ts';
import { v1_18 } from '../dialects.ts';
import { waitableTime, type VirtualTime } from './virtualTime.ts';

/**
 * What goes wrong with one request. `before` and `after`: whether the server has acted when the answer gets lost or is
 * an error; `foreign`: somebody else writes the object just before; `slow`: milliseconds more, each way.
 */
export type Fault =
  | { type: 'reset' | 'error'; when: 'before' | 'after' }
  | { type: 'overloaded'; retryAfter: number }
  | { type: 'foreign' }
  | { type: 'slow'; milliseconds: number }
  | { type: 'kill'; when: 'before' | 'after' | 'answered' };

/** A watch that delivers nothing for a while; a silent one is not noticed to be stale. */
export interface WatchCut {
  path: RegExp;
  at: number;
  milliseconds: number;
  silent: boolean;
}

export interface Request {
  verb: 'get' | 'list' | 'patch';
  path: string;
  /** which request of this client it is, from 0 */
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

/** One process of ours, as it talks to the control plane. */
export interface Client {
  server: ApiServer;
  pause: Pause;
  openMirror: OpenMirror;
  /** ends the process: nothing that it waits for ever comes */
  kill(): void;
  /** resolves when the process has been killed */
  readonly killed: Promise<void>;
  /** merge patches that were sent, in order */
  readonly writes: { path: string; patch: unknown; dryRun: boolean }[];
}

export interface FakeOptions {
  start: number;
  configuration?: Configuration;
  members?: Partial<MemberAssumptions>;
}

export interface FakeControlPlane {
  time: VirtualTime;
  client(options?: ClientOptions): Client;
  clusters(): Cluster[];
  bindings(): ResourceBinding[];
  binding(name: string): ResourceBinding;
  works(): Work[];
  /** Writes an object as somebody else would, with no condition. */
  edit<T extends KubernetesObject>(path: string, change: (object: T) => T): void;
  /** A member reports another health for a workload; unhealthy ones have no ready replicas. */
  setHealth(binding: string, cluster: string, health: ResourceHealth): void;
  /** A member can no longer be reached, and Karmada has noticed. */
  loseTouch(cluster: string): void;
  readonly history: History;
}

/** What has happened, for the claims of tests. */
export interface History {
  /** "binding from cluster" for each eviction task of a drain that came to be */
  evictions: string[];
  /** the least number of ready replicas that a binding ever had, by name */
  leastReady: Map<string, number>;
  /** ready replicas at the start, by name */
  readyAtStart: Map<string, number>;
}

interface Stored extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { resourceVersion: string };
}

interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Stored;
}

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const WORK_GROUP = '/apis/work.karmada.io';

/**
 * A control plane in memory and in virtual time, with Karmada's controllers as the engine knows them, and API
 * semantics around it: versions, conflicts, merge patches, watches that lag, requests that go wrong.
 */
export function createFakeControlPlane(world: World, options: FakeOptions): FakeControlPlane {
  const configuration = options.configuration ?? v1_18.defaults;
  const assumptions: MemberAssumptions = { workloadReadyAfter: 20_000, neverReady: [], ...options.members };
  const starting = createStartingWorld(world, configuration, { start: options.start, members: assumptions });
  const karmada = createVirtualTime(starting, {
    controllers: karmadaControllers(assumptions),
    ordering: canonicalOrdering,
    explained: false,
  });
  const { view } = karmada;
  const time = waitableTime(karmada);
  const ready = followReadyReplicas(karmada);
  const history: History = { evictions: [], leastReady: new Map(), readyAtStart: new Map() };

  let version = 1000;
  let uids = 0;
  const store = new Map<string, Stored>();
  const subscribers = new Set<(path: string, change: Change) => void>();

  function put(path: string, object: KubernetesObject, uid?: string): Stored {
    const before = store.get(path);
    const stored: Stored = {
      ...object,
      metadata: {
        ...object.metadata,
        uid: uid ?? before?.metadata.uid ?? object.metadata.uid ?? `uid-${++uids}`,
        resourceVersion: String(++version),
      },
    };
    store.set(path, stored);
    for (const tell of subscribers) tell(path, { type: before ? 'MODIFIED' : 'ADDED', object: stored });
    return stored;
  }
  function drop(path: string): void {
    const before = store.get(path);
    if (!before) return;
    store.delete(path);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++version) } };
    for (const tell of subscribers) tell(path, { type: 'DELETED', object });
  }

  const bindingPath = ({ metadata }: ResourceBinding) =>
    metadata.namespace
      ? `${WORK_GROUP}/v1alpha2/namespaces/${metadata.namespace}/resourcebindings/${metadata.name}`
      : `${WORK_GROUP}/v1alpha2/clusterresourcebindings/${metadata.name}`;
  const workPath = ({ metadata }: Work) =>
    `${WORK_GROUP}/v1alpha1/namespaces/${metadata.namespace}/works/${metadata.name}`;
  const clusterPath = ({ metadata }: Cluster) => `${CLUSTERS}/${metadata.name}`;
  const served = <T>(path: (object: T) => string, before: T | undefined, after: T | undefined) => {
    if (after) put(path(after), after as unknown as KubernetesObject);
    else drop(path(before!));
  };

  /** What the API serves follows what the controllers write. */
  function follow(change: StoreChange): void {
    const { before, after } = change;
    if (change.kind === 'Cluster') served(clusterPath, change.before, change.after);
    else if (change.kind === 'Work') served(workPath, change.before, change.after);
    else if (change.kind === 'Binding') {
      noteEvictions(before as ResourceBinding | undefined, after as ResourceBinding | undefined);
      served(bindingPath, change.before, change.after);
    }
  }
  karmada.follow(({ changes }) => changes.forEach(follow));
  for (const cluster of view.all('Cluster')) served(clusterPath, undefined, cluster);
  for (const binding of view.all('Binding')) {
    served(bindingPath, undefined, binding);
    for (const work of view.worksOf(binding).values()) served(workPath, undefined, work);
    const { name } = binding.metadata;
    history.readyAtStart.set(name, ready.of(bindingKey(binding)));
    history.leastReady.set(name, ready.of(bindingKey(binding)));
  }
  ready.onChange((key) => {
    const name = key.slice(key.indexOf('/') + 1);
    history.leastReady.set(name, Math.min(ready.of(key), history.leastReady.get(name) ?? Infinity));
  });

  function noteEvictions(before: ResourceBinding | undefined, after: ResourceBinding | undefined): void {
    const known = new Set(before?.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
    for (const { fromCluster, producer } of after?.spec.gracefulEvictionTasks ?? [])
      if (producer === 'karmada-failover' && !known.has(fromCluster))
        history.evictions.push(`${after!.metadata.name} from ${fromCluster}`);
  }

  /** Takes a write of anybody; the controllers hear of it. */
  function write(
    path: string,
    before: Stored,
    after: KubernetesObject,
    part: 'object' | 'status' = 'object',
  ): Stored {
    if (before.kind === 'Work') throw new Error('nobody writes Works here');
    const kind = before.kind === 'Cluster' ? 'Cluster' : 'Binding';
    const key = kind === 'Cluster' ? before.metadata.name : bindingKey(before as unknown as ResourceBinding);
    const base = view.get(kind, key);
    if (!base) throw new Error(`${before.kind} ${key} is not there`);
    const object = { ...after, metadata: withoutVersion(after.metadata) };
    karmada.write('somebody', [
      { verb: 'update', kind, key, part, lock: false, base, object } as unknown as Write,
    ]);
    return store.get(path)!;
  }

  let edits = 0;
  function touch(path: string): void {
    const before = store.get(path);
    if (!before || before.kind === 'Work') return;
    const annotations = { ...before.metadata.annotations, [`somebody/edit-${++edits}`]: 'yes' };
    write(path, before, { ...before, metadata: { ...before.metadata, annotations } });
  }

  function client({ fault, watchLag, cuts = [], killAt }: ClientOptions = {}): Client {
    let dead = false;
    let requests = 0;
    let tellKilled: () => void = () => undefined;
    const killed = new Promise<void>((resolve) => (tellKilled = resolve));
    const writes: Client['writes'] = [];
    const kill = () => {
      dead = true;
      tellKilled();
    };
    if (killAt !== undefined) time.plan(killAt, kill);
    /** a wait of the process, which a killed one never comes back from */
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

    /** `act` happens at the server whether or not the process lives to hear of it. */
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
          resourceVersion: String(version),
        }));
        if (!onPage) return { items, resourceVersion };
        onPage(items);
        return { items: [], resourceVersion };
      },
      watch: () => {
        throw new Error('mirrors are made by openMirror');
      },
      patch: <T>(path: string, patch: unknown, { dryRun = false, subresource }: WriteOptions = {}) => {
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
          return write(path, before, after, subresource ?? 'object') as T;
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
      _server: ApiServer,
      path: string,
      { listener }: { listener?: MirrorListener<T> } = {},
    ): Mirror<T> {
      const objects = new Map<string, T>();
      const lag = () => watchLag?.(path) ?? 20;
      let stopped = false;
      let deliveredAt = 0;
      let connected = false;
      let staleSince: number | undefined;
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
          if (!cut.silent) staleSince ??= time.now();
          time.plan(time.now() + cut.milliseconds, connect);
        });
      }
      const synced = sleep(10).then(connect);
      return {
        objects,
        synced,
        staleSince: () => staleSince,
        observe: (object) => set(object as unknown as Stored),
        stop() {
          stopped = true;
          subscribers.delete(subscriber);
        },
      };
    }

    return { server, pause, openMirror, kill, killed, writes };
  }

  function existing(path: string): Stored {
    const object = store.get(path);
    if (object) return object;
    const name = path.slice(path.lastIndexOf('/') + 1);
    throw new ApiError(`"${name}" not found`, { status: 404, reason: 'NotFound' });
  }
  function listed(path: string): Stored[] {
    return [...store].filter(([one]) => within(one, path)).map(([, object]) => object);
  }

  return {
    time,
    client,
    clusters: () => listed(CLUSTERS) as unknown as Cluster[],
    bindings: () => [...view.all('Binding')],
    binding: (name) => [...view.all('Binding')].find(({ metadata }) => metadata.name === name)!,
    works: () => listed(`${WORK_GROUP}/v1alpha1/works`) as unknown as Work[],
    edit(path, change) {
      const before = existing(path);
      const after = change(before as never);
      write(path, before, after);
      write(path, before, after, 'status');
    },
    setHealth(name, cluster, health) {
      const binding = [...view.all('Binding')].find(({ metadata }) => metadata.name === name);
      if (!binding) return;
      const action: ScenarioAction = { type: 'health', workload: binding.spec.resource, cluster, health };
      karmada.write('somebody', scenarioWrites(action, view, configuration, time.now()));
    },
    loseTouch(cluster) {
      const condition = { type: 'Ready', status: 'False', reason: 'ClusterNotReachable' } as const;
      const action: ScenarioAction = { type: 'condition', cluster, condition };
      karmada.write('somebody', scenarioWrites(action, view, configuration, time.now()));
    },
    history,
  };
}

function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Whether an object is in a collection: of its namespace, or of its kind in all namespaces. */
function within(path: string, collection: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent === collection || parent.replace(/\/namespaces\/[^/]+/, '') === collection;
}

function withoutVersion<T extends { resourceVersion?: string }>(metadata: T): T {
  const { resourceVersion: _version, ...rest } = metadata;
  return rest as T;
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
