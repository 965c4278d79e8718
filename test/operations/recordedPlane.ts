import { deepEqual } from '../../src/kubernetes/deepEqual.ts';
import type { DrainOptions } from '../../src/engine/drain/drainOptions.ts';
import { bindingPermanentId, placeOfWork } from '../../src/engine/objects/worksOfBinding.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import type { OpenMirror } from '../../src/operations/drain/drainMirrors.ts';
import type { Pause } from '../../src/operations/pause.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import type { Mirror, MirrorListener } from '../../src/state/live/mirror.ts';
import { waitableTime, type VirtualTime } from './virtualTime.ts';

/** A drain on real Karmada, as test/e2e/recordDrain.ts writes it down; times are milliseconds since the start. */
export interface RecordedDrain {
  karmada: string;
  /** epoch milliseconds */
  start: number;
  options: DrainOptions;
  /** all that was there */
  objects: KubernetesObject[];
  /** what the drain wrote, and what the server answered */
  writes: { at: number; path: string; patch: unknown; answer: KubernetesObject }[];
  /** all that changed, the drain's own writes included */
  events: { at: number; type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject }[];
  ended: { outcome: string; reason?: string; phases: Record<string, string> };
}

export interface RecordedPlane {
  time: VirtualTime;
  server: ApiServer;
  pause: Pause;
  openMirror: OpenMirror;
  /** paths of the recorded writes that nobody has made yet */
  missing(): string[];
}

/**
 * A control plane that does what Karmada did when the drain was recorded, and knows nothing else: to a recorded write it answers as
 * the server did, and what changed of the same binding, its Works or the same cluster until the drain's next write of it, changes as long
 * after this one. Any other write fails.
 */
export function createRecordedPlane(recording: RecordedDrain): RecordedPlane {
  const { start, objects, events } = recording;
  const time = plainTime(start);
  const store = new Map<string, KubernetesObject>();
  const subscribers = new Set<(path: string, object: KubernetesObject, gone: boolean) => void>();
  const open = [...recording.writes];
  const subjects = subjectsOf([...objects, ...events.map(({ object }) => object)]);
  let version = 0;

  const stamped = (object: KubernetesObject): KubernetesObject => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(++version) },
  });
  function put(object: KubernetesObject): KubernetesObject {
    const stored = stamped(object);
    store.set(pathOf(object), stored);
    for (const tell of subscribers) tell(pathOf(object), stored, false);
    return stored;
  }
  objects.forEach(put);

  function happens({ type, object }: RecordedDrain['events'][number]): void {
    if (type !== 'DELETED') return void put(object);
    store.delete(pathOf(object));
    for (const tell of subscribers) tell(pathOf(object), stamped(object), true);
  }

  /** What follows a write: all that happened to its subject until the next one. */
  function follow(write: RecordedDrain['writes'][number]): void {
    const subject = subjects(write.answer);
    const next = open.find((one) => subjects(one.answer) === subject)?.at ?? Infinity;
    const own = write.answer.metadata.resourceVersion;
    for (const event of events) {
      if (event.at < write.at || event.at >= next || subjects(event.object) !== subject) continue;
      if (event.object.metadata.resourceVersion === own) continue;
      time.plan(time.now() + event.at - write.at, () => happens(event));
    }
  }

  const after = <T>(act: () => T): Promise<T> =>
    new Promise((resolve, reject) =>
      time.plan(time.now() + 5, () => {
        try {
          resolve(act());
        } catch (error) {
          reject(error as Error);
        }
      }),
    );
  const found = (path: string): KubernetesObject => {
    const object = store.get(path);
    if (object) return object;
    throw new ApiError(`${path} not found`, { status: 404, reason: 'NotFound' });
  };
  const listed = (path: string) =>
    [...store].filter(([one]) => collectionOf(one) === path).map(([, object]) => object);
  const no = () => Promise.reject(new Error('the recording knows no such request'));

  const server: ApiServer = {
    url: 'https://recorded.example',
    now: () => time.now(),
    get: <T>(path: string) => after(() => found(path) as T),
    async list(path, { onPage } = {}) {
      const items = await after(() => listed(path));
      onPage?.(items);
      return { items: onPage ? [] : items, resourceVersion: String(version) };
    },
    watch: () => {
      throw new Error('mirrors are made by openMirror');
    },
    patch: <T>(path: string, patch: unknown) =>
      after(() => {
        const { metadata } = patch as { metadata?: { resourceVersion?: string } };
        if (metadata?.resourceVersion !== found(path).metadata.resourceVersion)
          throw new ApiError('the object has been modified', { status: 409, reason: 'Conflict' });
        const at = open.findIndex((one) => one.path === path && sameWrite(one.patch, patch));
        if (at === -1)
          throw new Error(`the recording knows no such write of ${path}: ${JSON.stringify(patch)}`);
        const [write] = open.splice(at, 1);
        const answer = put(write!.answer);
        follow(write!);
        return answer as T;
      }),
    create: no,
    apply: no,
    delete: no,
    can: () => Promise.resolve(true),
    typed: no,
    close: () => undefined,
  };

  const pause: Pause = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener('abort', () => resolve());
      time.plan(time.now() + milliseconds, () => resolve());
    });

  function openMirror<T>(
    _server: ApiServer,
    path: string,
    { listener }: { listener?: MirrorListener<T> } = {},
  ): Mirror<T> {
    const seen = new Map<string, KubernetesObject>();
    const take = (object: KubernetesObject, gone: boolean) => {
      const { namespace, name, resourceVersion } = object.metadata;
      const key = namespace ? `${namespace}/${name}` : name;
      const before = seen.get(key);
      if (Number(before?.metadata.resourceVersion ?? 0) >= Number(resourceVersion)) return;
      if (gone) seen.delete(key);
      else seen.set(key, object);
      listener?.({
        ...(before ? { before: before as unknown as T } : {}),
        ...(gone ? {} : { after: object as unknown as T }),
      });
    };
    const subscriber = (changed: string, object: KubernetesObject, gone: boolean) => {
      if (collectionOf(changed) === path) time.plan(time.now() + 20, () => take(object, gone));
    };
    return {
      objects: seen as unknown as ReadonlyMap<string, T>,
      synced: after(() => {
        for (const object of listed(path)) take(object, false);
        subscribers.add(subscriber);
      }),
      staleSince: () => undefined,
      observe: (object) => take(object as unknown as KubernetesObject, false),
      stop: () => void subscribers.delete(subscriber),
    };
  }

  return { time, server, pause, openMirror, missing: () => open.map(({ path }) => path) };
}

