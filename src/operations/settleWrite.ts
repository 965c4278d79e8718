import type { ObjectMeta } from '../karmada/api/meta.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { ApiResource } from '../state/live/resources.ts';
import { pause as realPause, type Pause } from './pause.ts';

/** An object as the server stores it; that bindings and Clusters may lack their kind does not matter here. */
export interface StoredObject {
  kind?: string;
  metadata: ObjectMeta;
}

/**
 * Ends that any write may come to.
 * refused: the server does not want it (invalid, a webhook's denial, a webhook out of order); `message` says why.
 * unknown: the server does not answer, so whether it has the write is not known; only after an abort or `patience`.
 */
export interface Unwritten {
  result: 'refused' | 'unknown';
  message: string;
}

export interface SettleOptions {
  /** sends dryRun=All; an outcome is then what the server would do */
  dryRun?: boolean | undefined;
  /** ends pauses, never a request under way: a write that was sent is always followed up by a read */
  signal?: AbortSignal | undefined;
  /** milliseconds for which an unreachable or overloaded server is tried again; default 60,000 */
  patience?: number | undefined;
  pause?: Pause | undefined;
}

/** One write of one object, and what follows from answers to it. */
export interface SettledWrite<T, R> {
  /** of the object, to read it */
  path: string;
  /** for the error that says which right is missing */
  needed: {
    resource: ApiResource;
    namespace: string | undefined;
    subresource?: string | undefined;
    verbs: string;
  };
  send(): Promise<R>;
  /** what an error settles by itself; `mayHaveActed`: an earlier try may have been taken */
  answered(failure: ApiError, mayHaveActed: boolean): R | undefined;
  /**
   * What the object settles that was read after an answer that leaves it open; undefined: it may be sent again.
   * `conflict`: the server has said 409.
   */
  found(
    object: T | 'gone',
    state: { conflict: boolean; mayHaveActed: boolean },
  ): R | undefined | Promise<R | undefined>;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** A webhook that cannot be called answers 500 each time; more tries than this are no use to this one object. */
const TRIES_AFTER_SERVER_ERRORS = 5;

/**
 * Sends a write until it is known what became of it. An answer that got lost is made up for by reading the object, never
 * by sending blindly again; the write must be one that is safe to send again after that read.
 *
 * Rejects with ApiError if the user may not do this (the message names the rule that is missing), if the credentials are
 * not accepted, and if the server stays overloaded (429).
 */
export async function settleWrite<T, R>(
  server: ApiServer,
  write: SettledWrite<T, R>,
  options: SettleOptions,
): Promise<R | Unwritten> {
  const wait = waiting(options);
  let serverErrors = 0;
  for (let mayHaveActed = false; ;) {
    let failure: ApiError;
    try {
      return await write.send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure = error;
    }

    const known = write.answered(failure, mayHaveActed);
    if (known !== undefined) return known;
    if (failure.status === 429) {
      if (await wait(failure)) continue;
      if (options.signal?.aborted) return { result: 'refused', message: failure.message };
      throw failure;
    }
    if (failure.status === 403 && !isDenial(failure)) throw forbidden(failure, write.needed);
    if (failure.status === 401) throw failure;
    if (isRefusal(failure)) return { result: 'refused', message: failure.message };

    const conflict = failure.status === 409;
    if (!conflict) mayHaveActed = options.dryRun !== true;
    const object = await read<T>(server, write.path, wait);
    if (object instanceof ApiError) return { result: 'unknown', message: object.message };
    const settled = await write.found(object, { conflict, mayHaveActed });
    if (settled !== undefined) return settled;
    if (failure.status >= 500 && ++serverErrors >= TRIES_AFTER_SERVER_ERRORS)
      return { result: 'refused', message: failure.message };
    if (!(await wait(failure))) return { result: 'unknown', message: failure.message };
  }
}

/** The object's newest state, tried for as long as a write would be. Rejects with the last error. */
export async function readSettled<T>(
  server: ApiServer,
  path: string,
  options: SettleOptions,
): Promise<T | 'gone'> {
  const object = await read<T>(server, path, waiting(options));
  if (object instanceof ApiError) throw object;
  return object;
}

type Wait = (error: ApiError) => Promise<boolean>;

/** Pauses before the next try, longer each time; false if there is to be none. */
function waiting({ signal, patience = 60_000, pause = realPause }: SettleOptions): Wait {
  let waited = 0;
  let nextPause = FIRST_PAUSE;
  return async (error) => {
    if (signal?.aborted || waited >= patience) return false;
    const length = Math.max(nextPause, (error.retryAfter ?? 0) * 1000);
    nextPause = Math.min(nextPause * 2, LONGEST_PAUSE);
    waited += length;
    await pause(length, signal);
    return !signal?.aborted;
  };
}

/** The object's newest state, tried until the caller does not want to wait any longer; then the last error. */
async function read<T>(server: ApiServer, path: string, wait: Wait): Promise<T | 'gone' | ApiError> {
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
  {
    resource: { group: apiGroup, resource },
    namespace,
    subresource,
    verbs,
  }: SettledWrite<unknown, unknown>['needed'],
): ApiError {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const group = apiGroup === '' ? '""' : apiGroup;
  const resources = subresource === undefined ? resource : `${resource}/${subresource}`;
  return new ApiError(
    `${error.message}; needed: apiGroups [${group}], resources [${resources}], verbs [${verbs}]${where}`,
    { status: error.status, reason: error.reason, cause: error },
  );
}
