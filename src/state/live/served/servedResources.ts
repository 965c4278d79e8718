import { isObject } from '../../../kubernetes/json.ts';
import type { ApiServer } from '../apiServer.ts';
import { groupAndVersion, groupPath } from '../resources.ts';

/** What an API reports about one of its resources. */
export interface ServedResource {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

/** The well-formed resources of a group and version ("apps/v1"). Rejects with an ApiError (404 if not served). */
export async function servedResources(server: ApiServer, apiVersion: string): Promise<ServedResource[]> {
  const { resources } = await server.get<{ resources?: unknown }>(groupPath(...groupAndVersion(apiVersion)));
  return Array.isArray(resources) ? resources.filter(isServedResource) : [];
}

function isServedResource(one: unknown): one is ServedResource {
  if (!isObject(one)) return false;
  const { name, kind, verbs } = one;
  return typeof name === 'string' && typeof kind === 'string' && Array.isArray(verbs);
}
