import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { TypedObjects } from './typedObjects.ts';

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
  dryRun?: boolean | undefined;
  /** writes the status, which specs and metadata are written apart from */
  subresource?: 'status' | undefined;
  /** whom managedFields name as the writer; default: what the server takes from the User-Agent */
  fieldManager?: string | undefined;
}

export interface ApplyOptions extends WriteOptions {
  fieldManager: string;
  /** takes the fields in conflict away from their managers */
  force?: boolean | undefined;
  /** what the server does with fields that it does not know; default: what the server does, which is to warn */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

export interface DeleteOptions extends RequestOptions {
  /** sends dryRun=All: nothing is deleted */
  dryRun?: boolean | undefined;
  /** the object is left alone, with status 409, unless it is this very one in this very version */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
  /** what becomes of the objects that it owns; default: what the kind says, mostly Background */
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
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
 * Reads are repeated after resets, 429 and 5xx, as long as the request timeout allows; writes only if the
 * server cannot have acted on them (refused connection, 429 with Retry-After). All reject with ApiError.
 */
export interface ApiServer {
  /** for messages: "https://10.0.0.1:6443" */
  readonly url: string;
  /** name of the kubeconfig context, if there is one */
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
  /**
   * Server-side apply: the object gets the fields of `object`, and loses those that this manager applied before and
   * does not apply now; it is created if it is not there. Fields that others manage and that would change are
   * conflicts: an ApiError of status 409, which `fieldConflicts` reads. A uid or resourceVersion in its metadata is a
   * precondition.
   */
  apply<T = KubernetesObject>(path: string, object: unknown, options: ApplyOptions): Promise<T>;
  /**
   * Deletes one object. Resolves with the object, if it has finalizers or dependents to wait for (it has a
   * deletionTimestamp then); with the server's Status, or what was deleted, if it is gone.
   */
  delete<T = KubernetesObject>(path: string, options?: DeleteOptions): Promise<T>;
  /** SelfSubjectAccessReview; true if the server cannot be asked, because the request itself will tell then. */
  can(access: Access): Promise<boolean>;
  /** Leases and Events by their types; what that takes is loaded when it is first asked for. */
  typed(): Promise<TypedObjects>;
  /** Closes idle connections. */
  close(): void;
}
