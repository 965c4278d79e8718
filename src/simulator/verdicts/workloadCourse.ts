import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { ChangeOf } from '../../karmada/controllers/write.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { evictingFrom, placedOn } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';

const none: ReadonlySet<string> = new Set();

/** The changes of workloads during a simulation, by key of the binding. */
interface WorkloadCourse {
  /**
   * the bindings with any write, or with deleted copies; a write that only records a scheduling attempt does not count
   */
  changed(): Iterable<string>;
  /** the bindings where the scheduler recorded an attempt; some have other changes as well */
  refreshed(): Iterable<string>;
  /** the clusters that failed or got a taint that evicts, for the first time since the start */
  troubledSince(): Iterable<string>;
  /** the binding at the start */
  initialOf(binding: string): ResourceBinding | undefined;
  evictedFrom(binding: string): ReadonlySet<string>;
  /** clusters whose copies its controller has deleted since the start */
  deletedFrom(binding: string): ReadonlySet<string>;
  /** the clusters of a binding that failed or got a taint that evicts, and those of them without such a taint */
  trouble(initial: ResourceBinding): { troubled: ReadonlySet<string>; untainted: string[] };
}

/** Follows workloads from the start on. */
export function followWorkload(start: StartingWorld, time: VirtualTime): WorkloadCourse {
  const made = new Map<string, ResourceBinding>();
  const evictedFrom = new Map<string, Set<string>>();
  const deletedFrom = new Map<string, Set<string>>();
  const changed = new Set<string>();
  const refreshed = new Set<string>();
  const atStart = troubleAtStart(start);
  const since: Trouble = { troubled: new Set(), tainted: new Set() };
  const isTroubled = (name: string) => atStart.troubled.has(name) || since.troubled.has(name);
  const wasTainted = (name: string) => atStart.tainted.has(name) || since.tainted.has(name);

  function bindingChanged({ key, before, after }: ChangeOf<'Binding'>): void {
    if (isRefresh(before, after)) return void refreshed.add(key);
    changed.add(key);
    if (!before && after) made.set(key, isAttached(after.spec) ? notYetPlaced(after) : after);
    if (!before || !after) return;
    for (const cluster of takenFrom(before, after)) getOrAdd(evictedFrom, key, () => new Set()).add(cluster);
  }

  function workChanged(binding: string, { before, after }: ChangeOf<'Work'>): void {
    const isDeleted =
      before && !before.metadata.deletionTimestamp && (!after || after.metadata.deletionTimestamp);
    const cluster = isDeleted ? clusterOfWork(before) : undefined;
    if (cluster === undefined) return;
    changed.add(binding);
    getOrAdd(deletedFrom, binding, () => new Set()).add(cluster);
  }

  time.follow(({ by, key, changes }) => {
    for (const change of changes) {
      if (change.kind === 'Cluster' && change.after) watch(change.after, start, since);
      if (change.kind === 'Binding') bindingChanged(change);
      if (change.kind === 'Work' && by === 'binding-controller' && key !== undefined)
        workChanged(key, change);
    }
  });

  return {
    changed: () => changed,
    refreshed: () => refreshed,
    troubledSince: () =>
      [...since.troubled].filter((name) => !atStart.troubled.has(name) || !atStart.tainted.has(name)),
    initialOf: (key) => start.bindings.get(key) ?? made.get(key),
    evictedFrom: (key) => evictedFrom.get(key) ?? none,
    deletedFrom: (key) => deletedFrom.get(key) ?? none,
    trouble({ spec }) {
      const names = placedOn(spec)
        .map(({ name }) => name)
        .filter(isTroubled);
      return names.length === 0
        ? { troubled: none, untainted: [] }
        : { troubled: new Set(names), untainted: names.filter((name) => !wasTainted(name)) };
    },
  };
}

/** Whether a change only records that the scheduler ran. No outcome depends on it. */
function isRefresh(before: ResourceBinding | undefined, after: ResourceBinding | undefined): boolean {
  if (!before || !after || before.spec !== after.spec || before.metadata !== after.metadata) return false;
  const [was = {}, is = {}] = [before.status, after.status];
  return isSameBesideNote(was, is) && isSameBesideNote(is, was);
}

