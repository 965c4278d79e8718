import { deepEqual } from '../../../src/kubernetes/deepEqual.ts';
import { applyMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/karmada/api/meta.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  WatchEvent,
  WriteOptions,
} from '../../../src/state/live/apiServer.ts';
import {
  decoded,
  encoded,
  fieldsOf,
  printed,
  valueAt,
  without,
  type FieldSet,
  type ManagedFieldsEntry,
} from './managedFieldSets.ts';

/** The API path of an object: "/apis/GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME]". */
export interface Place {
  apiVersion: string;
  namespace: string | undefined;
  resource: string;
  name: string | undefined;
}

export interface ObjectStoreOptions {
  /** objects as they are at the start */
  objects: readonly KubernetesObject[];
  /** plural of a kind, as in paths */
  plural: (kind: string) => string;
  /** epoch milliseconds */
  now: () => number;
}

type Stored = Omit<KubernetesObject, 'metadata'> & {
  metadata: Omit<ObjectMeta, 'managedFields'> & { managedFields?: ManagedFieldsEntry[] };
};

/**
 * Objects as an API server stores them: versions, uids, generations, preconditions, finalizers, and managed fields with their conflicts.
 * Each method throws the server's ApiError.
 */
export class ObjectStore {
  readonly #objects: Stored[];
  readonly #options: ObjectStoreOptions;
  readonly #changes: { version: number; place: Place; event: WatchEvent }[] = [];
  readonly #watchers = new Set<(place: Place, event: WatchEvent) => void>();
  #version = 1000;
  #uids = 0;

