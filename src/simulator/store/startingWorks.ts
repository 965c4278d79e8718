import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Copy, Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import { byName, compareText, keysByGroup } from './indexes.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { executionCluster, executionNamespace, workName } from '../../karmada/api/names.ts';
import { snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import { needsAction } from '../../karmada/works/workConditions.ts';
import { entitledClusters, orphanedWorks } from '../../karmada/eviction/works.ts';
import { bindingPermanentId, clusterOfWork, namedBinding } from '../../karmada/objects/worksOfBinding.ts';
import { impliesOpenWorks } from './derivedWorks.ts';

export interface StartingObjects {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  /** all keys of a kind: bindings by age, others sorted */
  keys(kind: Kind): readonly string[];
  /** all of a kind with their keys, in the same order */
  entries<K extends Kind>(kind: K): Iterable<readonly [string, Kinds[K]]>;
}

type Given = Exclude<Kind, 'Work' | 'Copy'>;

/**
 * @param given the objects at the beginning, in order
 * @param copies the saved copies by key; or a function that derives a copy from a Work on first access
 */
export function startingObjects(
  given: { [K in Given]: ReadonlyMap<string, Kinds[K]> },
  works: StartingWorks,
  copies: Readonly<Record<string, Copy>> | ((key: string, work: Work) => Copy | undefined),
): StartingObjects {
  const made = new Map<string, Copy | undefined>();

  function copy(key: string): Copy | undefined {
    if (typeof copies !== 'function') return copies[key];
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known;
    const work = works.work(key);
    const one = work && copies(key, work);
    made.set(key, one);
    return one;
  }

  function get(kind: Kind, key: string): Kinds[Kind] | undefined {
    if (kind === 'Work') return works.work(key);
    return kind === 'Copy' ? copy(key) : given[kind].get(key);
  }

  const workKeys = lazily(() => works.workKeys().sort(compareText));
  const keysOf = new Map<Kind, readonly string[]>();

  function keys(kind: Kind): readonly string[] {
    if (kind === 'Work' || (kind === 'Copy' && typeof copies === 'function')) return workKeys();
    let own = keysOf.get(kind);
    if (!own) {
      own = kind === 'Copy' ? Object.keys(copies).sort(compareText) : [...given[kind].keys()];
      keysOf.set(kind, own);
    }
    return own;
  }

  function entries(kind: Kind): Iterable<readonly [string, Kinds[Kind]]> {
    if (kind !== 'Work' && kind !== 'Copy') return given[kind];
    return keys(kind).flatMap((key) => {
      const object = get(kind, key);
      return object === undefined ? [] : [[key, object] as const];
    });
  }

  return { get, keys, entries } as StartingObjects;
}

export interface StartingWorks {
  /** the Works of a binding by cluster */
  works(binding: string): ReadonlyMap<string, Work>;
  work(key: string): Work | undefined;
  /** the key of the binding that a Work belongs to */
  ownerOf(work: string): string | undefined;
  /** the keys of all Works, including those without a binding */
  workKeys(): string[];
  /** the keys of the Works that controllers may still have to act on (`isOpen`) */
  openWorks(): readonly string[];
  /** the keys of bindings with a Work that remains to be deleted (`orphanedWorks`) */
  orphaned(): readonly string[];
  /** the keys of all Works for a member */
  worksOn(cluster: string): readonly string[];
}

/** A Work with the key of its binding. */
interface Found {
  owner: string;
  work: Work;
}

const noWorks: ReadonlyMap<string, Work> = new Map();

/** The Works as they were captured. */
export function capturedWorks(
  works: readonly Work[],
  bindings: ReadonlyMap<string, ResourceBinding>,
  clusters: ReadonlyMap<string, Cluster>,
  bindingWithId: (id: string) => string | undefined,
  rules: Rules,
): StartingWorks {
  const all = new Map<string, Work>();
  const owners = new Map<string, string>();
  const ofBinding = new Map<string, Map<string, Work>>();
  for (const work of [...works].sort(byName)) {
    const cluster = clusterOfWork(work);
    if (cluster === undefined) continue;
    const key = workKey(work);
    all.set(key, work);
    const id = bindingPermanentId(work.metadata);
    // Without a permanent id, as in a capture without labels, the name identifies the binding.
    const named = namedBinding(work);
    const owner = id === undefined ? named && snapshotKey(named) : bindingWithId(id);
    if (owner === undefined || !bindings.has(owner)) continue;
    owners.set(key, owner);
    const own = ofBinding.get(owner);
    if (own) own.set(cluster, work);
    else ofBinding.set(owner, new Map([[cluster, work]]));
  }
  const onClusters = lazily(() => {
    const keys = new Map<string, string[]>();
    for (const [key, work] of all) {
      const cluster = clusterOfWork(work)!;
      const own = keys.get(cluster);
      if (own) own.push(key);
      else keys.set(cluster, [key]);
    }
    return keys;
  });
  return {
    works: (binding) => ofBinding.get(binding) ?? noWorks,
    work: (key) => all.get(key),
    ownerOf: (work) => owners.get(work),
    workKeys: () => [...all.keys()],
    openWorks: lazily(() => openAmong(all.values(), clusters)),
    orphaned: lazily(() =>
      [...ofBinding].flatMap(([key, own]) =>
        orphanedWorks(bindings.get(key)!, own, rules).left.length > 0 ? [key] : [],
      ),
    ),
    worksOn: (cluster) => onClusters().get(cluster) ?? [],
  };
}

/**
 * The Works that bindings imply, if the capture omitted them. They are created on first access, but only from the
 * capture, so the time of that access does not matter.
 */
export function impliedWorks(
  bindings: ReadonlyMap<string, ResourceBinding>,
  clusters: ReadonlyMap<string, Cluster>,
  rules: Rules,
  implied: (binding: ResourceBinding) => ReadonlyMap<string, Work>,
): StartingWorks {
  const made = new Map<string, ReadonlyMap<string, Work>>();
  const found = new Map<string, Found>();
  const byWorkName = lazily(() => lastByWorkName(bindings));
  const entitled = lazily(() => keysByGroup(bindings, ({ spec }) => entitledClusters(spec, rules)));

  function works(binding: string): ReadonlyMap<string, Work> {
    const known = made.get(binding);
    if (known) return known;
    const object = bindings.get(binding);
    const own = object ? implied(object) : noWorks;
    made.set(binding, own);
    return own;
  }

  /** Finds a Work by key; if several bindings are for one resource, it belongs to the last one. */
  function find(key: string): Found | undefined {
    const known = found.get(key);
    if (known) return known;
    const slash = key.indexOf('/');
    const cluster = executionCluster(key.slice(0, slash));
    if (cluster === undefined) return undefined;
    const { last, earlier } = byWorkName();
    for (let owner = last.get(key.slice(slash + 1)); owner !== undefined; owner = earlier.get(owner)) {
      const work = works(owner).get(cluster);
      if (!work) continue;
      const one = { owner, work };
      found.set(key, one);
      return one;
    }
    return undefined;
  }

  function* all(keys: Iterable<string>): Generator<Work> {
    for (const key of keys) yield* works(key).values();
  }

  function* open(): Generator<string> {
    for (const [key, binding] of bindings) if (impliesOpenWorks(binding, clusters, rules)) yield key;
  }

  function keyOn(cluster: string, binding: string): string {
    return `${executionNamespace(cluster)}/${workName(bindings.get(binding)!.spec.resource)}`;
  }

  return {
    works,
    work: (key) => find(key)?.work,
    ownerOf: (key) => find(key)?.owner,
    workKeys: () => [...new Set(Array.from(all(bindings.keys()), workKey))],
    openWorks: lazily(() => openAmong(all(open()), clusters)),
    // Only the requested Works are created.
    orphaned: () => [],
    worksOn: (cluster) => (entitled().get(cluster) ?? []).map((binding) => keyOn(cluster, binding)),
  };
}

/**
 * For each name of Works, the last binding whose Works have that name; for each binding, the previous one with that
 * name.
 */
function lastByWorkName(bindings: ReadonlyMap<string, ResourceBinding>) {
  const last = new Map<string, string>();
  const earlier = new Map<string, string>();
  for (const [key, { spec }] of bindings) {
    const name = workName(spec.resource);
    const other = last.get(name);
    if (other !== undefined) earlier.set(key, other);
    last.set(name, key);
  }
  return { last, earlier };
}

function openAmong(works: Iterable<Work>, clusters: ReadonlyMap<string, Cluster>): string[] {
  const keys: string[] = [];
  for (const work of works)
    if (needsAction(work, clusters.get(clusterOfWork(work) ?? ''))) keys.push(workKey(work));
  return keys;
}