function isSameBesideNote(was: ResourceBindingStatus, is: ResourceBindingStatus): boolean {
  for (const field in was) {
    if (field === 'lastScheduledTime' || field === 'schedulerObservedGeneration') continue;
    const key = field as keyof ResourceBindingStatus;
    if (!deepEqual(was[key], is[key])) return false;
  }
  return true;
}

/** Names of clusters. */
interface Trouble {
  /** failed or tainted */
  troubled: Set<string>;
  /** with a taint that evicts */
  tainted: Set<string>;
}

function watch(cluster: Cluster, { configuration }: StartingWorld, { troubled, tainted }: Trouble): void {
  const { name } = cluster.metadata;
  const evicts = evictingTaints(cluster.spec?.taints, configuration.rules).length > 0;
  if (evicts) tainted.add(name);
  if (evicts || !isReady(cluster)) troubled.add(name);
}

const troubleAtStart = lazilyFor((start: StartingWorld): Readonly<Trouble> => {
  const found: Trouble = { troubled: new Set(), tainted: new Set() };
  for (const cluster of start.clusters.values()) watch(cluster, start, found);
  return found;
});

/** The clusters that a change evicts it from; a dependent has no tasks and leaves them at once. */
function takenFrom(before: ResourceBinding, after: ResourceBinding): string[] {
  if (isAttached(before.spec)) {
    if (before.spec.requiredBy === after.spec.requiredBy) return [];
    const has = new Set(placedOn(after.spec).map(({ name }) => name));
    return placedOn(before.spec).flatMap(({ name }) => (has.has(name) ? [] : [name]));
  }
  if (before.spec.gracefulEvictionTasks === after.spec.gracefulEvictionTasks) return [];
  const known = new Set(evictingFrom(before.spec));
  return evictingFrom(after.spec).filter((cluster) => !known.has(cluster));
}

/** A new dependent had no placement before. */
function notYetPlaced(binding: ResourceBinding): ResourceBinding {
  const requiredBy = binding.spec.requiredBy!.map(({ clusters: _, ...snapshot }) => snapshot);
  return { ...binding, spec: { ...binding.spec, requiredBy } };
}

/** The observations of a simulation's watchers, by key of the binding and by name of the cluster. */
interface Touched {
  /** bindings with a change, missing replicas, or a doubt */
  bindings: readonly Iterable<string>[];
  /** clusters that have failed or got a taint that evicts since the start */
  clusters: Iterable<string>;
}

/**
 * The bindings whose outcomes a simulation may have changed: those that its watchers observed, those on clusters that
 * failed or were tainted since the start, and their followers. The outcome of any other binding depends only on the
 * start, so it is the same, with its doubts, in every simulation from that start.
 */
export function touchedBindings(start: StartingWorld, { bindings, clusters }: Touched): ReadonlySet<string> {
  const touched = new Set<string>(inCircles(start));
  for (const keys of bindings) for (const key of keys) touched.add(key);
  for (const cluster of clusters) for (const key of start.entitled(cluster)) touched.add(key);
  // Iterating a Set also visits entries added during the loop.
  for (const key of touched) for (const follower of start.attachedTo(key)) touched.add(follower);
  return touched;
}

/** Dependents in a cycle, or that follow one: their outcome depends on the starting point. */
const inCircles = lazilyFor((start: StartingWorld): readonly string[] => {
  const awaited = new Map<string, number>();
  for (const [key, binding] of start.bindings) {
    const parents = new Set((binding.spec.requiredBy ?? []).map(snapshotKey));
    const known = [...parents].filter((parent) => start.bindings.has(parent));
    if (known.length > 0) awaited.set(key, known.length);
  }
  if (awaited.size === 0) return [];
  const settled = [...start.bindings.keys()].filter((key) => !awaited.has(key));
  for (const parent of settled)
    for (const key of start.attachedTo(parent)) {
      const left = awaited.get(key)! - 1;
      awaited.set(key, left);
      if (left === 0) settled.push(key);
    }
  const isSettled = new Set(settled);
  return [...awaited.keys()].filter((key) => !isSettled.has(key));
});