  constructor(options: ObjectStoreOptions) {
    this.#options = options;
    this.#objects = structuredClone([...options.objects]) as Stored[];
    for (const { metadata } of this.#objects)
      this.#version = Math.max(this.#version, Number(metadata.resourceVersion ?? 0));
  }

  get version(): string {
    return String(this.#version);
  }

  all(): readonly KubernetesObject[] {
    return this.#objects;
  }

  get(path: string): KubernetesObject {
    return structuredClone(this.#existing(placeOf(path)));
  }

  has(path: string): boolean {
    return this.#find(placeOf(path)) !== undefined;
  }

  /** Reports each change of a collection after that version, past ones first; by default from now on. Returns a function that stops it. */
  follow(path: string, notify: (event: WatchEvent) => void, after = this.#version): () => void {
    const wanted = placeOf(path);
    const watcher = (place: Place, event: WatchEvent): void => {
      const inside = wanted.namespace === undefined || wanted.namespace === place.namespace;
      if (place.apiVersion === wanted.apiVersion && place.resource === wanted.resource && inside)
        notify(event);
    };
    for (const { version, place, event } of this.#changes)
      if (version > after) watcher(place, structuredClone(event));
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  create(path: string, given: KubernetesObject, options: WriteOptions = {}): KubernetesObject {
    const { namespace } = placeOf(path);
    const { generateName } = given.metadata as { generateName?: string };
    const name = given.metadata.name ?? `${generateName}${(++this.#uids).toString(36).padStart(5, '0')}`;
    const object = { ...given, metadata: { ...given.metadata, name, ...(namespace ? { namespace } : {}) } };
    const place = { ...placeOf(path), name };
    if (this.#find(place)) throw failure(409, 'AlreadyExists', `${describe(place)} already exists`);
    const managed = this.#entry(
      options.fieldManager ?? 'karmada-failover',
      'Update',
      object,
      fieldsOf(object),
      options,
    );
    return this.#put(place, undefined, withEntries(object, [managed]), options.dryRun);
  }

  /** JSON merge patch. */
  patch(path: string, patch: unknown, options: WriteOptions = {}): KubernetesObject {
    const place = placeOf(path);
    const before = this.#existing(place);
    this.#check(before, (patch as { metadata?: Partial<ObjectMeta> }).metadata ?? {});
    const wanted = applyMergePatch(before, patch) as Stored;
    return this.#update(place, before, wanted, options);
  }

  /** A new object that replaces the old one. */
  replace(path: string, object: KubernetesObject, options: WriteOptions = {}): KubernetesObject {
    const place = placeOf(path);
    const before = this.#existing(place);
    this.#check(before, object.metadata);
    return this.#update(place, before, object as Stored, options);
  }

  apply(path: string, given: KubernetesObject, options: ApplyOptions): KubernetesObject {
    const place = placeOf(path);
    const before = this.#find(place);
    if (!before && given.metadata.uid)
      throw failure(
        409,
        'Conflict',
        `${describe(place)}: uid mismatch: the provided object specified uid ${given.metadata.uid}, and no existing object was found`,
      );
    const live = before ?? ({ apiVersion: given.apiVersion, kind: given.kind, metadata: {} } as Stored);
    const entries = live.metadata.managedFields ?? this.#beforeFirstApply(before);
    const isMine = (entry: ManagedFieldsEntry) =>
      entry.manager === options.fieldManager &&
      entry.operation === 'Apply' &&
      entry.subresource === options.subresource;
    const others = entries.filter((entry) => !isMine(entry));
    const mine = decoded(entries.find(isMine)?.fieldsV1 ?? {});
    const now = fieldsOf(given);

    const changes = [...now].filter((field) => !deepEqual(valueAt(live, field), valueAt(given, field)));
    const conflicts = others.flatMap((entry) => {
      const owned = decoded(entry.fieldsV1);
      return changes.filter((field) => owned.has(field)).map((field) => ({ entry, field }));
    });
    if (conflicts.length > 0 && !options.force) throw applyConflict(conflicts);
    if (before) this.#check(before, given.metadata);

    const left = others.map((entry) => lessened(entry, changes));
    const stillOwned = new Set(left.flatMap(({ fieldsV1 }) => [...decoded(fieldsV1)]));
    const dropped = [...mine].filter((field) => !now.has(field) && !stillOwned.has(field));
    const { uid: _uid, resourceVersion: _version, ...metadata } = given.metadata;
    const merged = applyMergePatch(live, { ...given, metadata }) as Stored;
    const object = dropped.reduce(without, merged);
    const entry = this.#entry(options.fieldManager, 'Apply', given, now, options);
    return this.#put(place, before, withEntries(object, [...left, entry]), options.dryRun);
  }

  delete(path: string, { preconditions = {}, dryRun = false }: DeleteOptions = {}): object {
    const place = placeOf(path);
    const before = this.#existing(place);
    for (const field of ['uid', 'resourceVersion'] as const)
      if (preconditions[field] !== undefined && preconditions[field] !== before.metadata[field])
        throw failure(
          409,
          'Conflict',
          `Operation cannot be fulfilled on ${describe(place)}: the ${field === 'uid' ? 'UID' : 'ResourceVersion'} in the precondition (${preconditions[field]}) does not match the ${field === 'uid' ? 'UID' : 'ResourceVersion'} in record (${before.metadata[field]}). The object might have been deleted and then recreated`,
        );
    if (before.metadata.finalizers?.length) {
      const deletionTimestamp = before.metadata.deletionTimestamp ?? this.#time();
      return this.#put(
        place,
        before,
        { ...before, metadata: { ...before.metadata, deletionTimestamp } },
        dryRun,
      );
    }
    if (!dryRun) this.#remove(place, before);
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: place.name },
    };
  }

  #update(place: Place, before: Stored, wanted: Stored, options: WriteOptions): KubernetesObject {
    const { status: newStatus, ...rest } = wanted as Stored & { status?: unknown };
    const { status: oldStatus, ...old } = before as Stored & { status?: unknown };
    const status = options.subresource === 'status' ? newStatus : oldStatus;
    const object = {
      ...(options.subresource === 'status' ? old : rest),
      ...(status === undefined ? {} : { status }),
    } as Stored;
    const fields = new Set([...fieldsOf(before), ...fieldsOf(object)]);
    const changes = [...fields].filter((field) => !deepEqual(valueAt(before, field), valueAt(object, field)));
    const manager = options.fieldManager ?? 'karmada-failover';
    const isMine = (entry: ManagedFieldsEntry) =>
      entry.manager === manager && entry.operation === 'Update' && entry.subresource === options.subresource;
    const entries = (before.metadata.managedFields ?? []).map((entry) => lessened(entry, changes));
    const set = changes.filter((field) => valueAt(object, field) !== undefined);
    const owned = new Set([...decoded(entries.find(isMine)?.fieldsV1 ?? {}), ...set]);
    const entry = this.#entry(manager, 'Update', object, owned, options);
    return this.#put(
      place,
      before,
      withEntries(object, [...entries.filter((one) => !isMine(one)), entry]),
      options.dryRun,
    );
  }

  #put(place: Place, before: Stored | undefined, object: Stored, dryRun = false): KubernetesObject {
    const { metadata } = object;
    if (before && deepEqual(timeless(before), timeless(object))) return structuredClone(before);
    const changed = !before || !deepEqual(specOf(before), specOf(object));
    const stored: Stored = {
      ...object,
      metadata: {
        ...metadata,
        uid: before?.metadata.uid ?? `uid-${++this.#uids}`,
        creationTimestamp: before?.metadata.creationTimestamp ?? this.#time(),
        generation: (before?.metadata.generation ?? 0) + (changed ? 1 : 0),
        ...(dryRun ? {} : { resourceVersion: String(++this.#version) }),
      },
    };
    if (dryRun) return stored;
    if (before && stored.metadata.deletionTimestamp && !stored.metadata.finalizers?.length) {
      this.#remove(place, before);
      return structuredClone(stored);
    }
    if (before) this.#objects[this.#objects.indexOf(before)] = stored;
    else this.#objects.push(stored);
    this.#notify(place, { type: before ? 'MODIFIED' : 'ADDED', object: stored });
    return structuredClone(stored);
  }

  #remove(place: Place, before: Stored): void {
    this.#objects.splice(this.#objects.indexOf(before), 1);
    const metadata = { ...before.metadata, resourceVersion: String(++this.#version) };
    this.#notify(place, { type: 'DELETED', object: { ...before, metadata } });
  }

  #notify(place: Place, event: WatchEvent): void {
    this.#changes.push({ version: this.#version, place, event });
    for (const watcher of this.#watchers) watcher(place, structuredClone(event));
  }

  #find({ apiVersion, namespace, resource, name }: Place): Stored | undefined {
    return this.#objects.find(
      (object) =>
        object.metadata.name === name &&
        object.apiVersion === apiVersion &&
        this.#options.plural(object.kind) === resource &&
        object.metadata.namespace === namespace,
    );
  }

  #existing(place: Place): Stored {
    const object = this.#find(place);
    if (!object) throw failure(404, 'NotFound', `${describe(place)} not found`, { name: place.name ?? '' });
    return object;
  }

