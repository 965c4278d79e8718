import type { DrainMark } from '../../src/analysis/drain/drainOptions.ts';
import type { DrainResult } from '../../src/analysis/drain/decide/drainStep.ts';
import type { DrainOptions } from '../../src/analysis/drain/drainOptions.ts';
import { bindingPermanentId, placeOfWork } from '../../src/karmada/objects/worksOfBinding.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { applyMergePatch } from '../../src/kubernetes/mergePatch.ts';
import type { ResourceBinding, ResourceBindingSpec, Work } from '../../src/karmada/api/work.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { deepEqual } from '../../src/kubernetes/deepEqual.ts';
import type { CancelResult } from '../../src/analysis/drain/back/planCancel.ts';
import { v1_18 } from '../dialects.ts';
import {
  createClient,
  existingIn,
  listedIn,
  type Client,
  type ClientOptions,
  type Served,
  type Stored,
  type TakenWrite,
} from './fakeClient.ts';
import { waitableTime, type VirtualTime } from './virtualTime.ts';

/** The flags of the recorded Karmada that differ from its defaults. Durations are milliseconds. */
export interface RecordedFlags {
  featureGates: Partial<Configuration['featureGates']>;
  controllerManager: Partial<Configuration['controllerManager']>;
}

/** An action during the recording of Karmada, and its result. */
export type RecordedTurn = { at: number } & (
  | { drain: DrainOptions; timeout?: number | undefined; ended: EndOfDrain }
  | { cancel: string[]; ended: EndOfCancel }
  /** processes of Karmada that were stopped and started */
  | { kill: string }
  | { restart: string }
);

/** Drains on real Karmada, as recorded by test/e2e/recordDrain.ts; times are milliseconds since the start. */
export interface RecordedDrain {
  karmada: string;
  /** epoch milliseconds */
  start: number;
  flags: RecordedFlags;
  /** all objects at the start */
  objects: KubernetesObject[];
  turns: RecordedTurn[];
  /** our writes, and the server's responses */
  writes: RecordedWrite[];
  /** all changes, our own writes included */
  events: RecordedEvent[];
}

interface RecordedWrite {
  at: number;
  path: string;
  subresource?: 'status';
  patch: unknown;
  answer: KubernetesObject;
}

interface RecordedEvent {
  at: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
}

/** The end of a drain in a recording. */
export function endOfDrain({ outcome, reason, workloads }: DrainResult) {
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    phases: Object.fromEntries(
      workloads
        .map(({ workload, phase }) => [`${workload.kind}/${workload.name}`, phase] as const)
        .sort(byKey),
    ),
  };
}
export type EndOfDrain = ReturnType<typeof endOfDrain>;

/** The end of a cancellation in a recording. */
export function endOfCancel({ outcome, reason, restored, left, remaining }: CancelResult) {
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    restored,
    left: left
      .map(({ workload, from }) => `${workload.kind}/${workload.name} from ${from.join(', ')}`)
      .sort(),
    remaining,
  };
}
export type EndOfCancel = ReturnType<typeof endOfCancel>;

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Karmada's behaviour while it was recorded. */
export function configurationOfRecording({ flags }: Pick<RecordedDrain, 'flags'>): Configuration {
  const { featureGates, controllerManager, ...rest } = v1_18.defaults;
  return {
    ...rest,
    featureGates: { ...featureGates, ...flags.featureGates },
    controllerManager: { ...controllerManager, ...flags.controllerManager },
  };
}

export interface RecordedPlane {
  time: VirtualTime;
  client(options?: ClientOptions): Client;
  /** the current objects */
  bindings(): ResourceBinding[];
  works(): Work[];
  clusters(): KubernetesObject[];
  /** Writes an object as another client; nothing reacts to it. */
  edit(path: string, change: (object: KubernetesObject) => KubernetesObject): void;
  /** lets time pass until this many milliseconds after the start */
  until(at: number): Promise<void>;
  /** paths of recorded writes that have not been made yet */
  missing(): string[];
}

/**
 * A control plane that repeats Karmada's behaviour from recorded drains, and nothing else. It answers a recorded write as the server did,
 * and repeats the changes after it, until the next write of the same binding or cluster, with the same delays. A write that was not
 * recorded is an error of the test.
 */
