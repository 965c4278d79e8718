import { stoppedComponents } from '../../simulator/verdicts/stoppedComponents.ts';
import { unversioned } from '../../karmada/objects/unversioned.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isOtherKind } from '../../karmada/api/otherKinds.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { bindingKey, objectKey, snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import { evictingFrom, placedOn } from '../../karmada/objects/placement.ts';
import { bindingPermanentId } from '../../karmada/objects/worksOfBinding.ts';
import { isSameVersion, sameVersions } from '../../karmada/sameVersions.ts';
import { wakeGroup, wakesOfCluster } from '../../karmada/scheduling/wakeUp.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import { type StartingWorld, countsPods } from '../../simulator/store/startingWorld.ts';
import type { ForecastWithoutFailures } from '../forecast/losses.ts';
import { allowedBy, dependOnEachOther } from './pairs.ts';

/** An audited world, with its course without further failures. */
export interface SettledWorld extends Pick<ForecastWithoutFailures, 'atRest' | 'reconciled'> {
  start: StartingWorld;
}

interface ChangedScope {
  /** keys of bindings that changed, or whose outcome without failures may have changed */
  bindings: ReadonlySet<string>;
  /** names of clusters whose failure may have other outcomes */
  clusters: ReadonlySet<string>;
  /** whether any cluster has changed */
  changesCapacity: boolean;
}

/**
 * What a change affects: failures of other clusters have the same outcomes before and after it. It may affect each
 * cluster that a changed object, its dependents or its parents are on, are leaving, or may go to, since the scheduler
 * considers all of these. For a changed cluster, add those of every workload that may go there. Undefined if unknown:
 * something in progress depends on time, or workloads depend on each other in other ways.
 */
export function touchedBetween(before: SettledWorld, after: SettledWorld): ChangedScope | undefined {
  const sides = [before, after];
  if (sides.some(({ start, atRest }) => !atRest || dependOnEachOther(start))) return undefined;
  const changed = changedObjects(before.start, after.start);
  if (!changed || !deepEqual(...statusSamples(before.start, after.start))) return undefined;
  const { bindings, clusters } = changed;
  for (const { start } of sides) withKin(start, bindings);
  for (const key of bindings)
    if (sides.some(({ start, reconciled }) => reconciled.has(key) || !isOneOfAKind(start, key)))
      return undefined;
  const touched = new Set(clusters);
  for (const { start } of sides) {
    for (const key of bindings) for (const name of reachOf(start, key)) touched.add(name);
    if (clusters.size === 0) continue;
    for (const [key, binding] of start.bindings) {
      const reach = reachOf(start, key);
      const { placement } = binding.spec;
      const mayGo = (name: string) => placement !== undefined && allowedBy(start)(placement).has(name);
      if ([...clusters].some((name) => reach.has(name) || mayGo(name)))
        for (const name of reach) touched.add(name);
    }
  }
  return { bindings, clusters: touched, changesCapacity: clusters.size > 0 };
}

interface ChangedObjects {
  /** keys, including those of changed Works */
  bindings: Set<string>;
  /** names of those whose capacity changed */
  clusters: Set<string>;
}

/** The changes in bindings, Works and the capacity of clusters; undefined if anything else changed. */
function changedObjects(before: StartingWorld, after: StartingWorld): ChangedObjects | undefined {
  const [one, other] = [before.world, after.world];
  const isAsBefore =
    before.configuration === after.configuration &&
    sameVersions(one, other, ['policies', 'taintPolicies']) &&
    areAlike(one.others, other.others) &&
    deepEqual(stoppedIn(before), stoppedIn(after)) &&
    deepEqual(one.unread, other.unread) &&
    before.impliesWorks === after.impliesWorks &&
    one.clusters.some(countsPods) === other.clusters.some(countsPods);
  if (!isAsBefore) return undefined;
  const clusters = new Set<string>();
  for (const [name, [was, is]] of differing(one.clusters, other.clusters, ({ metadata }) => metadata.name)) {
    if (!was || !is || !deepEqual(withoutCapacity(was), withoutCapacity(is))) return undefined;
    clusters.add(name);
  }
  const bindings = new Set(differing(one.bindings, other.bindings, bindingKey).keys());
  for (const work of differing(one.works, other.works, workKey).keys()) {
    const owners = [before, after].flatMap((start) => start.ownerOf(work) ?? []);
    if (owners.length === 0) return undefined;
    for (const owner of owners) bindings.add(owner);
  }
  return { bindings, clusters };
}

/**
 * Whether they are equal, ignoring renewed Leases and the status of FederatedHPAs, which follows metrics and decides
 * nothing.
 */
function areAlike(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): boolean {
  const changed = differing(before, after, ({ kind, metadata }) => objectKey({ kind, ...metadata }));
  return [...changed.values()].every(
    ([was, is]) =>
      (was?.kind === 'Lease' && is?.kind === 'Lease') ||
      (isOtherKind(was, 'FederatedHPA') && isOtherKind(is, 'FederatedHPA') && deepEqual(was.spec, is.spec)),
  );
}

function stoppedIn({ world, start }: StartingWorld) {
  return stoppedComponents(world, start).map(({ component }) => component);
}

/** The objects that differ between two lists, by key. */
function differing<T extends Parameters<typeof isSameVersion>[0]>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (object: T) => string,
): Map<string, [before: T | undefined, after: T | undefined]> {
  // Most lists differ in few objects, so only those get map entries.
  const old = new Set(before);
  const left = after.filter((object) => !old.delete(object));
  const found = new Map(
    Array.from(old, (object): [string, [T, T | undefined]] => [keyOf(object), [object, undefined]]),
  ) as Map<string, [T | undefined, T | undefined]>;
  for (const object of left) {
    const key = keyOf(object);
    const was = found.get(key)?.[0];
    if (was && isSameVersion(was, object)) found.delete(key);
    else found.set(key, [was, object]);
  }
  return found;
}