const GROUPS: Record<string, readonly [root: string, plural: string]> = {
  Cluster: ['/apis/cluster.karmada.io/v1alpha1', 'clusters'],
  ResourceBinding: ['/apis/work.karmada.io/v1alpha2', 'resourcebindings'],
  ClusterResourceBinding: ['/apis/work.karmada.io/v1alpha2', 'clusterresourcebindings'],
  Work: ['/apis/work.karmada.io/v1alpha1', 'works'],
};

function pathOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  const [root, plural] = GROUPS[kind]!;
  return `${root}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
}

/** The collection of an object over all namespaces. */
function collectionOf(path: string): string {
  return path.replace(/\/namespaces\/[^/]+/, '').replace(/\/[^/]+$/, '');
}

/** What an object is about: the cluster, or the binding, to which its Works belong. */
function subjectsOf(objects: readonly KubernetesObject[]): (object: KubernetesObject) => string {
  const bindings = new Map<string, string>();
  for (const object of objects) {
    const id = object.kind.endsWith('Binding')
      ? bindingPermanentId((object as unknown as ResourceBinding).metadata)
      : undefined;
    if (id !== undefined) bindings.set(id, pathOf(object));
  }
  return (object) => {
    const place = object.kind === 'Work' ? placeOfWork(object as unknown as Work) : undefined;
    return (place && bindings.get(place.id)) ?? pathOf(object);
  };
}

const MARK = 'karmada-failover/drain';

/** The same write, whatever version it was decided on and whenever its drain began. */
function sameWrite(recorded: unknown, now: unknown): boolean {
  return deepEqual(timeless(recorded), timeless(now));
}

function timeless(patch: unknown): unknown {
  const { metadata = {}, ...rest } = patch as { metadata?: Record<string, unknown> };
  const { resourceVersion: _version, uid: _uid, ...others } = metadata;
  const annotations = others['annotations'] as Record<string, string | null> | undefined;
  const mark = annotations?.[MARK];
  if (typeof mark !== 'string') return { ...rest, metadata: others };
  const { started: _started, ...kept } = JSON.parse(mark) as { started?: string };
  return { ...rest, metadata: { ...others, annotations: { ...annotations, [MARK]: kept } } };
}

/** Time in which what is planned happens in order, and nothing else. */
function plainTime(start: number): VirtualTime {
  const planned: { at: number; act: () => void }[] = [];
  let now = start;
  const step = (): boolean => {
    let first = 0;
    for (let at = 1; at < planned.length; at++) if (planned[at]!.at < planned[first]!.at) first = at;
    const [next] = planned.splice(first, 1);
    if (!next) return false;
    now = Math.max(now, next.at);
    next.act();
    return true;
  };
  return waitableTime({
    now: () => now,
    plan: (at, act) => void planned.push({ at, act }),
    step,
    run: () => {
      while (step());
      return true;
    },
  });
}
