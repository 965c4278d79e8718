import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  EXECUTION_NAMESPACE_PREFIX,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../karmada/names.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, WORKS } from '../../state/live/resources.ts';

/**
 * The Works of one binding by cluster, found by its permanent id as the binding controllers find them. Undefined where
 * the user may not list Works.
 */
export async function readWorks(
  server: ApiServer,
  { metadata }: ResourceBinding,
): Promise<Map<string, Work> | undefined> {
  const label = metadata.namespace
    ? RESOURCE_BINDING_PERMANENT_ID_LABEL
    : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
  const id = metadata.labels?.[label];
  if (id === undefined) return new Map();
  try {
    const { items } = await server.list(apiPath(WORKS), { query: { labelSelector: `${label}=${id}` } });
    const works = new Map<string, Work>();
    for (const work of items as unknown as Work[]) {
      const namespace = work.metadata.namespace ?? '';
      if (namespace.startsWith(EXECUTION_NAMESPACE_PREFIX) && work.metadata.labels?.[label] === id)
        works.set(namespace.slice(EXECUTION_NAMESPACE_PREFIX.length), work);
    }
    return works;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
