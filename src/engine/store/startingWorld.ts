import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Copy, Member } from '../controllers/kinds.ts';
import { bindingKey, objectKey } from '../objects/identities.ts';
import { isReady, readyCondition } from '../objects/clusterReadiness.ts';
import { bindingPermanentId, namedBinding } from '../objects/worksOfBinding.ts';
import { createClusterSnapshot, schedulerOptions, type ClusterSnapshot } from '../scheduling/scheduler.ts';
import type { MemberAssumptions } from '../scenario.ts';
import { declaredHooks, type DeclaredHooks } from '../status/healthInterpreter.ts';
import type { ResumableWorld } from './savedSimulation.ts';
import { deriveCopy } from './derivedCopy.ts';
import { deriveWorks } from './derivedWorks.ts';
import { clusterOfWork, keyOf, snapshotKey, workKey } from '../controllers/keys.ts';

/**
 * A captured world made whole and ready to be looked at: what the bindings imply is derived from the capture alone, and
 * every index is made once. Nothing changes it; all simulations that start from it share it.
 */
export interface StartingWorld {
  readonly world: ResumableWorld;
  /** epoch milliseconds at which controllers go on with it */
  readonly start: number;
  readonly configuration: Configuration;
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** oldest first, then by namespace and name: the order wherever Karmada leaves one open */
  readonly bindings: ReadonlyMap<string, ResourceBinding>;
  /** the place of a binding in that order */
  rank(key: string): number | undefined;
  readonly taintPolicies: ReadonlyMap<string, ClusterTaintPolicy>;
  readonly policies: ReadonlyMap<string, PropagationPolicy>;
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  readonly hooks: DeclaredHooks;
  readonly fleet: ClusterSnapshot;
  /** keys of the bindings whose spec.clusters names a cluster, in order */
  on(cluster: string): readonly string[];
  /** keys of the bindings with a task from a cluster, in order */
  leaving(cluster: string): readonly string[];
  /** the key of the binding for a resource, by `objectKey` */
  bindingFor(resource: string): string | undefined;
  /** the key of the binding with a permanent id */
  bindingWithId(id: string): string | undefined;
  /** keys of the bindings whose requiredBy names a binding, by `snapshotKey`, in order */
  attachedTo(parent: string): readonly string[];
  /** the Works of a binding by cluster: the captured ones, or what the captured binding implies */
  works(binding: string): ReadonlyMap<string, Work>;
  work(key: string): Work | undefined;
  /** the key of the binding that a Work of the start belongs to */
  ownerOf(work: string): string | undefined;
  /** keys of all Works, those of no binding included */
  workKeys(): Iterable<string>;
  /** keys of all Works for a member, in order */
  worksOn(cluster: string): readonly string[];
  copy(key: string): Copy | undefined;
  member(name: string): Member | undefined;
  /** the names of all members, those of Clusters that are gone included */
  memberNames(): Iterable<string>;
}

/** Throws InvalidQuantity for quantities of clusters that cannot be read. */
export function createStartingWorld(
  world: ResumableWorld,
  configuration: Configuration,
  { start, members }: { start: number; members: MemberAssumptions },
): StartingWorld {
  const clusters = byKey(world.clusters, (cluster) => keyOf('Cluster', cluster));
  const sorted = [...world.bindings].sort(byAge);
  const bindings = new Map(sorted.map((binding) => [bindingKey(binding), binding]));
  const ranks = once(() => new Map([...bindings.keys()].map((key, at) => [key, at])));
  const on = once(() => grouped(bindings, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name)));
  const leaving = once(() =>
    grouped(bindings, ({ spec }) => (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster)),
  );
  const attached = once(() => grouped(bindings, ({ spec }) => (spec.requiredBy ?? []).map(snapshotKey)));
  const byResource = once(() => firstOf(bindings, ({ spec }) => objectKey(spec.resource)));
  const byId = once(() => firstOf(bindings, (binding) => bindingPermanentId(binding.metadata)));
  const hooks = declaredHooks(world.others, configuration.rules);
  const { clusterOf, ...works } = startingWorks(world, bindings, byId, (binding) =>
    deriveWorks(binding, members, start, configuration.rules, hooks),
  );
  const copies = new Map<string, Copy | undefined>();
  const saved = world.simulation;

  return {
    world,
    start,
    configuration,
    clusters,
    bindings,
    rank: (key) => ranks().get(key),
    taintPolicies: byKey(world.taintPolicies, (policy) => keyOf('ClusterTaintPolicy', policy)),
    policies: byKey(world.policies, (policy) => keyOf('Policy', policy)),
    objects: byKey(world.others, (object) => keyOf('Object', object)),
    hooks,
    fleet: createClusterSnapshot([...clusters.values()], schedulerOptions(configuration)),
    leaving: (cluster) => leaving().get(cluster) ?? [],
    on: (cluster) => on().get(cluster) ?? [],
    attachedTo: (parent) => attached().get(parent) ?? [],
    bindingFor: (resource) => byResource().get(resource),
    bindingWithId: (id) => byId().get(id),
    ...works,
    copy(key) {
      if (saved) return saved.copies[key];
      if (copies.has(key)) return copies.get(key);
      const work = works.work(key);
      const owner = works.ownerOf(key);
      const cluster = clusterOf(key);
      const copy =
        work &&
        deriveCopy(
          work,
          owner === undefined ? undefined : bindings.get(owner),
          cluster === undefined ? undefined : clusters.get(cluster),
          members,
          start,
          hooks,
        );
      copies.set(key, copy);
      return copy;
    },
    member: (name) => (saved ? saved.members[name] : memberOf(clusters.get(name))),
    memberNames: () => (saved ? Object.keys(saved.members) : clusters.keys()),
  };
}

