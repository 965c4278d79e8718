import { createMergePatch } from '../kubernetes/mergePatch.ts';
import { missingChange } from '../kubernetes/missingChange.ts';
import type { ApiServer, WriteOptions } from '../state/live/apiServer.ts';
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
 * The outcome of a write. written: the server has it; `object`, its answer or a later read, shows it. refused: also if
 * the server confirms the change, but neither its answer nor the object shows it. unchanged: before and after are
 * equal; nothing was sent. conflict: another client changed the object first; `object` is its newest state: decide
 * again. gone: the object no longer exists.
 */
export type WriteOutcome<T> =
  | { result: 'written' | 'unchanged'; object: T }
  | { result: 'conflict'; object: T }
  | { result: 'gone' }
  | Unwritten;

export interface WriteObjectOptions<T> extends SettleOptions {
  /** writes the status instead of spec and metadata */
  subresource?: 'status' | undefined;
  /** options of each write request; its signal aborts one in progress, with an unknown outcome */
  request?: Pick<WriteOptions, 'signal' | 'beforeSent' | 'fieldManager'> | undefined;
  /** whether a later state of the object contains the write; default: whether it shows every changed field */
  holds?: ((object: T) => boolean) | undefined;
}

/**
 * Writes a change of one object: a JSON merge patch from `before` to `after` that carries resourceVersion and uid of
 * `before`, so that the server refuses it if another client was first. If an answer is lost, it reads the object and
 * never blindly sends again; sending again after that read is safe, because the server accepts the version of `before`
 * only once.
 *
 * Rejects as `settleWrite` does.
 */
export async function writeObject<T extends StoredObject>(
  server: ApiServer,
  resource: ApiResource,
  before: T,
  after: T,
  options: WriteObjectOptions<T> = {},
): Promise<WriteOutcome<T>> {
  const change = createMergePatch(before, after);
  if (change === undefined) return { result: 'unchanged', object: before };
  const { namespace, name, resourceVersion, uid } = before.metadata;
  const { dryRun = false, subresource } = options;
  const path = apiPath(resource, namespace, name);
  const patch = withPreconditions(change as Record<string, unknown>, { resourceVersion, uid });
  const missing = (object: T) =>
    options.holds?.(object) === true ? undefined : missingChange(before, after, object);
  const holds = (object: T) => (options.holds ? options.holds(object) : missing(object) === undefined);
  const { signal } = options.request ?? {};

  async function send(requests: AbortSignal): Promise<WriteOutcome<T>> {
    const request = { ...options.request, dryRun, subresource, signal: requests };
    const answer = await server.patch<T>(path, patch, request);
    assertSame({ namespace, name, uid }, answer);
    if (missing(answer) === undefined) return { result: 'written', object: answer };
    // a dry run stores nothing to read
    const object = dryRun ? answer : await server.get<T>(path, { signal: requests });
    assertSame({ namespace, name, uid }, object);
    const field = missing(object);
    if (field === undefined) return { result: 'written', object };
    return { result: 'refused', message: await revertedText(server, resource, field, requests) };
  }

  return settleWrite<T, WriteOutcome<T>>(
    server,
    {
      path,
      needed: { resource, namespace, subresource, verbs: 'get patch' },
      send,
      abandon: signal,
      answered: ({ status }) => (status === 404 ? { result: 'gone' } : undefined),
      found(object, { conflict, mayHaveActed }) {
        if (object === 'gone') return { result: 'gone' };
        const { metadata } = object;
        if (metadata.resourceVersion !== resourceVersion || metadata.uid !== uid) {
          // Despite an error, the write was made if an earlier answer was lost.
          const written = mayHaveActed && metadata.uid === uid && holds(object);
          return { result: written ? 'written' : 'conflict', object };
        }
        // The object is unchanged. The server may still accept the unanswered write; it then refuses the second one
        // because of its version.
        return conflict ? { result: 'conflict', object } : undefined;
      },
    },
    options,
  );
}

function withPreconditions(
  change: Record<string, unknown>,
  preconditions: { resourceVersion: string | undefined; uid: string | undefined },
): unknown {
  const metadata = { ...(change.metadata as Record<string, unknown> | undefined) };
  if (preconditions.resourceVersion !== undefined) metadata.resourceVersion = preconditions.resourceVersion;
  if (preconditions.uid !== undefined) metadata.uid = preconditions.uid;
  return { ...change, metadata };
}
