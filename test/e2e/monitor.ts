import { setMaxListeners } from 'node:events';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import type { WatchEvent } from './controlPlane/api.ts';
import type { Bed } from './controlPlane/bed.ts';

/** One version of a binding. */
export interface BindingVersion {
  /** epoch milliseconds at which it was observed */
  time: number;
  clusters: TargetCluster[];
  /** clusters of its eviction tasks */
  leaving: string[];
  replicas: number | undefined;
  labels: Record<string, string>;
}

export interface ReadyChange {
  time: number;
  member: string;
  /** ready replicas of the workload in that member from then on */
  ready: number;
}

/** Everything that happened to bindings and ready replicas, as the API servers themselves reported it. */
export interface Monitor {
  /** by "namespace/name" or "name", all versions */
  readonly bindings: ReadonlyMap<string, BindingVersion[]>;
  /** the newest state of each binding */
  readonly newest: ReadonlyMap<string, ResourceBinding>;
  /** by the workload's name */
  readonly ready: ReadonlyMap<string, ReadyChange[]>;
  /** metadata.generation of each template, all observed values */
  readonly generations: ReadonlyMap<string, Set<number>>;
  stop(): Promise<void>;
}

const WORKLOADS = ['/apis/apps/v1/deployments', '/apis/apps/v1/statefulsets'];
const BINDINGS = [
  '/apis/work.karmada.io/v1alpha2/resourcebindings',
  '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
];

/** Watches Karmada and all members until stopped, bypassing all proxies; resolves once it has seen every existing object. */
export async function startMonitor(bed: Bed): Promise<Monitor> {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const bindings = new Map<string, BindingVersion[]>();
  const newest = new Map<string, ResourceBinding>();
  const ready = new Map<string, ReadyChange[]>();
  const generations = new Map<string, Set<number>>();

  const seeBinding = (object: KubernetesObject): void => {
    const binding = object as unknown as ResourceBinding;
    const key = keyOf(object);
    if (newest.get(key)?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    newest.set(key, binding);
    append(bindings, key, {
      time: Date.now(),
      clusters: binding.spec.clusters ?? [],
      leaving: (binding.spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster),
      replicas: binding.spec.replicas,
      labels: { ...binding.metadata.labels },
    });
  };
  const seeReady = (member: string, object: KubernetesObject, deleted: boolean): void => {
    const { status } = object as { status?: { readyReplicas?: number } };
    const count = deleted ? 0 : (status?.readyReplicas ?? 0);
    const { name } = object.metadata;
    const last = ready.get(name)?.findLast((change) => change.member === member);
    if ((last?.ready ?? 0) !== count) append(ready, name, { time: Date.now(), member, ready: count });
  };

  const ended: Promise<void>[] = [];
  /** Follows a collection, until it has been listed once and from then on. */
  const follow = (
    server: string | undefined,
    path: string,
    see: (object: KubernetesObject, deleted: boolean) => void,
  ): Promise<void> =>
    new Promise((listed) => {
      const report = ({ type, object }: WatchEvent) => see(object, type === 'DELETED');
      ended.push(bed.api(server).follow(path, report, abort.signal, listed));
    });
  await Promise.all([
    ...BINDINGS.map((path) => follow(undefined, path, seeBinding)),
    ...WORKLOADS.map((path) =>
      follow(undefined, path, ({ metadata: { name, generation = 0 } }) => {
        generations.set(name, (generations.get(name) ?? new Set()).add(generation));
      }),
    ),
    ...bed.file.options.members.flatMap(({ name }) =>
      WORKLOADS.map((path) => follow(name, path, (object, deleted) => seeReady(name, object, deleted))),
    ),
  ]);
  return {
    bindings,
    newest,
    ready,
    generations,
    async stop() {
      abort.abort();
      await Promise.all(ended);
    },
  };
}

const keyOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace ? `${namespace}/${name}` : name;

function append<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

/** Ready replicas over all members at a time, and the fewest from then on. */
export function readyReplicas(
  changes: ReadyChange[],
  since: number,
  except: readonly string[] = [],
): { before: number; beforeElsewhere: number; fewest: number; fewestAt: number } {
  const now = new Map<string, number>();
  const total = (left: readonly string[] = []) =>
    [...now].reduce((sum, [member, count]) => (left.includes(member) ? sum : sum + count), 0);
  let i = 0;
  for (; i < changes.length && (changes[i]?.time ?? 0) <= since; i++) {
    const { member, ready } = changes[i] as ReadyChange;
    now.set(member, ready);
  }
  const before = total();
  const beforeElsewhere = total(except);
  let [fewest, fewestAt] = [before, since];
  for (; i < changes.length; i++) {
    const { member, ready, time } = changes[i] as ReadyChange;
    now.set(member, ready);
    if (total() < fewest) [fewest, fewestAt] = [total(), time];
  }
  return { before, beforeElsewhere, fewest, fewestAt };
}
