import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer, DeleteOptions } from '../state/live/apiServer.ts';
import { apiPath, type ApiResource } from '../state/live/resources.ts';
import { revertedText } from './reverted.ts';
import {
  assertSame,
  settleWrite,
  type SettleOptions,
  type StoredObject,
  type Unwritten,
} from './settleWrite.ts';

/**
 * The outcome of a deletion. deleted: the object is gone. deleting: accepted; the object disappears once its finalizers
 * are removed. gone: it no longer existed. conflict: it is another object of this name, or another version if one was
 * asked for; `object` is its newest state.
 */
type DeleteOutcome<T> =
  { result: 'deleted' | 'gone' } | { result: 'deleting' | 'conflict'; object: T } | Unwritten;

export interface DeleteObjectOptions extends SettleOptions, Pick<DeleteOptions, 'propagationPolicy'> {
  /** only delete it if it is still at the version of `object`; otherwise any version of the same object is deleted */
  unchanged?: boolean | undefined;
}

/**
 * Deletes one object, and never another one of the same name: its uid is a precondition. If the answer is lost, it
 * reads the object, so retries delete only once.
 *
 * Rejects as `settleWrite` does.
 */
export async function deleteObject<T extends StoredObject>(
  server: ApiServer,
  resource: ApiResource,
  object: T,
  options: DeleteObjectOptions = {},
): Promise<DeleteOutcome<T>> {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const { dryRun, unchanged = false, propagationPolicy } = options;
  const path = apiPath(resource, namespace, name);
  const preconditions = { uid, ...(unchanged ? { resourceVersion } : {}) };
  return settleWrite<T, DeleteOutcome<T>>(
    server,
    {
      path,
      needed: { resource, namespace, verbs: 'get delete' },
      async send(signal) {
        const left = await server.delete<T>(path, { dryRun, preconditions, propagationPolicy, signal });
        if (left.kind === 'Status') return { result: 'deleted' };
        assertSame({ namespace, name, uid }, left);
        if (isDeleting(left)) return { result: 'deleting', object: left };
        if (dryRun || left.metadata.deletionTimestamp) return { result: 'deleted' };
        // for some kinds the answer is the object before its deletion
        const found = await foundAt<T>(server, path, signal);
        if (found?.metadata.uid !== uid || !found) return { result: 'deleted' };
        if (found.metadata.deletionTimestamp) return { result: 'deleting', object: found };
        const message = await revertedText(server, resource, 'metadata.deletionTimestamp', signal);
        return { result: 'refused', message };
      },
      answered: ({ status }, mayHaveActed) =>
        status === 404 ? { result: mayHaveActed ? 'deleted' : 'gone' } : undefined,
      found(found, { conflict, mayHaveActed }) {
        if (found === 'gone') return { result: mayHaveActed ? 'deleted' : 'gone' };
        if (found.metadata.uid !== uid)
          return mayHaveActed ? { result: 'deleted' } : { result: 'conflict', object: found };
        if (found.metadata.deletionTimestamp) return { result: 'deleting', object: found };
        const changed = unchanged && found.metadata.resourceVersion !== resourceVersion;
        return conflict || changed ? { result: 'conflict', object: found } : undefined;
      },
    },
    options,
  );
}

/** The object at a path; undefined if there is none. */
async function foundAt<T>(server: ApiServer, path: string, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await server.get<T>(path, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether a returned object is being deleted: it waits for its finalizers or its grace period. */
function isDeleting({ metadata }: StoredObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds } = metadata;
  return Boolean(deletionTimestamp) && (finalizers.length > 0 || (deletionGracePeriodSeconds ?? 0) > 0);
}
