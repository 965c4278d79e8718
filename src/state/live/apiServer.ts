import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { Sharing } from '../schema/sharing.ts';
import type { TypedObjects } from './typedObjects.ts';

/** Query parameters by the API's names; undefined ones are omitted. */
export type Query = Record<string, string | number | boolean | undefined>;

export interface RequestOptions {
  query?: Query | undefined;
  /** aborts the request, which then rejects with the signal's reason */
  signal?: AbortSignal | undefined;
  /** media types to accept; default: JSON */
  accept?: string | undefined;
  /** called right before each try is sent; if it throws, the request ends with that error */
  beforeSent?: (() => void) | undefined;
}

export interface ListOptions extends RequestOptions {
  /** objects per page; default 500, as kubectl */
  pageSize?: number;
  /** gets the objects of each page as soon as it is parsed; the returned list then has none */
  onPage?: (objects: KubernetesObject[]) => void;
  /** ends after the page with this object; absent: all */
  most?: number | undefined;
  /** called if the list has to restart: discard the pages so far */
  onRestart?: () => void;
  /** requests only metadata; the objects then have the kind PartialObjectMetadata */
  metadataOnly?: boolean;
  /** keeps managedFields, which are removed otherwise */
  managedFields?: boolean | undefined;
  /** shares equal parts of the objects with those of other requests; no effect on pages */
  sharing?: Sharing;
}

export interface WatchOptions extends RequestOptions {
  /** keeps managedFields, which are removed otherwise */
  managedFields?: boolean | undefined;
  /** called when the server has accepted the watch; the first event may come much later */
  opened?: (() => void) | undefined;
  /** shares equal parts of the objects with those of other requests */
  sharing?: Sharing;
}

/** The contents of a list: its objects with apiVersion and kind filled in, and the version to watch from. */
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
  /** writes the status, which the API separates from spec and metadata */
  subresource?: 'status' | undefined;
  /** the manager in managedFields; default: the server derives it from the User-Agent */
  fieldManager?: string | undefined;
}

export interface ApplyOptions extends WriteOptions {
  fieldManager: string;
  /** takes the conflicting fields from their managers */
  force?: boolean | undefined;
  /** the server's handling of unknown fields; default: a warning */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

export interface DeleteOptions extends RequestOptions {
  /** sends dryRun=All: nothing is deleted */
  dryRun?: boolean | undefined;
  /** the object is deleted only if it has this uid and version; else status 409 */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
  /** the deletion of its dependents; the default depends on the kind, mostly Background */
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
}

/** An action that a user may or may not be allowed to take. */
interface Access {
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  /** "" for the core group */
  group: string;
  resource: string;
  /** absent: in all namespaces */
  namespace?: string;
}

/**
 * The client of an API server: raw JSON over HTTPS, authenticated as in the kubeconfig. Paths are those of the API:
 * "/apis/work.karmada.io/v1alpha2/resourcebindings".
 *
 * Reads are retried after resets, 429 and 5xx, as long as the request timeout allows. Writes are retried only if the
 * server cannot have acted on them (refused connection, 429 with Retry-After). All reject with ApiError.
 *
 * Objects of kinds that decisions read are checked against their kind; if one does not fit, the ApiError has the reason
 * BrokenObject. Pages are not checked: their receiver checks what it keeps.
 */
export interface ApiServer {
  /** for messages: "https://10.0.0.1:6443" */
  readonly url: string;
  /** name of the kubeconfig context, if any */
  readonly context?: string | undefined;
  /** the context's namespace, if it has one */
  readonly namespace?: string | undefined;
  /** the server's clock in epoch milliseconds, by its newest Date header; before its first answer, the local clock */
  now(): number;
  /** receives anomalies of answers; absent: ignored */
  readonly warn?: ((text: string) => void) | undefined;
  get<T = unknown>(path: string, options?: RequestOptions): Promise<T>;
  /** All pages; restarts if the continue token has expired (410). */
  list(path: string, options?: ListOptions): Promise<ObjectList>;
  /**
   * One watch connection with bookmarks, from a version on. Ends when the server closes it; rejects with an ApiError
   * of status 410 if the version is too old. `mirror` builds on it and handles both.
   */
  watch(path: string, resourceVersion: string, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /**
   * JSON merge patch. The patch includes metadata.resourceVersion (and uid), so that the server refuses a stale one
   * with status 409.
   */
  patch<T = KubernetesObject>(path: string, mergePatch: unknown, options?: WriteOptions): Promise<T>;
  create<T = KubernetesObject>(path: string, object: unknown, options?: WriteOptions): Promise<T>;
  /**
   * Server-side apply: the object gets the fields of `object`, and loses those that this manager applied before and now
   * omits; if it does not exist, it is created. Changes to fields that others manage are conflicts: an ApiError of
   * status 409, which `fieldConflicts` reads. A uid or resourceVersion in its metadata is a precondition.
   */
  apply<T = KubernetesObject>(path: string, object: unknown, options: ApplyOptions): Promise<T>;
  /**
   * Deletes one object. If it has finalizers or dependents to wait for, resolves with the object, which then has a
   * deletionTimestamp; if it is gone, with the server's Status or the deleted object.
   */
  delete<T = KubernetesObject>(path: string, options?: DeleteOptions): Promise<T>;
  /** Asks with a SelfSubjectAccessReview. True if the review itself fails: then the request itself will show. */
  can(access: Access): Promise<boolean>;
  /** Typed access to Leases and Events; loaded at the first call. */
  typed(): Promise<TypedObjects>;
  /** Closes idle connections. */
  close(): void;
}
