import type { CordonOptions, CordonResult } from '../../operations/cordon.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import { isDrainTask } from '../../karmada/eviction/drainTask.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { openState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

const KINDS = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding']);

/**
 * Cordons or uncordons clusters, and reports each. Rejects with a Problem, before it writes anything, if a cluster does
 * not exist.
 */
export async function cordonClusters(
  server: ApiServer,
  action: 'cordon' | 'uncordon',
  names: readonly string[],
  options: CordonOptions,
  notify: (result: CordonResult) => void,
): Promise<void> {
  const operations = await import('../../operations/cordon.ts');
  try {
    for await (const result of operations[action](server, names, options)) notify(result);
  } catch (error) {
    throw (await unknownCluster(server, names, error)) ?? error;
  }
}

/** The effect of cordoning or uncordoning clusters of a captured state. Rejects with a Problem for unknown ones. */
export async function cordonsOfState(
  request: StateRequest,
  action: 'cordon' | 'uncordon',
  names: readonly string[],
  ports: Ports,
): Promise<CordonResult[]> {
  const { plannedCordon } = await import('../../operations/cordon.ts');
  const { world } = await openState(request, ports, { kinds: KINDS });
  const known = world.clusters.map(({ metadata }) => metadata.name).sort();
  return [...new Set(names)].map((name) => {
    const cluster = world.clusters.find(({ metadata }) => metadata.name === name);
    if (!cluster) throw new Problem({ code: 'unknown-cluster', input: 'clusters', cluster: name, known });
    const evictions = world.bindings.flatMap(({ spec }) =>
      (spec.gracefulEvictionTasks ?? []).filter((task) => isDrainTask(task) && task.fromCluster === name),
    );
    return plannedCordon(action, cluster, evictions.length);
  });
}

async function unknownCluster(
  server: ApiServer,
  names: readonly string[],
  error: unknown,
): Promise<Problem | undefined> {
  if (!(error instanceof ApiError && error.status === 404)) return undefined;
  const { items } = await server.list(apiPath(CLUSTERS), { metadataOnly: true });
  const known = items.map(({ metadata }) => metadata.name).sort();
  const cluster = names.find((name) => !known.includes(name));
  if (cluster === undefined) return undefined;
  return new Problem({ code: 'unknown-cluster', input: 'clusters', cluster, known });
}
