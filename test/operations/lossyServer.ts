import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';

/** The fault of a request: whether the server has acted when the response is an error, or lost (status 0). */
export interface Mishap {
  verb: 'get' | 'create' | 'patch' | 'apply' | 'delete';
  when: 'before' | 'after';
  status?: number;
  message?: string;
  /** another client's action after it */
  then?: () => void;
}

/** The server, with faults for the next requests of a verb, one after another. */
export function lossyServer(server: ApiServer, mishaps: Mishap[]): ApiServer {
  const left = [...mishaps];
  async function request<T>(verb: Mishap['verb'], act: () => Promise<T>): Promise<T> {
    const at = left.findIndex((one) => one.verb === verb);
    if (at < 0) return act();
    const [{ when, status = 0, message = 'socket hang up', then }] = left.splice(at, 1) as [Mishap];
    if (when === 'after') await act();
    then?.();
    throw new ApiError(message, { status, reason: status === 0 ? 'ECONNRESET' : 'InternalError' });
  }
  return {
    ...server,
    get: (path, options) => request('get', () => server.get(path, options)),
    create: (path, object, options) => request('create', () => server.create(path, object, options)),
    patch: (path, patch, options) => request('patch', () => server.patch(path, patch, options)),
    apply: (path, object, options) => request('apply', () => server.apply(path, object, options)),
    delete: (path, options) => request('delete', () => server.delete(path, options)),
  };
}
