import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Kind, Kinds } from '../controllers/kinds.ts';
import type { View } from '../controllers/view.ts';
import type { Change, ChangeOf, Write, WriteOf } from '../controllers/write.ts';
import { createClusterSnapshot, type ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import { applied, type Refusal } from './applied.ts';
import { bindingKey, objectKey } from '../objects/identities.ts';
import { bindingPermanentId, namedBinding } from '../objects/worksOfBinding.ts';
import { clusterOfWork, snapshotKey, workKey } from '../controllers/keys.ts';
import { createKeyIndex } from './keyIndex.ts';
import { byAge, type StartingWorld } from './startingWorld.ts';
import { createLiveGroups } from './liveGroups.ts';

/** A world on its way: what has changed lies over the start, which all stores made from it share. */
export interface Store extends View {
  /**
   * Applies a write as an API server does; `now` in epoch milliseconds.
   *
   * @param others whether others may have written since the write was decided: then it is held against the object that it was
   * decided on
   */
  write(write: Write, now: number, others?: boolean): Change | { refused: Refusal } | undefined;
  /** all of a kind with their keys, in the order of `all` */
  entries<K extends Kind>(kind: K): Iterable<[string, Kinds[K]]>;
}

type Overlay = { [K in Kind]: Map<string, Kinds[K] | undefined> };

/** A store in which nothing has happened yet. Making one costs nothing, whatever the size of the world. */
export function createStore(start: StartingWorld): Store {
  const overlay: Overlay = {
    Cluster: new Map(),
    Binding: new Map(),
    Work: new Map(),
    ClusterTaintPolicy: new Map(),
    Policy: new Map(),
    Object: new Map(),
    Member: new Map(),
    Copy: new Map(),
  };
  /** bindings that have been made since the start */
  const made = new Set<string>();
  const order = (a: string, b: string) =>
    made.has(a) || made.has(b)
      ? byAge(get('Binding', a)!, get('Binding', b)!)
      : start.rank(a)! - start.rank(b)!;
  const on = createKeyIndex((cluster) => start.on(cluster), order);
  const leaving = createKeyIndex((cluster) => start.leaving(cluster), order);
  const attached = createKeyIndex((parent) => start.attachedTo(parent), order);
  const resources = new Map<string, string | undefined>();
  const ids = new Map<string, string | undefined>();
  /** the Works of bindings whose Works have changed, and which of these are out of order */
  const works = new Map<string, Map<string, Work>>();
  const unsorted = new Set<string>();
  const owners = new Map<string, string>();
  const groups = start.configuration.featureGates.WorkloadAffinity ? createLiveGroups(start) : undefined;
  let fleet = start.fleet.fork(groups);
  let changedClusters: Cluster[] = [];
  let clusterGone = false;

  function base<K extends Kind>(kind: K, key: string): Kinds[K] | undefined {
    switch (kind) {
      case 'Cluster':
        return start.clusters.get(key) as Kinds[K] | undefined;
      case 'Binding':
        return start.bindings.get(key) as Kinds[K] | undefined;
      case 'Work':
        return start.work(key) as Kinds[K] | undefined;
      case 'ClusterTaintPolicy':
        return start.taintPolicies.get(key) as Kinds[K] | undefined;
      case 'Policy':
        return start.policies.get(key) as Kinds[K] | undefined;
      case 'Object':
        return start.objects.get(key) as Kinds[K] | undefined;
      case 'Member':
        return start.member(key) as Kinds[K] | undefined;
      default:
        return start.copy(key) as Kinds[K] | undefined;
    }
  }

  function get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined {
    const over = overlay[kind] as Map<string, Kinds[K] | undefined>;
    return over.has(key) ? over.get(key) : base(kind, key);
  }

  function entries<K extends Kind>(kind: K): [string, Kinds[K]][] {
    const over = overlay[kind] as Map<string, Kinds[K] | undefined>;
    const seen = new Set<string>();
    const found: [string, Kinds[K]][] = [];
    for (const key of baseKeys(start, kind)) {
      seen.add(key);
      const object = over.has(key) ? over.get(key) : base(kind, key);
      if (object) found.push([key, object]);
    }
    for (const [key, object] of over) if (object && !seen.has(key)) found.push([key, object]);
    // Those of the start are by age already.
    if (kind === 'Binding') return made.size > 0 ? found.sort(([a], [b]) => order(a, b)) : found;
    return found.sort(byText);
  }

  const all = <K extends Kind>(kind: K): Kinds[K][] => entries(kind).map(([, object]) => object);

  const present = (keys: readonly string[]): ResourceBinding[] =>
    keys.flatMap((key) => get('Binding', key) ?? []);

  const ownerOf = (work: Work): string | undefined => {
    const key = workKey(work);
    const known = owners.get(key) ?? start.ownerOf(key);
    if (known !== undefined) return known;
    const id = bindingPermanentId(work.metadata);
    if (id !== undefined) return ids.has(id) ? ids.get(id) : start.bindingWithId(id);
    const named = namedBinding(work);
    return named && snapshotKey(named);
  };

  function worksByKey(key: string): ReadonlyMap<string, Work> {
    const own = works.get(key);
    if (!own) return start.works(key);
    if (!unsorted.delete(key)) return own;
    const sorted = new Map([...own].sort(byText));
    works.set(key, sorted);
    return sorted;
  }

  function bindingChanged(key: string, before?: ResourceBinding, after?: ResourceBinding): void {
    if (!before && after) made.add(key);
    if (before?.spec.clusters !== after?.spec.clusters)
      on.move(key, names(before?.spec.clusters), names(after?.spec.clusters));
    if (before?.spec.gracefulEvictionTasks !== after?.spec.gracefulEvictionTasks)
      leaving.move(key, sources(before), sources(after));
    if (before?.spec.requiredBy !== after?.spec.requiredBy)
      attached.move(
        key,
        (before?.spec.requiredBy ?? []).map(snapshotKey),
        (after?.spec.requiredBy ?? []).map(snapshotKey),
      );
    if (!before || !after) {
      const { spec, metadata } = (after ?? before)!;
      resources.set(objectKey(spec.resource), after && key);
      const id = bindingPermanentId(metadata);
      if (id !== undefined) ids.set(id, after && key);
    }
    groups?.changed(key, before, after);
  }

  function workChanged(key: string, before?: Work, after?: Work): void {
    const work = (after ?? before)!;
    const owner = ownerOf(work);
    const cluster = clusterOfWork(work);
    if (owner === undefined || cluster === undefined) return;
    owners.set(key, owner);
    let own = works.get(owner);
    if (!own) works.set(owner, (own = new Map(start.works(owner))));
    if (!after) own.delete(cluster);
    else {
      if (!own.has(cluster)) unsorted.add(owner);
      own.set(cluster, after);
    }
  }

  function clusterChanged(after?: Cluster): void {
    if (after) changedClusters.push(after);
    else clusterGone = true;
  }

  function currentFleet(): ClusterSnapshot {
    if (clusterGone) {
      fleet = createClusterSnapshot([...all('Cluster')], start.fleet.options, groups);
      clusterGone = false;
    } else if (changedClusters.length > 0)
      fleet = fleet.with(...new Map(changedClusters.map((one) => [one.metadata.name, one])).values());
    changedClusters = [];
    return fleet;
  }

  function commit<K extends Kind>(kind: K, key: string, after: Kinds[K] | undefined): ChangeOf<K> {
    const before = get(kind, key);
    if (kind === 'Work') workChanged(key, before as Work | undefined, after as Work | undefined);
    (overlay[kind] as Map<string, Kinds[K] | undefined>).set(key, after);
    if (kind === 'Binding')
      bindingChanged(key, before as ResourceBinding | undefined, after as ResourceBinding | undefined);
    if (kind === 'Cluster') clusterChanged(after as Cluster | undefined);
    return { kind, key, ...(before ? { before } : {}), ...(after ? { after } : {}) };
  }

  function write<K extends Kind>(
    one: WriteOf<K>,
    now: number,
    others: boolean,
  ): ChangeOf<K> | { refused: Refusal } | undefined {
    const current = get(one.kind, one.key);
    // In virtual time nobody writes between a look and its writes, so that what was looked at is what is there.
    const same = !others || one.verb === 'create' || one.base === current;
    const result = applied(current, one, same, now);
    if ('refused' in result) return result;
    return result.object === current ? undefined : commit(one.kind, one.key, result.object);
  }

  return {
    get,
    all,
    entries,
    bindingsOn: (cluster) => present(on.of(cluster)),
    bindingsLeaving: (cluster) => present(leaving.of(cluster)),
    attachedTo: ({ metadata }) => present(attached.of(snapshotKey(metadata))),
    bindingFor(object) {
      const resource = objectKey(object);
      const key = resources.has(resource) ? resources.get(resource) : start.bindingFor(resource);
      return key === undefined ? undefined : get('Binding', key);
    },
    bindingOf(work) {
      const key = ownerOf(work);
      return key === undefined ? undefined : get('Binding', key);
    },
    worksOf: (binding) => worksByKey(bindingKey(binding)),
    worksOn(cluster) {
      const keys = new Set(start.worksOn(cluster));
      for (const [key, work] of overlay.Work) if (work && clusterOfWork(work) === cluster) keys.add(key);
      return [...keys].sort().flatMap((key) => get('Work', key) ?? []);
    },
    get fleet() {
      return currentFleet();
    },
    hooks: start.hooks,
    unread: start.world.unread,
    write: (one, now, others = false) =>
      write(one as WriteOf<Kind>, now, others) as ReturnType<Store['write']>,
  };
}

function baseKeys(start: StartingWorld, kind: Kind): Iterable<string> {
  switch (kind) {
    case 'Cluster':
      return start.clusters.keys();
    case 'Member':
      return start.memberNames();
    case 'Binding':
      return start.bindings.keys();
    case 'ClusterTaintPolicy':
      return start.taintPolicies.keys();
    case 'Policy':
      return start.policies.keys();
    case 'Object':
      return start.objects.keys();
    case 'Work':
      return start.workKeys();
    case 'Copy':
      return start.world.simulation ? Object.keys(start.world.simulation.copies) : start.workKeys();
  }
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function names(clusters: readonly { name: string }[] = []): string[] {
  return clusters.map(({ name }) => name);
}

/** The clusters that a binding is being evicted from. */
function sources(binding: ResourceBinding | undefined): string[] {
  return (binding?.spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
}