  #check(before: Stored, { uid, resourceVersion }: Partial<ObjectMeta>): void {
    if (uid !== undefined && uid !== before.metadata.uid)
      throw failure(
        409,
        'Conflict',
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
      );
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
      throw failure(
        409,
        'Conflict',
        'the object has been modified; please apply your changes to the latest version and try again',
      );
  }

  /** The owner of an object's fields without managedFields (apimachinery, managedfields/internal/skipnonapplied.go). */
  #beforeFirstApply(before: Stored | undefined): ManagedFieldsEntry[] {
    return before ? [this.#entry('before-first-apply', 'Update', before, fieldsOf(before), {})] : [];
  }

  #entry(
    manager: string,
    operation: 'Apply' | 'Update',
    { apiVersion }: KubernetesObject,
    fields: FieldSet,
    { subresource }: WriteOptions,
  ): ManagedFieldsEntry {
    const time = this.#time();
    return {
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: encoded(fields),
      ...(subresource ? { subresource } : {}),
    };
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}

/** Reads a path of the API, its "/status" left out. */
export function placeOf(path: string): Place {
  const found =
    /^\/(?:api\/(v\d\w*)|apis\/([^/]+\/v\d\w*))(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      path,
    );
  if (!found) throw failure(404, 'NotFound', `${path} is not served`);
  const [, core, grouped, namespace, resource = '', name] = found;
  return {
    apiVersion: core ?? grouped ?? '',
    namespace: namespace === undefined ? undefined : decodeURIComponent(namespace),
    resource,
    name: name === undefined ? undefined : decodeURIComponent(name),
  };
}

/** 'clustertaintpolicies.policy.karmada.io "zone"' */
function describe({ apiVersion, resource, name }: Place): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  return `${resource}${group} "${name}"`;
}

function failure(status: number, reason: string, message: string, details: object = {}): ApiError {
  const cause = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason,
    message,
    details,
  };
  return new ApiError(message, { status, reason, cause });
}

/** In apimachinery's words (managedfields/internal/conflict.go). */
function applyConflict(conflicts: { entry: ManagedFieldsEntry; field: string }[]): ApiError {
  const writer = ({ manager, subresource, operation, apiVersion, time }: ManagedFieldsEntry): string =>
    JSON.stringify(manager) +
    (subresource ? ` with subresource "${subresource}"` : '') +
    (operation === 'Update' ? ` using ${apiVersion} at ${time}` : '');
  const causes = conflicts.map(({ entry, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${writer(entry)}`,
    field: printed(field),
  }));
  const managers = [...new Set(conflicts.map(({ entry }) => writer(entry)))].sort();
  const message =
    conflicts.length === 1
      ? `Apply failed with 1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`
      : `Apply failed with ${conflicts.length} conflicts: ${managers
          .flatMap((manager) => [
            `conflicts with ${manager}:`,
            ...conflicts
              .filter(({ entry }) => writer(entry) === manager)
              .map(({ field }) => `- ${printed(field)}`),
          ])
          .join('\n')}`;
  return failure(409, 'Conflict', message, { causes });
}

function lessened(entry: ManagedFieldsEntry, fields: readonly string[]): ManagedFieldsEntry {
  const owned = decoded(entry.fieldsV1);
  fields.forEach((field) => owned.delete(field));
  return { ...entry, fieldsV1: encoded(owned) };
}

function withEntries(object: KubernetesObject, entries: ManagedFieldsEntry[]): Stored {
  const managedFields = entries.filter(({ fieldsV1 }) => Object.keys(fieldsV1).length > 0);
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

function timeless({
  metadata: { resourceVersion: _version, managedFields = [], ...metadata },
  ...rest
}: Stored): unknown {
  return { ...rest, metadata, managedFields: managedFields.map(({ time: _time, ...entry }) => entry) };
}

function specOf({ metadata: _metadata, status: _status, ...rest }: Stored & { status?: unknown }): unknown {
  return rest;
}
