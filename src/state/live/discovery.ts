import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import type { ApiResource } from './resources.ts';

/** All groups in one answer, where the server knows how (Kubernetes 1.26 and newer). */
const AGGREGATED = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

interface AggregatedDiscovery {
  kind: string;
  items?: {
    metadata?: { name?: string };
    versions?: {
      version: string;
      resources?: {
        resource: string;
        scope: 'Namespaced' | 'Cluster';
        responseKind?: { group?: string; version?: string; kind: string } | null;
      }[];
    }[];
  }[];
}

interface GroupList {
  groups?: { name: string; versions: { groupVersion: string }[] }[];
  /** of the core group */
  versions?: string[];
}

interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean }[];
}

const known = new WeakMap<object, Promise<ApiResource[]>>();

/**
 * What the API server serves, in every version, without subresources; asked once for each connection. Groups whose own
 * server does not answer are left out.
 */
export function servedResources(server: Pick<ApiServer, 'get'>): Promise<ApiResource[]> {
  let asked = known.get(server);
  if (!asked) {
    asked = Promise.all([below(server, '/api'), below(server, '/apis')]).then((parts) => parts.flat());
    known.set(server, asked);
    asked.catch(() => known.delete(server));
  }
  return asked;
}

async function below(server: Pick<ApiServer, 'get'>, root: '/api' | '/apis'): Promise<ApiResource[]> {
  const answer = await server.get<AggregatedDiscovery & GroupList>(root, { accept: AGGREGATED });
  if (answer.kind === 'APIGroupDiscoveryList') return aggregated(answer);
  const versions =
    root === '/api'
      ? (answer.versions ?? [])
      : (answer.groups ?? []).flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const lists = await Promise.all(versions.map((groupVersion) => ofVersion(server, root, groupVersion)));
  return lists.flat();
}

function aggregated({ items = [] }: AggregatedDiscovery): ApiResource[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.flatMap(({ resource, scope, responseKind }) =>
        responseKind?.kind
          ? [
              {
                kind: responseKind.kind,
                group: metadata?.name ?? '',
                version,
                resource,
                namespaced: scope === 'Namespaced',
              },
            ]
          : [],
      ),
    ),
  );
}

async function ofVersion(
  server: Pick<ApiServer, 'get'>,
  root: string,
  groupVersion: string,
): Promise<ApiResource[]> {
  const [group, version] = groupVersion.includes('/')
    ? (groupVersion.split('/') as [string, string])
    : ['', groupVersion];
  try {
    const { resources = [] } = await server.get<ResourceList>(`${root}/${groupVersion}`);
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced }) => ({ kind, group, version, resource: name, namespaced }));
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return [];
    throw error;
  }
}
