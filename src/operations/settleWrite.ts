import type { ObjectMeta } from '../karmada/api/meta.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { BROKEN_OBJECT } from '../state/live/brokenObject.ts';
import { isMissingRight } from '../state/live/missingRight.ts';
import type { ApiResource } from '../state/live/resources.ts';
import { pause as realPause, type Pause } from './pause.ts';
import { graceAfter, MAX_TRIES, createRetryPauses } from './retries.ts';

/** An object as the server stores it; its kind may be missing, as in typed bindings and Clusters. */
export interface StoredObject {
  kind?: string;
  metadata: ObjectMeta;
}

/**
 * Failures of any write. refused: the server does not accept it (invalid, denied by a webhook, failing webhook, or
 * overloaded each time, which a webhook can report for one object); `message` says why. unknown: the server does not
 * answer, so the write may or may not have been made; only after an abort or `patience`.
 */
export interface Unwritten {
  result: 'refused' | 'unknown';
  message: string;
}

export interface SettleOptions {
  /** sends dryRun=All: the outcome is what the server would do */
  dryRun?: boolean | undefined;
  /** ends pauses at once, and a request in progress a little later, so that most writes are still settled */
  signal?: AbortSignal | undefined;
  /** milliseconds for which to retry an unreachable or overloaded server; default `PATIENCE` */
  patience?: number | undefined;
  pause?: Pause | undefined;
}

/** One write of one object, and how to interpret each answer. */
interface SettledWrite<T, R> {
  /** the object's path, for reading it */
  path: string;
  /** the permission for the write, for the error if it is missing */
  needed: {
    resource: ApiResource;
    namespace: string | undefined;
    subresource?: string | undefined;
    verbs: string;
  };
  send(signal: AbortSignal): Promise<R>;
  /** ends requests at once, with its reason */
  abandon?: AbortSignal | undefined;
  /** the outcome, if the error alone decides it; `mayHaveActed`: the server may have accepted an earlier try */
  answered(failure: ApiError, mayHaveActed: boolean): R | undefined;
  /**
   * The outcome by the object, which is read after an inconclusive answer; undefined: send the write again.
   * `conflict`: the server answered 409.
   */
  found(
    object: T | 'gone',
    state: { conflict: boolean; mayHaveActed: boolean },
  ): R | undefined | Promise<R | undefined>;
}

/**
 * Sends a write until its outcome is known. If an answer is lost, it reads the object and never blindly sends again;
 * the write must be safe to send again after that read.
 *
 * Rejects with ApiError if the user may not do this (the message names the missing rule) or the credentials are
 * rejected. Once the signal has aborted, it ends within two seconds.
 */
export async function settleWrite<T, R>(
  server: ApiServer,
  write: SettledWrite<T, R>,
  options: SettleOptions,
): Promise<R | Unwritten> {
  const grace = graceAfter(options.signal, options.pause ?? realPause, write.abandon);
  try {
    return await settle(server, write, options, grace.signal);
  } catch (error) {
    if (!grace.signal.aborted || write.abandon?.aborted) throw error;
    return {
      result: 'unknown',
      message: 'stopped before the API server answered; unknown whether it has the change',
    };
  } finally {
    grace.release();
  }
}

async function settle<T, R>(
  server: ApiServer,
  write: SettledWrite<T, R>,
  options: SettleOptions,
  requests: AbortSignal,
): Promise<R | Unwritten> {
  const wait = createRetryPauses(options);
  let unexpected = 0;
  for (let mayHaveActed = false; ;) {
    let failure: ApiError;
    try {
      return await write.send(requests);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure = error;
    }

    const known = write.answered(failure, mayHaveActed);
    if (known !== undefined) return known;
    if (failure.status === 429) {
      if (await wait(failure)) continue;
      return { result: 'refused', message: failure.message };
    }
    if (failure.status === 403 && isMissingRight(failure.message)) throw forbidden(failure, write.needed);
    if (failure.status === 401) throw failure;
    if (isRefusal(failure)) return { result: 'refused', message: failure.message };

    const conflict = failure.status === 409;
    if (!conflict) mayHaveActed = options.dryRun !== true;
    const object = await read<T>(server, write.path, wait, requests);
    if (object instanceof ApiError) return { result: 'unknown', message: object.message };
    const settled = await write.found(object, { conflict, mayHaveActed });
    if (settled !== undefined) return settled;
    // a webhook that cannot be called returns 500 each time: more retries do not help this object
    if (isUnexpected(failure) && ++unexpected >= MAX_TRIES)
      return { result: 'refused', message: failure.message };
    if (!(await wait(failure))) return { result: 'unknown', message: failure.message };
  }
}

/** Reads the object's newest state, with the retries of a write. Rejects with the last error. */
export async function readSettled<T>(
  server: ApiServer,
  path: string,
  options: SettleOptions,
): Promise<T | 'gone'> {
  const object = await read<T>(server, path, createRetryPauses(options), options.signal);
  if (object instanceof ApiError) throw object;
  return object;
}

type Wait = ReturnType<typeof createRetryPauses>;

/** Reads the object's newest state until `wait` gives up, then returns the last error. */
async function read<T>(
  server: ApiServer,
  path: string,
  wait: Wait,
  signal: AbortSignal | undefined,
): Promise<T | 'gone' | ApiError> {
  for (;;) {
    try {
      return await server.get<T>(path, { signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return 'gone';
      if (error.status === 401 || error.status === 403 || !(await wait(error))) return error;
    }
  }
}

/** Answers that a retry would not change: 400, 413, 415, 422, denials. */
function isRefusal(error: ApiError): boolean {
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 409;
}

/** Answers from a reachable server that are not about the write itself. */
function isUnexpected({ status, reason }: ApiError): boolean {
  return status >= 500 || reason === ANOTHER_OBJECT || reason === BROKEN_OBJECT;
}

/** The reason of errors for an answer about a different object than requested. */
const ANOTHER_OBJECT = 'AnotherObject';

/** Throws an ApiError unless the answer is about the written object: proxies and caches can mix up answers. */
export function assertSame(wanted: ObjectMeta, { metadata }: StoredObject): void {
  for (const field of ['namespace', 'name', 'uid'] as const) {
    const [asked, got] = [wanted[field], metadata[field]];
    if (asked === undefined || asked === got) continue;
    throw new ApiError(
      `the answer is about another object: its ${field} is ${got ?? 'missing'}, not ${asked}; is there a proxy in between?`,
      { status: 0, reason: ANOTHER_OBJECT },
    );
  }
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
