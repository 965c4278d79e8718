import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  executionCluster,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../karmada/api/names.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, WORKS, objectsOf } from '../../state/live/resources.ts';

/** Like `listWorks`; undefined if the user may not list Works. */
export async function readWorks(
  server: ApiServer,
  binding: ResourceBinding,
  signal?: AbortSignal,
): Promise<Map<string, Work> | undefined> {
  try {
    return await listWorks(server, binding, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}

/** The Works of one binding by cluster, found by the permanent ID label as the binding controllers do. */
export async function listWorks(
  server: ApiServer,
  { metadata }: ResourceBinding,
  signal?: AbortSignal,
): Promise<Map<string, Work>> {
  const label = metadata.namespace
    ? RESOURCE_BINDING_PERMANENT_ID_LABEL
    : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
  const id = metadata.labels?.[label];
  if (id === undefined) return new Map();
  const { items } = await server.list(apiPath(WORKS), { signal, query: { labelSelector: `${label}=${id}` } });
  const works = new Map<string, Work>();
  for (const work of objectsOf(WORKS, items)) {
    const cluster = executionCluster(work.metadata.namespace ?? '');
    if (cluster !== undefined && work.metadata.labels?.[label] === id) works.set(cluster, work);
  }
  return works;
}