export function createRecordedPlane(recording: RecordedDrain): RecordedPlane {
  const { start, objects } = recording;
  const time = plainTime(start);
  const store = new Map<string, Stored>();
  const subscribers: Served['subscribers'] = new Set();
  const open = [...recording.writes];
  const subjectOf = subjectsOf([...objects, ...recording.events.map(({ object }) => object)]);
  const consequences = consequencesOf(recording, subjectOf);
  /** pending effects of earlier writes, by subject */
  const coming = new Map<string, Set<() => void>>();
  let version = 0;

  function put(object: KubernetesObject): Stored {
    const path = pathOf(object);
    const stored: Stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(++version) },
    };
    const type = store.has(path) ? 'MODIFIED' : 'ADDED';
    store.set(path, stored);
    for (const notify of subscribers) notify(path, { type, object: stored });
    return stored;
  }
  function happen({ type, object }: RecordedEvent): void {
    if (type !== 'DELETED') return void put(object);
    const path = pathOf(object);
    store.delete(path);
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } };
    for (const notify of subscribers) notify(path, { type, object: last });
  }
  objects.forEach(put);

  /** The effects of a write: those caused by it, and by no later one. */
  function follow(write: RecordedWrite): void {
    const base = time.now() - write.at;
    for (const event of consequences.get(write) ?? []) {
      const subject = subjectOf(event.object);
      const waiting = coming.get(subject) ?? new Set();
      coming.set(subject, waiting);
      const act = () => {
        if (waiting.delete(act)) happen(event);
      };
      waiting.add(act);
      time.plan(base + event.at, act);
    }
  }

  function write({ path, patch, part }: TakenWrite): Stored {
    const at = open.findIndex(
      (one) => one.path === path && (one.subresource ?? 'object') === part && sameWrite(one.patch, patch),
    );
    if (at === -1) throw new Error(`the recording knows no such write of ${path}: ${JSON.stringify(patch)}`);
    const [made] = open.splice(at, 1);
    // what came before this write in the recording must come before it here, too
    for (const act of [...(coming.get(subjectOf(made!.answer)) ?? [])]) act();
    // with the times of this run, which the recording cannot know
    const { metadata, ...content } = patch as { metadata?: { annotations?: object } };
    const sent = {
      ...content,
      ...(metadata?.annotations && { metadata: { annotations: metadata.annotations } }),
    };
    const answer = put(applyMergePatch(made!.answer, sent) as KubernetesObject);
    follow(made!);
    return answer;
  }

  const existing = (path: string) => existingIn(store, path);
  const edit: RecordedPlane['edit'] = (path, change) => void put(change(existing(path)));
  let edits = 0;
  const served: Served = {
    time,
    existing,
    subscribers,
    write,
    listed: (path) => listedIn(store, path),
    version: () => String(version),
    touch: (path) =>
      edit(path, ({ metadata, ...rest }) => ({
        ...rest,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, [`somebody/edit-${++edits}`]: 'yes' },
        },
      })),
  };
  const all = (kind: string) => [...store.values()].filter((object) => object.kind === kind);

  return {
    time,
    client: (options) => createClient(served, options),
    bindings: () => all('ResourceBinding') as unknown as ResourceBinding[],
    works: () => all('Work') as unknown as Work[],
    clusters: () => all('Cluster'),
    edit,
    until: (at) => time.until(new Promise((resolve) => time.plan(start + at, () => resolve()))),
    missing: () => open.map(({ path }) => path),
  };
}

/**
 * The events caused by each write: those of its subject until its next write; events of an unwritten subject are attributed to the newest
 * write of all, as for Karmada's evictions for a taint.
 */
function consequencesOf(
  { writes, events }: RecordedDrain,
  subjectOf: (object: KubernetesObject) => string,
): Map<RecordedWrite, RecordedEvent[]> {
  const found = new Map<RecordedWrite, RecordedEvent[]>();
  const echoes = new Set(writes.map(({ answer }) => answer.metadata.resourceVersion));
  for (const event of events) {
    if (echoes.has(event.object.metadata.resourceVersion)) continue;
    const before = writes.filter(({ at }) => at <= event.at);
    const subject = subjectOf(event.object);
    const cause = before.findLast(({ answer }) => subjectOf(answer) === subject) ?? before.at(-1);
    if (cause) found.set(cause, [...(found.get(cause) ?? []), event]);
  }
  return found;
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

/** The subject of an object: the cluster, or the binding to which its Works belong. */
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

/** The same write, whatever its base version and the start of its drain; recorded annotations lack the number of workloads. */
function sameWrite(recorded: unknown, now: unknown): boolean {
  return deepEqual(timeless(recorded), timeless(now));
}

function timeless(patch: unknown): unknown {
  const { metadata = {}, spec, ...rest } = patch as { metadata?: Record<string, unknown>; spec?: object };
  const { resourceVersion: _version, uid: _uid, ...others } = metadata;
  const annotations = others['annotations'] as Record<string, string | null> | undefined;
  const mark = annotations?.[MARK];
  const timed = { ...rest, ...(spec && { spec: unstamped(spec) }) };
  if (typeof mark !== 'string') return { ...timed, metadata: others };
  const { started: _started, workloads: _workloads, ...kept } = JSON.parse(mark) as Partial<DrainMark>;
  return { ...timed, metadata: { ...others, annotations: { ...annotations, [MARK]: kept } } };
}

/** Karmada stamps tasks shortly after they are written, which a write may precede or follow. */
function unstamped(spec: Partial<ResourceBinding['spec']>): object {
  const { gracefulEvictionTasks: tasks } = spec;
  if (!tasks) return spec;
  return {
    ...spec,
    gracefulEvictionTasks: tasks.map(({ creationTimestamp: _stamp, ...task }) => task),
  };
}

/** Time in which planned events happen in order, and nothing else. */
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

/** "web: on member3=2, held on member1" */
export function standingText(spec: ResourceBindingSpec): string {
  const on = (spec.clusters ?? []).map(({ name, replicas }) => `${name}=${replicas}`).sort();
  const tasks = (spec.gracefulEvictionTasks ?? []).map(
    ({ fromCluster, suppressDeletion }) => `, ${suppressDeletion ? 'held on' : 'leaves'} ${fromCluster}`,
  );
  return `${spec.resource.name}: on ${on.join(' ') || 'none'}${tasks.sort().join('')}`;
}
