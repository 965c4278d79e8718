import type { IncomingMessage } from 'node:http';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import type { OpenMirror } from '../../src/state/live/mirrors/mirror.ts';

/** A right as a request needs it. */
export interface UsedRight {
  verb: string;
  /** "clusters.cluster.karmada.io", "resourcebindings.work.karmada.io/status", "events" */
  resource: string;
  namespace?: string;
  name?: string;
}

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/v\d\w*(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;
const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

function rightTo(verb: string, path: string): UsedRight[] {
  const { group, namespace, plural, name, subresource } = PATH.exec(path)?.groups ?? {};
  // discovery, which everyone may read
  if (plural === undefined) return [];
  return [
    {
      verb: verb === 'read' ? (name === undefined ? 'list' : 'get') : verb,
      resource: [[plural, group].filter(Boolean).join('.'), subresource].filter(Boolean).join('/'),
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
    },
  ];
}

/** The rights that an API server checks before it answers a request: an apply of a missing object creates it, too. */
export function usedRights(
  { method = 'GET', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  exists: (path: string) => boolean,
): UsedRight[] {
  const { pathname, searchParams } = new URL(url, 'http://server');
  if (method === 'GET') return rightTo(searchParams.get('watch') === 'true' ? 'watch' : 'read', pathname);
  if (method !== 'PATCH') return rightTo(VERBS[method] ?? method, pathname);
  const creates = headers['content-type'] === 'application/apply-patch+yaml' && !exists(pathname);
  return [...rightTo('patch', pathname), ...(creates ? rightTo('create', pathname) : [])];
}

/** The server, and mirrors of it, which record the rights that requests need, for code in this process. */
export function noting<Opener>(
  server: ApiServer,
  openMirror: Opener,
  rights: UsedRight[],
): { server: ApiServer; openMirror: Opener } {
  const note = (verb: string, path: string) => void rights.push(...rightTo(verb, path));
  return {
    server: {
      ...server,
      get: (path, options) => (note('read', path), server.get(path, options)),
      list: (path, options) => (note('read', path), server.list(path, options)),
      patch(path, patch, options) {
        note('patch', options?.subresource ? `${path}/${options.subresource}` : path);
        return server.patch(path, patch, options);
      },
      create: (path, object, options) => (note('create', path), server.create(path, object, options)),
      can: (access) => (note('create', REVIEWS), server.can(access)),
    },
    openMirror: ((...opened: Parameters<OpenMirror>) => {
      note('read', opened[1]);
      note('watch', opened[1]);
      return (openMirror as OpenMirror)(...opened);
    }) as Opener,
  };
}
