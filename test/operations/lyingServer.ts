import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { ApiServer, WriteOptions } from '../../src/state/live/apiServer.ts';

/** The misbehaviour of an API server towards its writers. */
export type Lie =
  | 'returns conflicts'
  | 'changes the version at every read'
  | 'is overloaded'
  | 'sometimes fails'
  | 'fails'
  | 'ignores writes and loses its responses'
  | 'executes writes and loses its responses'
  | 'answers reads from a stale cache'
  | 'returns 200 without a change'
  | 'never answers writes';

/** The number of requests. */
export interface Counted {
  /** by path */
  readonly writes: ReadonlyMap<string, number>;
  /** by path, with dry runs */
  readonly reads: ReadonlyMap<string, number>;
}

/** The server, which lies about the objects with matching paths; every request is counted. */
export function lyingServer(
  server: ApiServer,
  lie: Lie,
  { about = /./, touch }: { about?: RegExp; touch?: (path: string) => void } = {},
): { server: ApiServer; counted: Counted } {
  const writes = new Map<string, number>();
  const reads = new Map<string, number>();
  const cache = new Map<string, unknown>();
  let version = 1_000_000;

  async function read<T>(path: string, act: () => Promise<T>): Promise<T> {
    count(reads, path);
    if (!about.test(path)) return act();
    if (lie === 'answers reads from a stale cache') {
      if (!cache.has(path)) cache.set(path, await act());
      return cache.get(path) as T;
    }
    if (lie !== 'changes the version at every read') return act();
    const object = (await act()) as KubernetesObject;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } } as T;
  }

  async function write<T>(
    path: string,
    { signal: given, dryRun = false }: WriteOptions,
    act: () => Promise<unknown>,
  ): Promise<T> {
    // a dry run stores nothing
    const sent = count(dryRun ? reads : writes, path);
    if (!about.test(path)) return (await act()) as T;
    switch (lie) {
      case 'returns conflicts':
      case 'changes the version at every read':
        throw new ApiError('the object has been modified', { status: 409, reason: 'Conflict' });
      case 'is overloaded':
        throw new ApiError('too many requests', { status: 429, reason: 'TooManyRequests', retryAfter: 60 });
      case 'fails':
        throw new ApiError('oops', { status: 500, reason: 'InternalError' });
      case 'sometimes fails':
        if (sent <= 3) throw new ApiError('oops', { status: 503, reason: 'ServiceUnavailable' });
        break;
      case 'ignores writes and loses its responses':
        throw new ApiError('socket hang up', { status: 0, reason: 'ECONNRESET' });
      case 'executes writes and loses its responses':
        if (dryRun) break;
        await act();
        throw new ApiError('socket hang up', { status: 0, reason: 'ECONNRESET' });
      case 'answers reads from a stale cache':
        touch?.(path);
        break;
      case 'returns 200 without a change':
        return server.get<T>(path);
      case 'never answers writes':
        return new Promise((_, reject) => {
          const end = (): void => reject(given?.reason as Error);
          if (given?.aborted) end();
          else given?.addEventListener('abort', end);
        });
    }
    return (await act()) as T;
  }

  return {
    counted: { writes, reads },
    server: {
      ...server,
      get: <T>(path: string, options?: object) => read(path, () => server.get<T>(path, options)),
      list(path, options) {
        count(reads, path);
        return server.list(path, options);
      },
      patch: (path, patch, options = {}) => write(path, options, () => server.patch(path, patch, options)),
      create: (path, object, options = {}) =>
        write(path, options, () => server.create(path, object, options)),
      apply: (path, object, options) => write(path, options, () => server.apply(path, object, options)),
      delete: (path, options = {}) => write(path, options, () => server.delete(path, options)),
    },
  };
}

function count(counts: Map<string, number>, path: string): number {
  const now = (counts.get(path) ?? 0) + 1;
  counts.set(path, now);
  return now;
}