const noWorks: ReadonlyMap<string, Work> = new Map();

/** The Works of the start, and whose they are. */
function startingWorks(
  world: ResumableWorld,
  bindings: ReadonlyMap<string, ResourceBinding>,
  byId: () => ReadonlyMap<string, string>,
  implied: (binding: ResourceBinding) => ReadonlyMap<string, Work>,
) {
  const captured = world.works.length > 0 || world.simulation !== undefined;
  const all = new Map<string, Work>();
  const owners = new Map<string, string>();
  const capturedOf = new Map<string, Map<string, Work>>();
  const ofBinding = new Map<string, ReadonlyMap<string, Work>>();
  const clusterOf = (key: string) => {
    const work = all.get(key);
    return work && clusterOfWork(work);
  };

  function add(owner: string | undefined, cluster: string, work: Work): void {
    const key = workKey(work);
    all.set(key, work);
    if (owner === undefined) return;
    owners.set(key, owner);
    const own = capturedOf.get(owner);
    if (own) own.set(cluster, work);
    else capturedOf.set(owner, new Map([[cluster, work]]));
  }
  if (captured)
    for (const work of [...world.works].sort(byName)) {
      const cluster = clusterOfWork(work);
      if (cluster === undefined) continue;
      const id = bindingPermanentId(work.metadata);
      // Without a permanent id, as in a capture whose labels were left out, the name has to do.
      const named = namedBinding(work);
      const owner = id === undefined ? named && snapshotKey(named) : byId().get(id);
      add(owner !== undefined && bindings.has(owner) ? owner : undefined, cluster, work);
    }

  /** What is implied is made when a binding is first looked at: from the capture, so that nobody can tell when. */
  function works(key: string): ReadonlyMap<string, Work> {
    if (captured) return capturedOf.get(key) ?? noWorks;
    const known = ofBinding.get(key);
    if (known) return known;
    const binding = bindings.get(key);
    const made = binding ? implied(binding) : noWorks;
    ofBinding.set(key, made);
    for (const work of made.values()) {
      all.set(workKey(work), work);
      owners.set(workKey(work), key);
    }
    return made;
  }

  /** Who asks for a Work by its key, or for all, has to find those that are implied. */
  const made = once(() => {
    if (!captured) for (const key of bindings.keys()) works(key);
    return all;
  });
  const byCluster = once(() => {
    const keys = new Map<string, string[]>();
    for (const key of [...made().keys()].sort(compareText)) {
      const cluster = clusterOf(key)!;
      const own = keys.get(cluster);
      if (own) own.push(key);
      else keys.set(cluster, [key]);
    }
    return keys;
  });

  return {
    works,
    work: (key: string) => made().get(key),
    ownerOf: (key: string) => (made(), owners.get(key)),
    workKeys: () => made().keys(),
    worksOn: (cluster: string) => byCluster().get(cluster) ?? [],
    clusterOf,
  };
}

/** A member is taken to be as Karmada last saw it. */
function memberOf(cluster: Cluster | undefined): Member | undefined {
  if (!cluster) return undefined;
  const ready = readyCondition(cluster);
  const up = isReady(cluster);
  const since = ready?.lastTransitionTime ? instant(ready.lastTransitionTime) : 0;
  return {
    name: cluster.metadata.name,
    up,
    ...(cluster.spec?.syncMode === 'Pull' ? { agent: { running: up, since } } : {}),
  };
}

function byKey<T>(objects: readonly T[], key: (object: T) => string): Map<string, T> {
  const entries = objects.map((object) => [key(object), object] as const);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}

function grouped(
  bindings: ReadonlyMap<string, ResourceBinding>,
  groupsOf: (binding: ResourceBinding) => readonly string[],
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, binding] of bindings)
    for (const group of groupsOf(binding)) {
      const members = groups.get(group);
      if (!members) groups.set(group, [key]);
      else if (members.at(-1) !== key) members.push(key);
    }
  return groups;
}

function firstOf(
  bindings: ReadonlyMap<string, ResourceBinding>,
  nameOf: (binding: ResourceBinding) => string | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, binding] of bindings) {
    const name = nameOf(binding);
    if (name !== undefined && !found.has(name)) found.set(name, key);
  }
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Oldest first, then by namespace and name: the order in which bindings go wherever Karmada leaves one open, as it
 * does when a tainted cluster's bindings are queued (they come out of a hash table).
 */
export function byAge(a: ResourceBinding, b: ResourceBinding): number {
  const [x, y] = [a.metadata, b.metadata];
  return compareText(x.creationTimestamp ?? '', y.creationTimestamp ?? '') || byName(a, b);
}

function byName(a: ResourceBinding | Work, b: ResourceBinding | Work): number {
  const [x, y] = [a.metadata, b.metadata];
  return compareText(x.namespace ?? '', y.namespace ?? '') || compareText(x.name, y.name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
