import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { needsAction } from '../../karmada/works/workConditions.ts';
import {
  isChange,
  type Change,
  type ChangeOf,
  type Write,
  type WriteOf,
} from '../../karmada/controllers/write.ts';
import { bindingKey, objectKey, workKey } from '../../karmada/objects/identities.ts';
import { type ClusterSnapshot, createClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { declaredHooks, declaresHooks } from '../../karmada/status/healthInterpreter.ts';
import { applied, type WriteRefusal } from './applied.ts';
import { createBindingIndexes, createObjectIndexes, createWorkIndexes } from './changingIndexes.ts';
import { compareAge, compareText } from './indexes.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from './startingWorld.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { groupKey, groupKeys, type WorkloadGroups } from '../../karmada/scheduling/workloadGroups.ts';

/** A changing world: changes on top of the start, which all stores share. */
export interface Store extends View {
  /**
   * Applies a write as an API server does; `now` in epoch milliseconds.
   *
   * @param others whether other writes may have happened since the decision: then it is checked against its base
   */
  write(write: Write, now: number, others?: boolean): Change | { refused: WriteRefusal } | undefined;
  /**
   * Records an object as an API server has it, from any writer; undefined: deleted. Returns undefined if it never
   * existed.
   */
  observe<K extends Kind>(kind: K, key: string, object: Kinds[K] | undefined): ChangeOf<K> | undefined;
  /** all objects of a kind with their keys, in the order of `all` */
  entries<K extends Kind>(kind: K): Iterable<[string, Kinds[K]]>;
}

/**
 * A store without changes. Its cost does not depend on the size of the world.
 *
 * One long function: a write changes objects and every index together.
 *
 * @param alone of the bindings at the start, the keys of the only ones that `all` returns; absent: all
 */
export function createStore(start: StartingWorld, alone?: ReadonlySet<string>): Store {
  const objects = createOverlay(start);
  const shown = alone && inOrder(start, alone);
  const { get, entries } = objects;
  const bindings = createBindingIndexes(start, (key) => get('Binding', key));
  const objectIndexes = createObjectIndexes(start);
  const works = createWorkIndexes(start, bindings);
  const groups = start.configuration.featureGates.WorkloadAffinity ? createLiveGroups(start) : undefined;
  let fleet = start.fleet.fork(groups);
  const changedClusters = new Map<string, Cluster>();
  let clusterGone = false;
  /** all Clusters in their order, cached until one of them changes: rules read them on every reconcile */
  let clusters: readonly Cluster[] | undefined;
  let hooks = start.hooks;

  function* each<K extends Kind>(kind: K): Generator<Kinds[K]> {
    if (shown && kind === 'Binding') yield* shownBindings() as Generator<Kinds[K]>;
    else for (const [, object] of entries(kind)) yield object;
  }

  function* shownBindings(): Generator<ResourceBinding> {
    for (const key of [...shown!, ...objects.made('Binding')]) {
      const binding = get('Binding', key);
      if (binding) yield binding;
    }
  }

  const present = (some: readonly string[]): ResourceBinding[] =>
    some.flatMap((key) => get('Binding', key) ?? []);

  function bindingsWhere(
    holds: (binding: ResourceBinding) => boolean,
    alike: (binding: ResourceBinding) => string,
  ): readonly string[] {
    const created = [...objects.made('Binding')].length > 0;
    if (shown || created) return [...each('Binding')].filter(holds).map(bindingKey);
    const found = new Uint8Array(start.bindings.size);
    for (const ranks of ranksOfAlike(start)(alike))
      if (holds(start.bindings.get(start.keys('Binding')[ranks[0]!]!)!))
        for (const rank of ranks) found[rank] = 1;
    for (const key of objects.written('Binding')) {
      const binding = get('Binding', key);
      found[start.rank(key)!] = Number(binding !== undefined && holds(binding));
    }
    return start.keys('Binding').filter((_, rank) => found[rank] === 1);
  }

  function worksOn(cluster: string): Work[] {
    const keys = new Set(start.worksOn(cluster));
    for (const key of objects.written('Work')) {
      const work = get('Work', key);
      if (work && clusterOfWork(work) === cluster) keys.add(key);
    }
    return [...keys].sort(compareText).flatMap((key) => get('Work', key) ?? []);
  }

  function openWorks(): Work[] {
    const keys = new Set([...start.openWorks(), ...objects.written('Work')]);
    for (const cluster of objects.written('Cluster'))
      for (const work of worksOn(cluster)) keys.add(workKey(work));
    return [...keys]
      .sort(compareText)
      .flatMap((key) => get('Work', key) ?? [])
      .filter((work) => needsAction(work, get('Cluster', clusterOfWork(work) ?? '')));
  }

  function clusterChanged(after?: Cluster): void {
    clusters = undefined;
    if (after) changedClusters.set(after.metadata.name, after);
    else clusterGone = true;
  }

  function currentFleet(): ClusterSnapshot {
    if (clusterGone) {
      fleet = createClusterSnapshot([...each('Cluster')], start.fleet.options, groups);
      clusterGone = false;
    } else if (changedClusters.size > 0) fleet = fleet.with(...changedClusters.values());
    changedClusters.clear();
    return fleet;
  }

  function objectChanged(change: ChangeOf<'Object'>): void {
    objectIndexes.changed(change);
    if (declaresHooks(change.after ?? change.before))
      hooks = declaredHooks(each('Object'), start.configuration.rules);
  }

  function commit<K extends Kind>(
    kind: K,
    key: string,
    after: Kinds[K] | undefined,
  ): ChangeOf<K> | undefined {
    const change = { kind, key, before: get(kind, key), after };
    if (!isChange(change)) return undefined;
    index(change as Change);
    return change;
  }

  /** Applies a change to the objects and all indexes. */
  function index(change: Change): void {
    if (change.kind === 'Work') works.changed(change);
    objects.set(change.kind, change.key, change.after);
    if (change.kind === 'Binding') {
      const { key, before, after } = change;
      bindings.changed(change);
      if (!before && after) works.bindingMade(after);
      groups?.changed(key, before, after);
    } else if (change.kind === 'Cluster') clusterChanged(change.after);
    else if (change.kind === 'Object') objectChanged(change);
  }

  function write<K extends Kind>(
    one: WriteOf<K>,
    now: number,
    others: boolean,
  ): ChangeOf<K> | { refused: WriteRefusal } | undefined {
    const current = get(one.kind, one.key);
    // In virtual time nothing else writes between a reconcile and its writes: only a stale cache can show an older object.
    const same = !others || one.verb === 'create' || one.base === current;
    const result = applied(current, one, same, now);
    if ('refused' in result) return result;
    return result.object === current ? undefined : commit(one.kind, one.key, result.object);
  }

  return {
    get,
    all<K extends Kind>(kind: K): Iterable<Kinds[K]> {
      if (kind !== 'Cluster') return { [Symbol.iterator]: () => each(kind) };
      return (clusters ??= [...each('Cluster')]) as Iterable<Kinds[K]>;
    },
    entries,
    bindingsWhere,
    bindingsOn: (cluster) => present(bindings.on(cluster)),
    bindingsLeaving: (cluster) => present(bindings.leaving(cluster)),
    attachedTo: (parent) => present(bindings.attachedTo(parent)),
    needing: (object) => present(bindings.needing(objectKey(object))),
    bindingsIn: (...groups) => present(bindings.in(groups)),
    templatesIn: (...groups) => objectIndexes.in(groups).flatMap((key) => get('Object', key) ?? []),
    objectsOf: (kind) => objectIndexes.of(kind).flatMap((key) => get('Object', key) ?? []),
    bindingFor(object) {
      const key = bindings.forResource(objectKey(object));
      return key === undefined ? undefined : get('Binding', key);
    },
    bindingOf(work) {
      const key = works.ownerOf(work);
      return key === undefined ? undefined : get('Binding', key);
    },
    worksOf: (binding) => works.of(bindingKey(binding)),
    worksOn,
    openWorks,
    orphaned: () => present(start.orphaned()),
    get fleet() {
      return currentFleet();
    },
    get hooks() {
      return hooks;
    },
    sampleStatus: start.sampleStatus,
    unread: start.world.unread,
    observe: commit,
    write: (one, now, others = false) => write(one, now, others) as ReturnType<Store['write']>,
  };
}

/** The present objects of all kinds: changes on top of the start. */
interface Overlay {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  set<K extends Kind>(kind: K, key: string, object: Kinds[K] | undefined): void;
  /** all objects of a kind with their keys, in the order of `View.all` */
  entries<K extends Kind>(kind: K): Iterable<[string, Kinds[K]]>;
  /** the keys of a kind that have been written */
  written(kind: Kind): Iterable<string>;
  /** the keys of a kind that have been created since the start */
  made(kind: Kind): Iterable<string>;
}

/** Keys of bindings in the order of the start. */
function inOrder(start: StartingWorld, keys: ReadonlySet<string>): readonly string[] {
  return [...keys].sort((a, b) => (start.rank(a) ?? 0) - (start.rank(b) ?? 0));
}

/** Positions of the bindings at the start, by a text of each. All stores of a start share them. */
const ranksOfAlike = lazilyFor((start: StartingWorld) =>
  lazilyFor((alike: (binding: ResourceBinding) => string): readonly (readonly number[])[] => {
    const groups = new Map<string, number[]>();
    for (const [key, binding] of start.bindings)
      getOrAdd(groups, alike(binding), (): number[] => []).push(start.rank(key)!);
    return [...groups.values()];
  }),
);

const GONE = Symbol('an object that is gone');

/** An overlay without changes. Its cost does not depend on the size of the world. */
function createOverlay(start: StartingWorld): Overlay {
  /** `GONE` stands for a deleted object */
  const written = new Map<Kind, Map<string, unknown>>();
  /** keys of objects created since the start */
  const made = new Map<Kind, Set<string>>();
  /** the ordered keys of kinds with new objects */
  const ordered = new Map<Kind, readonly string[]>();

  function over<K extends Kind>(kind: K): Map<string, Kinds[K] | typeof GONE> {
    return getOrAdd(written, kind, () => new Map<string, unknown>()) as Map<string, Kinds[K] | typeof GONE>;
  }

  function get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined {
    const own = written.get(kind)?.get(key) as Kinds[K] | typeof GONE | undefined;
    if (own === undefined) return start.get(kind, key);
    return own === GONE ? undefined : own;
  }

  function keys(kind: Kind): readonly string[] {
    const added = made.get(kind);
    if (!added) return start.keys(kind);
    const known = ordered.get(kind);
    if (known) return known;
    const before =
      kind === 'Binding' ? (a: string, b: string) => compareAge(get(kind, a)!, get(kind, b)!) : compareText;
    const isThere = (key: string) => get(kind, key) !== undefined;
    const keys = merged(
      start.keys(kind).filter((key) => !added.has(key) && isThere(key)),
      [...added].filter(isThere).sort(before),
      before,
    );
    ordered.set(kind, keys);
    return keys;
  }

  return {
    get,
    set(kind, key, object) {
      const isNew = object !== undefined && get(kind, key) === undefined;
      if (isNew) getOrAdd(made, kind, () => new Set<string>()).add(key);
      if (isNew || object === undefined) ordered.delete(kind);
      if (object !== undefined || start.get(kind, key) !== undefined)
        return void over(kind).set(key, object ?? GONE);
      // Objects created and deleted again leave nothing behind, even in a run of months.
      over(kind).delete(key);
      made.get(kind)?.delete(key);
    },
    *entries(kind) {
      if (!made.has(kind)) {
        const own = over(kind);
        for (const [key, object] of start.entries(kind)) {
          const now = own.get(key) ?? object;
          if (now !== GONE) yield [key, now];
        }
        return;
      }
      for (const key of keys(kind)) {
        const object = get(kind, key);
        if (object !== undefined) yield [key, object];
      }
    },
    written: (kind) => over(kind).keys(),
    made: (kind) => made.get(kind) ?? [],
  };
}

/** Merges two ordered lists. */
function merged(
  some: readonly string[],
  others: readonly string[],
  compare: (a: string, b: string) => number,
): string[] {
  const all: string[] = [];
  let next = 0;
  for (const one of some) {
    while (next < others.length && compare(others[next]!, one) < 0) all.push(others[next++]!);
    all.push(one);
  }
  return [...all, ...others.slice(next)];
}

/** The workload affinity groups of a store, with their present bindings. */
interface LiveGroups extends WorkloadGroups {
  changed(key: string, before: ResourceBinding | undefined, after: ResourceBinding | undefined): void;
}

/** The groups at the start. */
function createLiveGroups(start: StartingWorld): LiveGroups {
  const groups = new Map<string, Map<string, ResourceBinding>>();
  const enter = (key: string, binding: ResourceBinding) => {
    for (const group of groupKeys(binding)) {
      const members = groups.get(group);
      if (members) members.set(key, binding);
      else groups.set(group, new Map([[key, binding]]));
    }
  };
  for (const [key, binding] of start.bindings) enter(key, binding);
  return {
    members: (...group) => groups.get(groupKey(...group))?.values() ?? [],
    changed(key, before, after) {
      if (before)
        for (const group of groupKeys(before))
          if (!after || !groupKeys(after).includes(group)) groups.get(group)?.delete(key);
      if (after) enter(key, after);
    },
  };
}
