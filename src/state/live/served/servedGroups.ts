import { isObject } from '../../../kubernetes/json.ts';
import type { ServedGroup } from '../../snapshot/snapshot.ts';
import { ApiError } from '../apiError.ts';
import type { ApiServer } from '../apiServer.ts';

interface ApiGroup {
  name: string;
  versions: { version: string }[];
}

function isGroup(one: unknown): one is ApiGroup {
  if (!isObject(one) || typeof one['name'] !== 'string') return false;
  const { versions } = one;
  return (
    Array.isArray(versions) && versions.every((each) => isObject(each) && typeof each['version'] === 'string')
  );
}

/**
 * The groups of Karmada's own API that the server serves, each with its preferred version first; undefined if
 * unknown.
 */
export async function servedGroups(server: ApiServer): Promise<ServedGroup[] | undefined> {
  try {
    const { groups } = await server.get<{ groups?: unknown }>('/apis');
    return (Array.isArray(groups) ? groups : [])
      .filter(isGroup)
      .filter(({ name }) => name.endsWith('.karmada.io'))
      .map(({ name, versions }) => ({ group: name, versions: versions.map(({ version }) => version) }));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