function withoutCapacity({ metadata, status, ...rest }: Cluster) {
  const { resourceSummary: _room, ...reported } = status ?? {};
  return { ...rest, metadata: unversioned(metadata), status: reported };
}

function statusSamples(...starts: [StartingWorld, StartingWorld]) {
  return starts.map((start) => Object.fromEntries(start.sampleStatuses())) as [unknown, unknown];
}

/** Adds the dependents and the parents of some bindings. */
function withKin(start: StartingWorld, keys: Set<string>): void {
  // Iterating a Set also visits entries added during the loop.
  for (const key of keys) {
    const spec = start.bindings.get(key)?.spec;
    const parents = spec
      ? [...(spec.requiredBy ?? []).map(snapshotKey), ...start.needing(objectKey(spec.resource))]
      : [];
    for (const kin of [...parents, ...start.attachedTo(key)]) keys.add(kin);
  }
}

/** Whether no other binding shares its workload or permanent id. */
function isOneOfAKind(start: StartingWorld, key: string): boolean {
  const binding = start.bindings.get(key);
  if (!binding) return true;
  const id = bindingPermanentId(binding.metadata);
  return (
    start.bindingFor(objectKey(binding.spec.resource)) === key &&
    (id === undefined || start.bindingWithId(id) === key)
  );
}

/** The clusters whose failure may affect a binding. */
function reachOf(start: StartingWorld, key: string): ReadonlySet<string> {
  const binding = start.bindings.get(key);
  const works = start.works(key).keys();
  if (!binding) return new Set(works);
  const there = placedOn(binding.spec).map(({ name }) => name);
  return new Set([...there, ...evictingFrom(binding.spec), ...works, ...wakingOf(start)(binding)]);
}

/** The clusters whose events wake the scheduler for a binding. */
const wakingOf = lazilyFor((start: StartingWorld) => {
  const known = new Map<string, string[]>();
  const { configuration, fleet } = start;
  return (binding: ResourceBinding): readonly string[] => {
    const group = wakeGroup(binding);
    let found = known.get(group);
    if (!found) {
      const woken = [...start.clusters.values()].filter((cluster) =>
        wakesOfCluster([cluster], binding, configuration, fleet.affinities),
      );
      known.set(group, (found = woken.map(({ metadata }) => metadata.name)));
    }
    return found;
  };
});
