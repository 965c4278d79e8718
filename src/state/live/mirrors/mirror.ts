import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { Changed } from '../../../karmada/controllers/write.ts';
import type { ApiServer, Query } from '../apiServer.ts';

/**
 * A copy of one kind of objects that follows the API server. It lists, then watches; it resumes from bookmarks,
 * relists after 410, and reconnects (with growing pauses) after resets and restarts.
 */
export interface Mirror<T = KubernetesObject> {
  /** by "namespace/name", or "name" for cluster-scoped kinds; the newest state seen */
  readonly objects: ReadonlyMap<string, T>;
  /** resolves after the first list; rejects if the kind cannot be listed (forbidden, not served) */
  readonly synced: Promise<void>;
  /** when the server fell silent, in epoch milliseconds; undefined while it responds */
  staleSince(): number | undefined;
  /** why the latest attempt to follow failed; undefined if it did not */
  failure?(): unknown;
  /** when the server last answered, in epoch milliseconds of the local clock */
  heardAt(): number;
  /** Records an object returned by our own write, unless the watch has shown a newer one. */
  observe(object: T): void;
  stop(): void;
}

export type MirrorListener<T = KubernetesObject> = (change: Changed<T>) => void;

/** Starts to follow the objects at a path of the API. */
export type OpenMirror = <T extends KubernetesObject>(
  server: Pick<ApiServer, 'list' | 'watch'>,
  path: string,
  options?: {
    signal?: AbortSignal;
    listener?: MirrorListener<T>;
    query?: Query;
    withoutBookmarks?: boolean;
    managedFields?: boolean;
  },
) => Mirror<T>;
