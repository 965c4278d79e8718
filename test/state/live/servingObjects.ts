import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer, ListOptions, WatchEvent } from '../../../src/state/live/apiServer.ts';
import { CHECKED_KINDS, STATE_KINDS } from '../../../src/state/live/stateKinds.ts';
import { ObjectStore, placeOf } from './objectStore.ts';

type Fields = Record<string, unknown>;

export interface ServingOptions {
  /** "works.work.karmada.io": lists that are refused */
  forbidden?: string[];
  /** "clustertaintpolicies.policy.karmada.io": writes that are refused */
  readOnly?: string[];
  /** "clusters.cluster.karmada.io": writes that are answered without effect */
  reverted?: string[];
  /** groups that are not served */
  absent?: string[];
  /** epoch milliseconds */
  now?: number;
  /** paths of documents besides lists and discovery */
  documents?: Record<string, unknown>;
  /** lists whose continue token expires after the first page, once */
  expiring?: string[];
  pageSize?: number;
}

export interface ServingObjects extends ApiServer {
  /** the current objects, after writes */
  readonly store: ObjectStore;
  /** each write: verb and path, dry runs marked */
  readonly writes: string[];
  /** path of each request, metadata-only lists marked */
  readonly requests: string[];
}

const PLURALS = new Map([...STATE_KINDS, ...CHECKED_KINDS].map(({ kind, resource }) => [kind, resource]));

/** An API server that serves these objects, and accepts writes of them. */
export function servingObjects(objects: KubernetesObject[], options: ServingOptions = {}): ServingObjects {
  const requests: string[] = [];
  const expiring = new Set(options.expiring);
  const plural = (kind: string) => PLURALS.get(kind) ?? `${kind.toLowerCase()}s`;
  const root = (apiVersion: string) =>
    apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const now = () => options.now ?? Date.parse('2026-09-01T10:00:00.250Z');
  const store = new ObjectStore({ objects, plural, now });
  const writes: string[] = [];

  function write<T>(
    verb: 'create' | 'patch' | 'apply' | 'delete',
    path: string,
    dryRun: boolean | undefined,
    act: () => unknown,
  ): Promise<T> {
    writes.push(`${verb} ${path}${dryRun ? ' (dry run)' : ''}`);
    const { apiVersion, resource } = placeOf(path);
    const name = nameOf(apiVersion, resource);
    if (options.readOnly?.includes(name)) return Promise.reject(forbidden(name, verb, resource));
    if (options.reverted?.includes(name)) return Promise.resolve(store.get(path) as T);
    // an error of the store is the response
    return Promise.resolve().then(act) as Promise<T>;
  }

  function discovery(path: string): unknown {
    const kinds = new Map(
      store
        .all()
        .filter(({ apiVersion }) => root(apiVersion) === path)
        .map((object) => [object.kind, object]),
    );
    if (kinds.size === 0) return undefined;
    return {
      kind: 'APIResourceList',
      resources: [...kinds.values()].flatMap(({ kind, metadata }) => [
        {
          name: plural(kind),
          kind,
          namespaced: Boolean(metadata.namespace),
          verbs: ['get', 'list', 'watch'],
        },
        { name: `${plural(kind)}/status`, kind, namespaced: Boolean(metadata.namespace), verbs: ['get'] },
      ]),
    };
  }

  return {
    url: 'https://karmada.example:5443',
    context: 'karmada',
    requests,
    now,
    store,
    writes,
    get<T>(path: string): Promise<T> {
      requests.push(path);
      const document = options.documents?.[path] ?? discovery(path);
      if (document !== undefined) return Promise.resolve(document as T);
      if (/^\/apis?\/.+\/[a-z]+\/[^/]+$/.test(path))
        return Promise.resolve().then(() => store.get(path) as T);
      return Promise.reject(new ApiError(`${path} is not served`, { status: 404, reason: 'NotFound' }));
    },
    list(path: string, { onPage, onRestart, metadataOnly, query }: ListOptions = {}) {
      requests.push(`${path}${metadataOnly ? ' (metadata)' : ''}`);
      const { apiVersion, namespace, resource } = placeOf(path);
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
      const name = nameOf(apiVersion, resource);
      if (options.forbidden?.includes(name)) return Promise.reject(forbidden(name, 'list', resource));
      if (options.absent?.includes(group))
        return Promise.reject(new ApiError(`${path} is not served`, { status: 404, reason: 'NotFound' }));
      if (query?.['labelSelector']) throw new Error('label selectors are not in this fake');
      const items = store
        .all()
        .filter((object) => object.apiVersion === apiVersion && plural(object.kind) === resource)
        .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
        .filter((object) => isSelected(object, query?.['fieldSelector']))
        .map((object) => structuredClone(object))
        .map(({ metadata, ...rest }) =>
          metadataOnly
            ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }
            : { ...rest, metadata },
        );
      if (!onPage) return Promise.resolve({ items, resourceVersion: '1' });
      const size = options.pageSize ?? 3;
      const pages = Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
        items.slice(page * size, (page + 1) * size),
      );
      if (expiring.delete(name)) {
        onPage(structuredClone(pages[0] ?? []));
        onRestart?.();
      }
      for (const page of pages) onPage(page);
      return Promise.resolve({ items: [], resourceVersion: '1' });
    },
    async *watch(path, _from, { signal, opened } = {}) {
      const events: WatchEvent[] = [];
      let wake: () => void = () => undefined;
      const unfollow = store.follow(path, (event) => {
        events.push(event);
        wake();
      });
      signal?.addEventListener('abort', () => wake());
      opened?.();
      try {
        while (!signal?.aborted) {
          const event = events.shift();
          if (event) yield event;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        unfollow();
      }
    },
    patch(path, patch, { beforeSent, ...options } = {}) {
      try {
        beforeSent?.();
      } catch (error) {
        return Promise.reject(error as Error);
      }
      return write('patch', path, options.dryRun, () => store.patch(path, patch, options));
    },
    create: (path, object, options = {}) =>
      write('create', path, options.dryRun, () => store.create(path, object as KubernetesObject, options)),
    apply: (path, object, options) =>
      write('apply', path, options.dryRun, () => store.apply(path, object as KubernetesObject, options)),
    delete: (path, options = {}) => write('delete', path, options.dryRun, () => store.delete(path, options)),
    can: () => Promise.resolve(true),
    typed: () => Promise.reject(new Error('not in this fake: serve it by HTTP')),
    close: () => undefined,
  };
}

/** Whether a field selector matches an object: "type=Warning,involvedObject.kind!=Work" */
function isSelected(object: KubernetesObject, selector: unknown): boolean {
  if (typeof selector !== 'string') return true;
  return selector.split(',').every((term) => {
    const [, path = '', operator, value] = /^(.+?)(!?=)(.*)$/.exec(term) ?? [];
    const found = path.split('.').reduce<unknown>((at, field) => (at as Fields | undefined)?.[field], object);
    return ((found ?? '') === value) === (operator === '=');
  });
}

/** "works.work.karmada.io", "pods" */
function nameOf(apiVersion: string, resource: string): string {
  return apiVersion.includes('/') ? `${resource}.${apiVersion.split('/')[0]}` : resource;
}

function forbidden(name: string, verb: string, resource: string): ApiError {
  return new ApiError(`${name} is forbidden: User "reader" cannot ${verb} resource "${resource}"`, {
    status: 403,
    reason: 'Forbidden',
  });
}
