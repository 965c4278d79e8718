import { createControlPlane, type BindingRecord } from '../../src/engine/simulation/controlPlane.ts';
import { objectKey } from '../../src/engine/objects/identities.ts';
import { startBindingController } from '../../src/engine/simulation/controllers/bindingController.ts';
import { startClusterController } from '../../src/engine/simulation/controllers/clusterController.ts';
import { startDependenciesDistributor } from '../../src/engine/simulation/controllers/dependenciesDistributor.ts';
import { startGracefulEviction } from '../../src/engine/simulation/controllers/gracefulEvictionController.ts';
import { startResourceSummaries } from '../../src/engine/simulation/controllers/resourceSummaries.ts';
import { startScheduler } from '../../src/engine/simulation/controllers/schedulerController.ts';
import { startStatusAggregation } from '../../src/engine/simulation/controllers/statusAggregation.ts';
import { createMembers, type Members } from '../../src/engine/simulation/members.ts';
import { applyMergePatch } from '../../src/kubernetes/mergePatch.ts';
import type { MemberAssumptions } from '../../src/engine/scenario.ts';
import { indexWorks, type SimulatedWork } from '../../src/engine/simulation/simulatedWork.ts';
import { declaredHooks } from '../../src/engine/status/healthInterpreter.ts';
import type { World } from '../../src/engine/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth, Work } from '../../src/karmada/api/work.ts';
import type { Configuration } from '../../src/karmada/configuration.ts';
import { v1_18 } from '../dialects.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  executionNamespace,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../src/karmada/names.ts';
import { deepEqual } from '../../src/kubernetes/deepEqual.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import type { OpenMirror } from '../../src/operations/drain/drainMirrors.ts';
import type { Pause } from '../../src/operations/pause.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import type { Mirror, MirrorListener } from '../../src/state/live/mirror.ts';
import { createVirtualTime, type VirtualTime } from './virtualTime.ts';

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
  const time = createVirtualTime(options.start);
  const assumptions: MemberAssumptions = { workloadReadyAfter: 20_000, neverReady: [], ...options.members };

  const plane = createControlPlane(world, time);
  const hooks = declaredHooks(world.others);
  const members = createMembers(
    plane,
    time,
    indexWorks(world.works, configuration.rules),
    assumptions,
    hooks,
  );
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

  // The store follows the plane before any controller hears of a change.
  const bindingPath = ({ current: { metadata } }: BindingRecord) =>
    metadata.namespace
      ? `${WORK_GROUP}/v1alpha2/namespaces/${metadata.namespace}/resourcebindings/${metadata.name}`
      : `${WORK_GROUP}/v1alpha2/clusterresourcebindings/${metadata.name}`;
  const putBinding = (record: BindingRecord) =>
    void put(bindingPath(record), record.current as unknown as KubernetesObject);
  const putCluster = (cluster: Cluster) =>
    void put(`${CLUSTERS}/${cluster.metadata.name}`, cluster as unknown as KubernetesObject);
  plane.observe({
    clusterChanged: (_before, after) => putCluster(after),
    bindingChanged(record, before) {
      noteEvictions(record, before);
      putBinding(record);
    },
    bindingStatusChanged: putBinding,
  });
  plane.clusters.forEach((cluster) => putCluster(cluster));
  plane.bindings.forEach(putBinding);

  function noteEvictions(record: BindingRecord, before: ResourceBinding | undefined): void {
    const known = new Set(before?.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
    for (const { fromCluster, producer } of record.current.spec.gracefulEvictionTasks ?? [])
      if (producer === 'karmada-failover' && !known.has(fromCluster))
        history.evictions.push(`${record.current.metadata.name} from ${fromCluster}`);
  }

  const workPath = (record: BindingRecord, cluster: string) =>
    `${WORK_GROUP}/v1alpha1/namespaces/${executionNamespace(cluster)}/works/` +
    `${record.current.metadata.namespace ?? 'cluster'}-${record.current.metadata.name}`;
  const workOf = new WeakMap<SimulatedWork, string>();
  function syncWorks(record: BindingRecord): void {
    const works = members.worksOf(record);
    for (const { metadata } of plane.clusters.values())
      if (!works.has(metadata.name)) drop(workPath(record, metadata.name));
    for (const [cluster, simulated] of works) {
      const path = workPath(record, cluster);
      let uid = workOf.get(simulated);
      if (uid === undefined) workOf.set(simulated, (uid = `uid-${++uids}`));
      const before = store.get(path);
      const work = workObject(record, simulated, path);
      if (before?.metadata.uid === uid && sameWork(before, work)) continue;
      if (before && before.metadata.uid !== uid) drop(path);
      put(path, work, uid);
    }
  }
  const tracked: Members = {
    ...members,
    write(record, ...rest) {
      const written = members.write(record, ...rest);
      syncWorks(record);
      return written;
    },
    remove(record, cluster) {
      members.remove(record, cluster);
      syncWorks(record);
    },
  };
  members.onWorkStatus(syncWorks);
  members.onWorkGone(syncWorks);
  members.onReadiness(noteReadiness);
  function noteReadiness(record: BindingRecord): void {
    const { name } = record.current.metadata;
    const ready = members.readyReplicas(record);
    history.leastReady.set(name, Math.min(ready, history.leastReady.get(name) ?? Infinity));
  }
  for (const record of plane.bindings) {
    syncWorks(record);
    noteReadiness(record);
    history.readyAtStart.set(record.current.metadata.name, members.readyAtStart(record));
  }

  startClusterController(plane, time);
  startScheduler(plane, time, configuration, {
    traced: undefined,
    attempted: () => undefined,
    placed: () => undefined,
  });
  startGracefulEviction(plane, time, configuration);
  startBindingController(plane, time, tracked, configuration);
  startStatusAggregation(plane, time, members);
  startDependenciesDistributor(plane, time);
  const period = configuration.controllerManager['cluster-status-update-frequency'];
  startResourceSummaries(plane, time, members, period);

  function workObject(record: BindingRecord, work: SimulatedWork, path: string): KubernetesObject {
    const { metadata, spec } = record.current;
    const { apiVersion, kind, namespace, name } = spec.resource;
    const id =
      metadata.labels?.[RESOURCE_BINDING_PERMANENT_ID_LABEL] ??
      metadata.labels?.[CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL];
    const label = metadata.namespace
      ? RESOURCE_BINDING_PERMANENT_ID_LABEL
      : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
    const slash = apiVersion.indexOf('/');
    const manifest = {
      apiVersion,
      kind,
      metadata: { name, ...(namespace ? { namespace } : {}) },
      spec: { replicas: work.replicas },
    };
    const identifier = {
      ordinal: 0,
      group: slash < 0 ? '' : apiVersion.slice(0, slash),
      version: apiVersion.slice(slash + 1),
      kind,
      name,
      ...(namespace ? { namespace } : {}),
    };
    const object: Work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: {
        name: path.slice(path.lastIndexOf('/') + 1),
        namespace: executionNamespace(work.cluster),
        labels: { [label]: id ?? '' },
        ...(work.deletingSince === undefined ? {} : { deletionTimestamp: rfc3339(work.deletingSince) }),
      },
      spec: { workload: { manifests: [manifest] } },
      status: {
        conditions: [{ type: 'Applied', status: work.applied ? 'True' : 'False' }],
        ...(work.health === undefined
          ? {}
          : {
              manifestStatuses: [
                {
                  identifier,
                  health: work.health,
                  ...(work.status === undefined ? {} : { status: work.status }),
                },
              ],
            }),
      },
    };
    return object as unknown as KubernetesObject;
  }

  /** Takes a write of anybody; the plane tells the controllers. */
  function write(path: string, before: Stored, after: KubernetesObject): Stored {
    if (before.kind === 'Cluster') plane.writeCluster(sameSpec(after, before) as unknown as Cluster);
    else if (before.kind === 'Work') throw new Error('nobody writes Works here');
    else {
      const record = recordOf(before);
      const { metadata, spec } = after as unknown as ResourceBinding;
      const changed = !deepEqual(spec, record.current.spec);
      plane.writeBinding(record, { metadata: withoutVersion(metadata), ...(changed ? { spec } : {}) });
    }
    return store.get(path)!;
  }
  function writeStatus(path: string, before: Stored, after: KubernetesObject): Stored {
    plane.writeBindingStatus(recordOf(before), (after as unknown as ResourceBinding).status ?? {});
    return store.get(path)!;
  }
  function sameSpec(after: KubernetesObject, before: KubernetesObject): KubernetesObject {
    const current = plane.clusters.get(before.metadata.name) as unknown as KubernetesObject & {
      spec?: unknown;
    };
    const changed = after as KubernetesObject & { spec?: unknown };
    const spec = deepEqual(changed.spec, current.spec) ? current.spec : changed.spec;
    return { ...changed, metadata: withoutVersion(changed.metadata), spec } as KubernetesObject;
  }
  function recordOf({ kind, metadata }: KubernetesObject): BindingRecord {
    const { name, namespace } = metadata;
    const record = plane.findBinding({ kind, name, ...(namespace ? { namespace } : {}) });
    if (!record) throw new Error(`${objectKey({ kind, name })} is not there`);
    return record;
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
      patch: <T>(path: string, patch: unknown, { dryRun = false } = {}) => {
        if (!dead) writes.push({ path, patch, dryRun });
        const ofStatus = path.endsWith('/status');
        const object = ofStatus ? path.slice(0, -'/status'.length) : path;
        return request('patch', object, () => {
          const before = existing(object);
          const { metadata } = patch as { metadata: { resourceVersion?: string; uid?: string } };
          if (
            metadata.resourceVersion !== before.metadata.resourceVersion ||
            metadata.uid !== before.metadata.uid
          )
            throw new ApiError(`the object has been modified`, { status: 409, reason: 'Conflict' });
          const after = applyMergePatch(before, patch) as KubernetesObject;
          if (dryRun) return after as T;
          return (ofStatus ? writeStatus(object, before, after) : write(object, before, after)) as T;
        });
      },
      create: () => Promise.reject(new Error('nothing is created')),
      can: () => Promise.resolve(true),
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
    bindings: () => plane.bindings.filter(({ deleted }) => !deleted).map(({ current }) => current),
    binding: (name) => plane.bindings.find(({ current }) => current.metadata.name === name)!.current,
    works: () => listed(`${WORK_GROUP}/v1alpha1/works`) as unknown as Work[],
    edit(path, change) {
      const before = existing(path);
      write(path, before, change(before as never));
    },
    setHealth(name, cluster, health) {
      const record = plane.bindings.find(({ current }) => current.metadata.name === name);
      if (record) members.setHealth(record, cluster, health);
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

function sameWork(before: KubernetesObject, after: KubernetesObject): boolean {
  const { resourceVersion: _version, uid: _uid, ...metadata } = before.metadata;
  return deepEqual({ ...before, metadata }, after);
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
