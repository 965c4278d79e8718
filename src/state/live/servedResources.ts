import { isObject } from '../../kubernetes/json.ts';
import type { ApiServer } from './apiServer.ts';
import { groupAndVersion, groupPath } from './resources.ts';

/** What an API says of one of its resources. */
export interface ServedResource {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

/** The resources of "apps/v1"; what is none in the answer is passed over. Rejects with ApiError, of status 404 if it is not served. */
export async function servedResources(server: ApiServer, apiVersion: string): Promise<ServedResource[]> {
  const { resources } = await server.get<{ resources?: unknown }>(groupPath(...groupAndVersion(apiVersion)));
  return Array.isArray(resources) ? resources.filter(isServedResource) : [];
}

function isServedResource(one: unknown): one is ServedResource {
  if (!isObject(one)) return false;
  const { name, kind, verbs } = one;
  return typeof name === 'string' && typeof kind === 'string' && Array.isArray(verbs);
}
