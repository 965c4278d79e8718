import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectMeta } from '../../karmada/api/meta.ts';
import { storedCluster } from '../../karmada/defaults/storedCluster.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { applyMergePatch, createMergePatch } from '../../kubernetes/mergePatch.ts';
import type { Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import type { WriteOf } from '../../karmada/controllers/write.ts';
import { rfc3339 } from '../../kubernetes/time.ts';

/** The result of a write at an API server: the object afterwards, undefined if it no longer exists. */
type Applied<K extends Kind> = { object: Kinds[K] | undefined } | { refused: WriteRefusal };

export type WriteRefusal = 'already exists' | 'not found' | 'conflict';

/**
 * Applies a write to the object in an API server, as Kubernetes does: a changed spec increments the generation, a
 * status write changes nothing else, an object with Karmada's finalizer is first marked and then removed on its
 * release. Clusters are served by Karmada's own API server.
 *
 * @param sameVersion whether `current` is still the version that the write was decided on
 * @param now epoch milliseconds, for timestamps of creation and deletion
 */
export function applied<K extends Kind>(
  current: Kinds[K] | undefined,
  write: WriteOf<K>,
  sameVersion: boolean,
  now: number,
): Applied<K> {
  if (write.verb === 'create')
    return current
      ? { refused: 'already exists' }
      : { object: created(write.kind, served(write.kind, write.object, now), now) };
  if (!current) return { refused: 'not found' };
  switch (write.verb) {
    case 'update': {
      if (write.lock && !sameVersion) return { refused: 'conflict' };
      const wanted = sameVersion ? write.object : merged(current, write.base, write.object);
      const taken = write.part === 'object' ? served(write.kind, wanted, now) : wanted;
      const next = updated(write.kind, current, taken, write.part);
      return { object: isFreed(current, next) ? undefined : next };
    }
    case 'delete':
      if (write.lock && !sameVersion) return { refused: 'conflict' };
      return { object: hasFinalizer(write.kind) ? marked(current, now) : undefined };
    case 'release':
      return { object: released(current) };
  }
}

/** Whether a terminating object has lost its last finalizer. */
function isFreed<K extends Kind>(before: Kinds[K], after: Kinds[K]): boolean {
  if (!('metadata' in before) || !('metadata' in after)) return false;
  const { finalizers, deletionTimestamp } = after.metadata;
  return Boolean(before.metadata.finalizers?.length && deletionTimestamp) && !finalizers?.length;
}

function served<K extends Kind>(kind: K, object: Kinds[K], now: number): Kinds[K] {
  return kind === 'Cluster' ? (storedCluster(object as Cluster, now) as Kinds[K]) : object;
}

/** Applies the differences between `base` and `object` to the current object. */
function merged<K extends Kind>(current: Kinds[K], base: Kinds[K], object: Kinds[K]): Kinds[K] {
  const patch = createMergePatch(base, object);
  return patch === undefined ? current : (applyMergePatch(current, patch) as Kinds[K]);
}

/** Kinds that Karmada creates with a finalizer. */
function hasFinalizer(kind: Kind): boolean {
  return kind === 'Work' || kind === 'Binding' || kind === 'Cluster';
}

interface Stored {
  metadata: Pick<ObjectMeta, 'generation' | 'creationTimestamp' | 'deletionTimestamp'>;
  spec?: unknown;
  status?: unknown;
}

/** Members and their copies are not objects of the control plane. */
function isStored(kind: Kind): boolean {
  return kind !== 'Member' && kind !== 'Copy';
}

function created<K extends Kind>(kind: K, object: Kinds[K], now: number): Kinds[K] {
  if (!isStored(kind)) return object;
  const { metadata, ...rest } = object as Stored;
  return {
    ...rest,
    metadata: { creationTimestamp: rfc3339(now), ...metadata, generation: metadata.generation ?? 1 },
  } as Kinds[K];
}

function updated<K extends Kind>(
  kind: K,
  current: Kinds[K],
  wanted: Kinds[K],
  part: 'object' | 'status',
): Kinds[K] {
  if (!isStored(kind)) return deepEqual(current, wanted) ? current : wanted;
  const [is, wants] = [current as Stored, wanted as Stored];
  if (part === 'status')
    return is.status === wants.status || deepEqual(is.status, wants.status)
      ? current
      : ({ ...is, status: wants.status } as Kinds[K]);
  const sameSpec = is.spec === wants.spec || deepEqual(is.spec, wants.spec);
  const generation = sameSpec ? is.metadata.generation : (is.metadata.generation ?? 0) + 1;
  const kept = createdAs(is.metadata, wants.metadata);
  const metadata =
    generation === undefined || kept.generation === generation ? kept : { ...kept, generation };
  const next: Stored = {
    ...wants,
    metadata,
    spec: sameSpec ? is.spec : wants.spec,
    status: is.status,
  };
  if (next.status === undefined) delete next.status;
  if (next.spec === undefined) delete next.spec;
  return (
    sameSpec && deepEqual(is.metadata, next.metadata) && deepEqual(is, next) ? current : next
  ) as Kinds[K];
}

/** Only the API server sets the creationTimestamp. */
function createdAs(is: Stored['metadata'], wants: Stored['metadata']): Stored['metadata'] {
  if (is.creationTimestamp === wants.creationTimestamp) return wants;
  const { creationTimestamp: _, ...rest } = wants;
  return is.creationTimestamp === undefined ? rest : { ...rest, creationTimestamp: is.creationTimestamp };
}

/** The object with only the finalizers of others, if these keep it; otherwise undefined. */
function released<K extends Kind>(current: Kinds[K]): Kinds[K] | undefined {
  if (!('metadata' in current)) return undefined;
  const { finalizers } = current.metadata;
  const others = finalizers?.filter((one) => !one.startsWith('karmada.io/')) ?? [];
  if (others.length === 0) return undefined;
  if (others.length === finalizers?.length) return current;
  return { ...current, metadata: { ...current.metadata, finalizers: others } };
}

function marked<K extends Kind>(current: Kinds[K], now: number): Kinds[K] {
  const stored = current as Stored;
  if (stored.metadata.deletionTimestamp) return current;
  return { ...stored, metadata: { ...stored.metadata, deletionTimestamp: rfc3339(now) } } as Kinds[K];
}
