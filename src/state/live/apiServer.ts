import type { KubernetesObject } from '../../karmada/api/meta.ts';

/** Query parameters as the API names them; undefined ones are left out. */
export type Query = Record<string, string | number | boolean | undefined>;

export interface RequestOptions {
  query?: Query | undefined;
  /** ends the request; it then rejects with the signal's reason */
  signal?: AbortSignal | undefined;
  /** media types to ask for; default: JSON */
  accept?: string | undefined;
}

export interface ListOptions extends RequestOptions {
  /** objects per page; default 500, as kubectl */
  pageSize?: number;
  /** is given each page's objects as soon as it is parsed; the list keeps none of them then */
  onPage?: (objects: KubernetesObject[]) => void;
  /** the list cannot go on and begins again: the pages given so far count no more */
  onRestart?: () => void;
  /** asks for metadata alone; the objects then say that they are PartialObjectMetadata */
  metadataOnly?: boolean;
}

export interface WatchOptions extends RequestOptions {
  /** called when the server has accepted the watch; events may be long in coming */
  opened?: (() => void) | undefined;
}

/** What a list holds: its objects with apiVersion and kind filled in, and the version to watch from. */
export interface ObjectList {
  items: KubernetesObject[];
  resourceVersion: string;
}

export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject }
  | { type: 'BOOKMARK'; resourceVersion: string };

export interface WriteOptions extends RequestOptions {
  /** sends dryRun=All: admitted and validated by the server, not stored */
  dryRun?: boolean;
}

/** What an API server allows the user to do, by the question asked. */
export interface Access {
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  /** "" for the core group */
  group: string;
  resource: string;
  /** absent: in all namespaces */
  namespace?: string;
}

/**
 * An API server as this tool talks to it: raw JSON over HTTPS, authenticated as the kubeconfig says. Paths are
 * those of the API: "/apis/work.karmada.io/v1alpha2/resourcebindings".
 *
 * Reads are repeated after resets, 429 and 5xx, as long as the request timeout allows; writes only where the
 * server cannot have acted on them (refused connection, 429 with Retry-After). All reject with ApiError.
 */
export interface ApiServer {
  /** for messages: "https://10.0.0.1:6443" */
  readonly url: string;
  /** name of the kubeconfig context, where there is one */
  readonly context?: string | undefined;
  /** the context's namespace, where it names one */
  readonly namespace?: string | undefined;
  /** the server's clock: epoch milliseconds, from the Date header of its newest answer; local before the first */
  now(): number;
  get<T = unknown>(path: string, options?: RequestOptions): Promise<T>;
  /** All pages; begins again when the continue token has expired (410). */
  list(path: string, options?: ListOptions): Promise<ObjectList>;
  /**
   * One watch connection with bookmarks, from a version on. Ends when the server closes it; rejects with an
   * ApiError of status 410 where the version is too old. `mirror` builds on it and survives both.
   */
  watch(path: string, resourceVersion: string, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /**
   * JSON merge patch. The patch carries metadata.resourceVersion (and uid), so a stale one is refused with
   * status 409.
   */
  patch<T = KubernetesObject>(path: string, mergePatch: unknown, options?: WriteOptions): Promise<T>;
  create<T = KubernetesObject>(path: string, object: unknown, options?: WriteOptions): Promise<T>;
  /** SelfSubjectAccessReview; true where the server cannot be asked, because the request itself will tell then. */
  can(access: Access): Promise<boolean>;
  /** Closes idle connections. */
  close(): void;
}
