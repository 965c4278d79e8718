import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer, ListOptions } from '../../../src/state/live/apiServer.ts';
import { STATE_KINDS } from '../../../src/state/live/stateKinds.ts';

export interface ServingOptions {
  /** "works.work.karmada.io": lists that are refused */
  forbidden?: string[];
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
  /** path of each request, lists of metadata alone marked so */
  readonly requests: string[];
}

const PLURALS = new Map(STATE_KINDS.map(({ kind, resource }) => [kind, resource]));

/** An API server that serves these objects and takes no writes. */
export function servingObjects(objects: KubernetesObject[], options: ServingOptions = {}): ServingObjects {
  const requests: string[] = [];
  const expiring = new Set(options.expiring);
  const plural = (kind: string) => PLURALS.get(kind) ?? `${kind.toLowerCase()}s`;
  const root = (apiVersion: string) =>
    apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const unsupported = () => Promise.reject(new Error('not in this fake'));

  function discovery(path: string): unknown {
    const kinds = new Map(
      objects.filter(({ apiVersion }) => root(apiVersion) === path).map((object) => [object.kind, object]),
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
    now: () => options.now ?? Date.parse('2026-09-01T10:00:00.250Z'),
    get<T>(path: string): Promise<T> {
      requests.push(path);
      const document = options.documents?.[path] ?? discovery(path);
      if (document !== undefined) return Promise.resolve(document as T);
      return Promise.reject(new ApiError(`${path} is not served`, { status: 404, reason: 'NotFound' }));
    },
    list(path: string, { onPage, onRestart, metadataOnly, query }: ListOptions = {}) {
      requests.push(`${path}${metadataOnly ? ' (metadata)' : ''}`);
      const [, apiVersion = '', namespace, resource = ''] =
        /^\/apis?\/(.+?)(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(path) ?? [];
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
      const name = group === '' ? resource : `${resource}.${group}`;
      if (options.forbidden?.includes(name))
        return Promise.reject(
          new ApiError(`${name} is forbidden: User "reader" cannot list resource "${resource}"`, {
            status: 403,
            reason: 'Forbidden',
          }),
        );
      if (options.absent?.includes(group))
        return Promise.reject(new ApiError(`${path} is not served`, { status: 404, reason: 'NotFound' }));
      if (query?.['labelSelector']) throw new Error('label selectors are not in this fake');
      const items = objects
        .filter((object) => object.apiVersion === apiVersion && plural(object.kind) === resource)
        .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
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
    watch: () => {
      throw new Error('not in this fake');
    },
    patch: unsupported,
    create: unsupported,
    can: () => Promise.resolve(true),
    close: () => undefined,
  };
}
