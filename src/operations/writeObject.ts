import { applyMergePatch, createMergePatch } from '../kubernetes/mergePatch.ts';
import type { ObjectMeta } from '../karmada/api/meta.ts';
import { deepEqual } from '../kubernetes/deepEqual.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { apiPath, type ApiResource } from '../state/live/resources.ts';
import { pause as realPause, type Pause } from './pause.ts';

/** An object as the server stores it; that bindings and Clusters may lack their kind does not matter here. */
export interface StoredObject {
  kind?: string;
  metadata: ObjectMeta;
}

/**
 * What became of a write.
 * written: the server has it, `object` is what it answered or what was read after a lost answer.
 * unchanged: before and after are the same, nothing was sent.
 * conflict: somebody else changed the object first; `object` is its newest state: decide again on it.
 * gone: the object does not exist any more.
 * refused: the server does not want this change (invalid, a webhook's denial, a webhook out of order); `message` says why.
 * unknown: the server does not answer, so whether it has the write is not known; only after an abort or `patience`.
 */
export type WriteOutcome<T> =
  | { result: 'written' | 'unchanged' | 'conflict'; object: T }
  | { result: 'gone' }
  | { result: 'refused' | 'unknown'; message: string };

export interface WriteObjectOptions<T> {
  /** sends dryRun=All; an outcome is then what the server would do */
  dryRun?: boolean | undefined;
  /** ends pauses, never a request under way: a write that was sent is always followed up by a read */
  signal?: AbortSignal | undefined;
  /** milliseconds for which an unreachable or overloaded server is tried again; default 60,000 */
  patience?: number | undefined;
  /** writes the status, which specs and metadata are written apart from */
  subresource?: 'status' | undefined;
  /** whether this later state of the object holds the write; default: applying it once more changes nothing */
  holds?: ((object: T) => boolean) | undefined;
  pause?: Pause | undefined;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** A webhook that cannot be called answers 500 each time; more tries than this are no use to this one object. */
const TRIES_AFTER_SERVER_ERRORS = 5;

/**
 * Writes a change of one object: a JSON merge patch from `before` to `after` that carries resourceVersion and uid
 * of `before`, so that it is refused where somebody else was first. An answer that got lost is made up for by
 * reading the object, never by sending blindly again; sending again after that read is safe, because the version
 * of `before` lets the server take the write only once.
 *
 * Rejects with ApiError where the user may not do this (the message names the rule that is missing), where the
 * credentials are not accepted, and where the server stays overloaded (429).
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
  const path = apiPath(resource, namespace, name);
  const written = options.subresource === undefined ? path : `${path}/${options.subresource}`;
  const patch = withPreconditions(change as Record<string, unknown>, { resourceVersion, uid });
  const holds = options.holds ?? ((object: T) => deepEqual(applyMergePatch(object, change), object));
  const pause = options.pause ?? realPause;
  const patience = options.patience ?? 60_000;

  let waited = 0;
  let nextPause = FIRST_PAUSE;
  let serverErrors = 0;
  const wait = async (error: ApiError): Promise<boolean> => {
    if (options.signal?.aborted || waited >= patience) return false;
    const length = Math.max(nextPause, (error.retryAfter ?? 0) * 1000);
    nextPause = Math.min(nextPause * 2, LONGEST_PAUSE);
    waited += length;
    await pause(length, options.signal);
    return !options.signal?.aborted;
  };

  for (let mayHaveActed = false; ;) {
    let failure: ApiError;
    try {
      const object = await server.patch<T>(written, patch, { dryRun: options.dryRun ?? false });
      return { result: 'written', object };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure = error;
    }

    if (failure.status === 404) return { result: 'gone' };
    if (failure.status === 429) {
      if (await wait(failure)) continue;
      if (options.signal?.aborted) return { result: 'refused', message: failure.message };
      throw failure;
    }
    if (failure.status === 403 && !isDenial(failure))
      throw forbidden(failure, resource, namespace, options.subresource);
    if (failure.status === 401) throw failure;
    if (isRefusal(failure)) return { result: 'refused', message: failure.message };

    const conflict = failure.status === 409;
    if (!conflict) mayHaveActed = true;
    const found = await read<T>(server, path, wait);
    if (found === 'gone') return { result: 'gone' };
    if (found instanceof ApiError) return { result: 'unknown', message: found.message };
    if (found.metadata.resourceVersion !== resourceVersion || found.metadata.uid !== uid) {
      // Only a write whose answer was lost can be there in spite of an error.
      const written = mayHaveActed && options.dryRun !== true && found.metadata.uid === uid && holds(found);
      return { result: written ? 'written' : 'conflict', object: found };
    }
    // The object is still as it was before. The server may yet take the write that it did not answer; whichever of the two
    // comes second is refused for its version.
    if (conflict) return { result: 'conflict', object: found };
    if (failure.status >= 500 && ++serverErrors >= TRIES_AFTER_SERVER_ERRORS)
      return { result: 'refused', message: failure.message };
    if (!(await wait(failure))) return { result: 'unknown', message: failure.message };
  }
}

/** The object's newest state, tried until the caller does not want to wait any longer; then the last error. */
async function read<T>(
  server: ApiServer,
  path: string,
  wait: (error: ApiError) => Promise<boolean>,
): Promise<T | 'gone' | ApiError> {
  for (;;) {
    try {
      return await server.get<T>(path);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return 'gone';
      if (error.status === 401 || error.status === 403 || !(await wait(error))) return error;
    }
  }
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

/** Authorization and admission both answer 403; only admission speaks of a denied request. */
function isDenial(error: ApiError): boolean {
  return /denied the request/.test(error.message);
}

/** Answers that the same request would meet again: 400, 413, 415, 422, denials. */
function isRefusal(error: ApiError): boolean {
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 409;
}

function forbidden(
  error: ApiError,
  { group: apiGroup, resource }: ApiResource,
  namespace: string | undefined,
  subresource: string | undefined,
): ApiError {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const group = apiGroup === '' ? '""' : apiGroup;
  const resources = subresource === undefined ? resource : `${resource}/${subresource}`;
  return new ApiError(
    `${error.message}; needed: apiGroups [${group}], resources [${resources}], verbs [get patch]${where}`,
    { status: error.status, reason: error.reason, cause: error },
  );
}
