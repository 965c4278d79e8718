import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { type ClaimGroup, claimGroups, sameClaims, templateGroups } from '../../karmada/objects/claims.ts';
import { compareAge, compareText } from './indexes.ts';
import { createKeyIndex } from './keyIndex.ts';
import type { StartingWorld } from './startingWorld.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { DEPENDENCIES_ANNOTATION } from '../../karmada/api/names.ts';
import { neededBy } from '../../karmada/objects/dependents.ts';
import { objectKey, snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import type { Changed, ChangeOf } from '../../karmada/controllers/write.ts';
import { bindingPermanentId, clusterOfWork, namedBinding } from '../../karmada/objects/worksOfBinding.ts';

/** Indexes of the `Object`s of a changing world; all answers are keys, in order. */
interface ObjectIndexes {
  of(kind: string): readonly string[];
  in(groups: readonly ClaimGroup[]): readonly string[];
  changed(change: ChangeOf<'Object'>): void;
}

/** Indexes without changes since the start. */
export function createObjectIndexes(start: StartingWorld): ObjectIndexes {
  const kinds = createKeyIndex((kind) => start.objectsOf(kind), compareText);
  const claimed = createKeyIndex((group) => start.templatesIn(group), compareText);
  return {
    of: (kind) => kinds.of(kind),
    in: (groups) => claimed.among(groups),
    changed({ key, before, after }) {
      if (before?.kind !== after?.kind) kinds.move(key, kindOf(before), kindOf(after));
      if (!sameClaims(before, after)) claimed.move(key, templateGroupsOf(before), templateGroupsOf(after));
    },
  };
}

function templateGroupsOf(object: KubernetesObject | undefined): ClaimGroup[] {
  return object ? templateGroups(object) : [];
}

function kindOf(object: KubernetesObject | undefined): string[] {
  return object ? [object.kind] : [];
}

/** Indexes of the bindings of a changing world; all answers are keys. */
interface BindingIndexes {
  on(cluster: string): readonly string[];
  leaving(cluster: string): readonly string[];
  attachedTo(parent: string): readonly string[];
  /** by `objectKey` */
  needing(object: string): readonly string[];
  in(groups: readonly ClaimGroup[]): readonly string[];
  /** by `objectKey` */
  forResource(resource: string): string | undefined;
  withId(id: string): string | undefined;
  changed(change: ChangeOf<'Binding'>): void;
}

/** Indexes without changes since the start. */
export function createBindingIndexes(
  start: StartingWorld,
  get: (key: string) => ResourceBinding | undefined,
): BindingIndexes {
  /** bindings created since the start */
  const made = new Set<string>();
  const order = (a: string, b: string) =>
    made.has(a) || made.has(b) ? compareAge(get(a)!, get(b)!) : start.rank(a)! - start.rank(b)!;
  const on = createKeyIndex((cluster) => start.on(cluster), order);
  const leaving = createKeyIndex((cluster) => start.leaving(cluster), order);
  const attached = createKeyIndex((parent) => start.attachedTo(parent), order);
  const needing = createKeyIndex((object) => start.needing(object), order);
  const claimed = createKeyIndex((group) => start.bindingsIn(group), order);
  const resources = new Map<string, string | undefined>();
  const ids = new Map<string, string | undefined>();

  return {
    on: (cluster) => on.of(cluster),
    leaving: (cluster) => leaving.of(cluster),
    attachedTo: (parent) => attached.of(parent),
    needing: (object) => needing.of(object),
    in: (groups) => claimed.among(groups),
    forResource: (resource) =>
      resources.has(resource) ? resources.get(resource) : start.bindingFor(resource),
    withId: (id) => (ids.has(id) ? ids.get(id) : start.bindingWithId(id)),
    changed({ key, before, after }) {
      if (!before && after) made.add(key);
      if (before?.spec.clusters !== after?.spec.clusters)
        on.move(key, names(before?.spec.clusters), names(after?.spec.clusters));
      if (before?.spec.gracefulEvictionTasks !== after?.spec.gracefulEvictionTasks)
        leaving.move(key, sources(before), sources(after));
      if (before?.spec.requiredBy !== after?.spec.requiredBy)
        attached.move(key, parents(before), parents(after));
      if (!sameDependencies(before, after)) needing.move(key, neededBy(before), neededBy(after));
      if (!sameClaims(before, after)) claimed.move(key, claimGroupsOf(before), claimGroupsOf(after));
      if (before && after) return;
      const { spec, metadata } = after ?? before;
      name(resources, objectKey(spec.resource), after && key, start.bindingFor);
      const id = bindingPermanentId(metadata);
      if (id !== undefined) name(ids, id, after && key, start.bindingWithId);
      if (!after) made.delete(key);
    },
  };
}

/** Records which object has a name now. The absence of an object is recorded only if the start has one. */
function name(
  known: Map<string, string | undefined>,
  one: string,
  key: string | undefined,
  atStart: (name: string) => string | undefined,
): void {
  if (key === undefined && atStart(one) === undefined) known.delete(one);
  else known.set(one, key);
}

function names(clusters: readonly { name: string }[] = []): string[] {
  return clusters.map(({ name }) => name);
}

/** The clusters with an eviction task of the binding. */
function sources(binding: ResourceBinding | undefined): string[] {
  return (binding?.spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
}

function sameDependencies(before: ResourceBinding | undefined, after: ResourceBinding | undefined): boolean {
  const recorded = (one: ResourceBinding | undefined) =>
    one?.spec.propagateDeps ? one.metadata.annotations?.[DEPENDENCIES_ANNOTATION] : undefined;
  return recorded(before) === recorded(after);
}

function claimGroupsOf(binding: ResourceBinding | undefined): ClaimGroup[] {
  return binding ? claimGroups(binding.spec.resource, binding.metadata) : [];
}

function parents(binding: ResourceBinding | undefined): string[] {
  return (binding?.spec.requiredBy ?? []).map(snapshotKey);
}

interface WorkIndexes {
  /** the Works of a binding by cluster, in order */
  of(binding: string): ReadonlyMap<string, Work>;
  /** the key of the binding that a Work belongs to */
  ownerOf(work: Work): string | undefined;
  changed(change: { key: string } & Changed<Work>): void;
  /**
   * A binding now exists, possibly after its Works: on a live control plane each kind arrives over its own connection.
   */
  bindingMade(binding: ResourceBinding): void;
}

/** Indexes without changes since the start. */
export function createWorkIndexes(start: StartingWorld, bindings: BindingIndexes): WorkIndexes {
  /** the Works of bindings whose Works have changed */
  const changed = new Map<string, Map<string, Work>>();
  /** those of them whose list of Works is unsorted */
  const unsorted = new Set<string>();
  const owners = new Map<string, string>();
  /** Works by the id of a binding that does not exist */
  const waiting = new Map<string, Map<string, Work>>();

  function of(binding: string): ReadonlyMap<string, Work> {
    const own = changed.get(binding);
    if (!own) return start.works(binding);
    if (!unsorted.delete(binding)) return own;
    const sorted = new Map([...own].sort(([a], [b]) => compareText(a, b)));
    changed.set(binding, sorted);
    return sorted;
  }

  function ownerOf(work: Work): string | undefined {
    const key = workKey(work);
    const known = owners.get(key) ?? start.ownerOf(key);
    if (known !== undefined) return known;
    const id = bindingPermanentId(work.metadata);
    if (id !== undefined) return bindings.withId(id);
    const named = namedBinding(work);
    return named && snapshotKey(named);
  }

  function changedOf({ key, before, after }: { key: string } & Changed<Work>): void {
    const work = after ?? before;
    const owner = ownerOf(work);
    const cluster = clusterOfWork(work);
    if (cluster === undefined) return;
    if (owner === undefined) return wait(key, work, after);
    owners.set(key, owner);
    let own = changed.get(owner);
    if (!own) changed.set(owner, (own = new Map(start.works(owner))));
    if (!after) own.delete(cluster);
    else {
      if (!own.has(cluster)) unsorted.add(owner);
      own.set(cluster, after);
    }
  }

  function wait(key: string, { metadata }: Work, after: Work | undefined): void {
    const id = bindingPermanentId(metadata);
    if (id === undefined) return;
    const others = waiting.get(id) ?? new Map<string, Work>();
    if (after) waiting.set(id, others.set(key, after));
    else others.delete(key);
  }

  return {
    of,
    ownerOf,
    changed: changedOf,
    bindingMade({ metadata }) {
      const id = bindingPermanentId(metadata);
      const works = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || !works) return;
      waiting.delete(id);
      for (const [key, work] of works) changedOf({ key, after: work });
    },
  };
}
