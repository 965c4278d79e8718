import { deepEqual } from '../kubernetes/deepEqual.ts';
import { missingChange } from '../kubernetes/missingChange.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer, ApplyOptions } from '../state/live/apiServer.ts';
import { fieldConflicts, type FieldConflict } from '../state/live/fieldConflicts.ts';
import { apiPath, type ApiResource } from '../state/live/resources.ts';
import { revertedText } from './reverted.ts';
import {
  assertSame,
  readSettled,
  settleWrite,
  type SettleOptions,
  type StoredObject,
  type Unwritten,
} from './settleWrite.ts';

/**
 * The outcome of an apply. created, applied, unchanged: the server has it; `object` is its answer. conflicts: other
 * managers own fields that would change, and `force` is off; nothing was written. changed: the object no longer matches
 * `before`: a client wrote it (only with `unchanged`), deleted it, or recreated it. `object` is its newest state,
 * undefined if it is gone; decide again.
 */
type ApplyOutcome<T> =
  | { result: 'created' | 'applied' | 'unchanged'; object: T }
  | { result: 'conflicts'; conflicts: FieldConflict[]; message: string }
  | { result: 'changed'; object: T | undefined }
  | Unwritten;

export interface ApplyObjectOptions<T>
  extends SettleOptions, Pick<ApplyOptions, 'fieldManager' | 'force' | 'fieldValidation'> {
  /** the state the decision was based on; 'gone' if there was no object; absent: it is read first */
  before?: T | 'gone' | undefined;
  /** only write if the object is still at the version of `before` */
  unchanged?: boolean | undefined;
}

/**
 * Server-side apply of one object: sets the fields of `manifest`, and removes those that this manager applied before
 * and now omits. Repeating it after a lost answer is safe, because it changes nothing; the uid of `before` keeps it
 * from recreating a deleted object.
 *
 * Rejects as `settleWrite` does.
 */
export async function applyObject<T extends StoredObject>(
  server: ApiServer,
  resource: ApiResource,
  manifest: T,
  options: ApplyObjectOptions<T>,
): Promise<ApplyOutcome<T>> {
  const { namespace, name } = manifest.metadata;
  const { dryRun, fieldManager, force, fieldValidation, unchanged = false } = options;
  const path = apiPath(resource, namespace, name);
  const before = options.before ?? (await readSettled<T>(server, path, options));
  const { uid, resourceVersion } = before === 'gone' ? {} : before.metadata;

  const identity = { namespace, name, uid };
  const send = async (body: unknown, dry = dryRun, signal = options.signal): Promise<T> => {
    const answer = await server.apply<T>(path, body, {
      fieldManager,
      force,
      fieldValidation,
      signal,
      dryRun: dry,
    });
    assertSame(identity, answer);
    return answer;
  };
  const { metadata: _metadata, ...content } = manifest;
  const missingOf = (object: T) => missingChange({}, content, object);
  const withConditions = (conditions: object): unknown => ({
    ...manifest,
    metadata: { ...manifest.metadata, ...conditions },
  });
  const outcome = (object: T): ApplyOutcome<T> => {
    if (before === 'gone') return { result: 'created', object };
    return { result: sameState(before, object) ? 'unchanged' : 'applied', object };
  };

  /** The outcome, once the answer or a read shows the stored object. */
  async function shown(answer: T, signal: AbortSignal): Promise<ApplyOutcome<T>> {
    if (missingOf(answer) === undefined) return outcome(answer);
    const found = dryRun ? answer : await server.get<T>(path, { signal });
    assertSame(identity, found);
    const field = missingOf(found);
    if (field === undefined) return outcome(found);
    return { result: 'refused', message: await revertedText(server, resource, field, signal) };
  }

  /** Whether an object already matches the manifest, so that a dry run would change nothing. */
  async function holds(object: T): Promise<boolean> {
    try {
      return sameState(object, await send(withConditions({ uid }), true));
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  return settleWrite<T, ApplyOutcome<T>>(
    server,
    {
      path,
      needed: { resource, namespace, verbs: before === 'gone' ? 'get patch create' : 'get patch' },
      async send(signal) {
        const body = withConditions(unchanged ? { uid, resourceVersion } : { uid });
        return shown(await send(body, dryRun, signal), signal);
      },
      answered(failure) {
        const conflicts = fieldConflicts(failure);
        if (conflicts.length > 0) return { result: 'conflicts', conflicts, message: failure.message };
        // the kind or the namespace does not exist
        return failure.status === 404 ? { result: 'refused', message: failure.message } : undefined;
      },
      async found(found, { conflict, mayHaveActed }) {
        if (found === 'gone') return before === 'gone' ? undefined : { result: 'changed', object: undefined };
        if (before !== 'gone' && found.metadata.uid !== uid) return { result: 'changed', object: found };
        const isNewer = found.metadata.resourceVersion !== resourceVersion;
        // Despite the error, the object exists if an earlier answer was lost.
        if (isNewer && mayHaveActed && missingOf(found) === undefined && (await holds(found)))
          return outcome(found);
        if (before === 'gone') return undefined;
        if (unchanged && isNewer) return { result: 'changed', object: found };
        return conflict ? { result: 'changed', object: found } : undefined;
      },
    },
    options,
  );
}

/** Whether two states of an object are equal, ignoring what every write changes. */
function sameState(before: StoredObject, after: StoredObject): boolean {
  // objects from lists have no managedFields
  const managed = before.metadata.managedFields !== undefined && after.metadata.managedFields !== undefined;
  return deepEqual(timeless(before, managed), timeless(after, managed));
}

function timeless(object: StoredObject, managed: boolean): unknown {
  const { resourceVersion: _version, managedFields: entries, ...metadata } = object.metadata;
  return [{ ...object, metadata }, managed ? entries?.map(({ time: _time, ...entry }) => entry) : undefined];
}
