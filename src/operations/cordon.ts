import { cordoned, drainMarkOf, isCordoned, uncordoned } from '../analysis/drain/cordon.ts';
import { DRAIN_ANNOTATION } from '../analysis/drain/drainOptions.ts';
import type { Cluster } from '../karmada/api/cluster.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  type ApiResource,
} from '../state/live/resources.ts';
import { isDrainTask } from '../karmada/eviction/drainTask.ts';
import type { Pause } from './pause.ts';
import { writeObject } from './writeObject.ts';

/** none: write; server: the API server admits the writes and does not store them; client: send nothing. */
export type DryRun = 'none' | 'client' | 'server';

export interface CordonOptions {
  dryRun?: DryRun | undefined;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}

/** The result for one cluster. */
export interface CordonResult {
  /** as it is now; in a dry run, as it would be */
  cluster: Cluster;
  /** whether anything was, or would be, written */
  changed: boolean;
  /** what the user may not expect */
  warnings: CordonWarning[];
}

/**
 * Evictions of a drain go on although the cluster is uncordoned, or uncordoning stops a drain that is still running.
 */
export type CordonWarning = { kind: 'evictions-go-on'; evictions: number } | { kind: 'drain-stops' };

/**
 * Marks clusters as unschedulable, as `karmadactl cordon` does: the taint cluster.karmada.io/unschedulable:NoSchedule,
 * without timeAdded. Writes nothing unless all names are clusters.
 *
 * @throws ApiError if a cluster does not exist, the user may not read or write it, or the server cannot be reached
 */
export async function* cordon(
  server: ApiServer,
  names: readonly string[],
  options: CordonOptions = {},
): AsyncGenerator<CordonResult> {
  for (const cluster of await readClusters(server, names, options))
    yield { ...(await rewrite(server, cluster, cordonedAlone, options)), warnings: [] };
}

/**
 * Removes that taint, and whatever a drain has left on the Cluster. Evictions of a drain go on by themselves: a warning
 * says so.
 *
 * @throws ApiError as `cordon` does
 */
export async function* uncordon(
  server: ApiServer,
  names: readonly string[],
  options: CordonOptions = {},
): AsyncGenerator<CordonResult> {
  const clusters = await readClusters(server, names, options);
  const evictions = await evictionsUnderWay(server, clusters, options);
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const warnings: CordonWarning[] = [];
    const count = evictions.get(name) ?? 0;
    if (count > 0) warnings.push({ kind: 'evictions-go-on', evictions: count });
    else if (drainMarkOf(cluster)) warnings.push({ kind: 'drain-stops' });
    yield { ...(await rewrite(server, cluster, uncordoned, options)), warnings };
  }
}

const cordonedAlone = (cluster: Cluster): Cluster => (isCordoned(cluster) ? cluster : cordoned(cluster));

async function readClusters(
  server: ApiServer,
  names: readonly string[],
  { signal }: CordonOptions,
): Promise<Cluster[]> {
  return Promise.all(
    [...new Set(names)].map(async (name) => {
      const cluster = await server.get<Cluster>(apiPath(CLUSTERS, undefined, name), { signal });
      return { ...cluster, apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
    }),
  );
}

async function rewrite(
  server: ApiServer,
  first: Cluster,
  change: (cluster: Cluster) => Cluster,
  { dryRun = 'none', signal, pause }: CordonOptions,
): Promise<{ cluster: Cluster; changed: boolean }> {
  for (let cluster = first; ;) {
    const after = change(cluster);
    if (after === cluster) return { cluster, changed: false };
    if (dryRun === 'client') return { cluster: after, changed: true };
    const outcome = await writeObject(server, CLUSTERS, cluster, after, {
      dryRun: dryRun === 'server',
      holds: (found) => change(found) === found,
      signal,
      pause,
    });
    switch (outcome.result) {
      case 'written':
        return { cluster: outcome.object, changed: true };
      case 'unchanged':
        return { cluster: outcome.object, changed: false };
      case 'conflict':
        cluster = outcome.object;
        continue;
      case 'gone':
        throw new ApiError(`Cluster ${first.metadata.name} has been deleted meanwhile`, {
          status: 404,
          reason: 'NotFound',
        });
      default:
        throw new ApiError(`Cluster ${first.metadata.name}: ${outcome.message}`, {
          status: 0,
          reason: outcome.result,
        });
    }
  }
}

/** How many evictions by drains are under way from each cluster; empty if the user may not read bindings. */
async function evictionsUnderWay(
  server: ApiServer,
  clusters: readonly Cluster[],
  { signal }: CordonOptions,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // A drain marks the clusters that it evicts from, until its last eviction has ended.
  if (!clusters.some(({ metadata }) => metadata.annotations?.[DRAIN_ANNOTATION])) return counts;
  for (const resource of [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS])
    for (const cluster of await evictedClusters(server, resource, signal))
      counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  return counts;
}

/** The fromCluster of each eviction task of a drain on bindings of a kind; empty if the user may not read them. */
async function evictedClusters(
  server: ApiServer,
  resource: ApiResource,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const found: string[] = [];
  try {
    await server.list(apiPath(resource), {
      signal,
      onPage: (page) => {
        for (const binding of page as unknown as ResourceBinding[])
          for (const task of binding.spec.gracefulEvictionTasks ?? [])
            if (isDrainTask(task)) found.push(task.fromCluster);
      },
      onRestart: () => void (found.length = 0),
    });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  return found;
}
