import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Pause } from '../pause.ts';
import { graceAfter, createRetryPauses } from '../retries.ts';

/**
 * Retries until there is an answer, even "forbidden" or "not found"; undefined if the signal aborts first. `ask` must
 * read through the server it is given, so that its reads end within two seconds of a stop.
 *
 * Rejects with the last ApiError if no answer arrives within a minute.
 */
export async function untilAnswered<T>(
  server: ApiServer,
  ask: (server: ApiServer) => Promise<T>,
  { pause, stop }: { pause: Pause; stop: AbortSignal },
): Promise<T | undefined> {
  const again = createRetryPauses({ pause, signal: stop });
  const grace = graceAfter(stop, pause);
  const { signal } = grace;
  const ending: ApiServer = {
    ...server,
    get: (path, options) => server.get(path, { signal, ...options }),
    list: (path, options) => server.list(path, { signal, ...options }),
  };
  try {
    while (!stop.aborted)
      try {
        return await ask(ending);
      } catch (error) {
        if (stop.aborted) break;
        if (!(error instanceof ApiError) || !isTransient(error) || !((await again(error)) || stop.aborted))
          throw error;
      }
    return undefined;
  } finally {
    grace.release();
  }
}

/** The object at a path; undefined if there is none. */
export async function foundAt<T>(server: ApiServer, path: string): Promise<T | undefined> {
  try {
    return await server.get<T>(path);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether a retry may succeed: there was no answer, an overload, or a server error. */
export function isTransient({ status }: ApiError): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
