import { cordoned, drainMarkOf, uncordoned } from '../analysis/drain/cordon.ts';
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
  objectsOf,
  type TypedResource,
} from '../state/live/resources.ts';
import { isDrainTask } from '../karmada/eviction/drainTask.ts';
import type { Pause } from './pause.ts';
import { rewriteObject } from './rewriteObject.ts';

/** none: write; server: the API server admits the writes without storing them; client: send nothing. */
type DryRun = 'none' | 'client' | 'server';

export interface CordonOptions {
  dryRun?: DryRun | undefined;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
}

export interface CordonResult {
  /** its current state; in a dry run, the resulting one */
  cluster: Cluster;
  /** whether anything was, or would be, written */
  changed: boolean;
  /** unexpected side effects */
  warnings: CordonWarning[];
}

/** Evictions of a drain continue despite the uncordon, or the uncordon stops a drain that is still running. */
export type CordonWarning = { kind: 'evictions-go-on'; evictions: number } | { kind: 'drain-stops' };

/**
 * Marks clusters as unschedulable, as `karmadactl cordon` does: the taint
 * cluster.karmada.io/unschedulable:NoSchedule, without timeAdded. Writes nothing unless all names are clusters. A
 * failed cluster does not stop the others.
 *
 * @throws ApiError if a cluster does not exist, the user may not read or write it, or the server cannot be reached; after
 *   all others, if some could not be written
 */
export async function* cordon(
  server: ApiServer,
  names: readonly string[],
  options: CordonOptions = {},
): AsyncGenerator<CordonResult> {
  const clusters = await readClusters(server, names, options);
  yield* each(clusters, options.signal, async (cluster) => ({
    ...(await rewrite(server, cluster, cordonedAlone, options)),
    warnings: [],
  }));
}

/**
 * Removes that taint and all marks of a drain from the Cluster. Evictions of a drain continue by themselves: a
 * warning says so.
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
  yield* each(clusters, options.signal, async (cluster) => {
    const warnings = uncordonWarnings(cluster, evictions.get(cluster.metadata.name) ?? 0);
    return { ...(await rewrite(server, cluster, uncordoned, options)), warnings };
  });
}

const cordonedAlone = (cluster: Cluster): Cluster => cordoned(cluster);

/**
 * The effect of `cordon` or `uncordon` on a cluster, without a server.
 *
 * @param evictions number of drains' evictions from it that are in progress
 */
export function plannedCordon(
  action: 'cordon' | 'uncordon',
  cluster: Cluster,
  evictions: number,
): CordonResult {
  const after = action === 'cordon' ? cordonedAlone(cluster) : uncordoned(cluster);
  const warnings = action === 'cordon' ? [] : uncordonWarnings(cluster, evictions);
  return { cluster: after, changed: after !== cluster, warnings };
}

function uncordonWarnings(cluster: Cluster, evictions: number): CordonWarning[] {
  if (evictions > 0) return [{ kind: 'evictions-go-on', evictions }];
  return drainMarkOf(cluster) ? [{ kind: 'drain-stops' }] : [];
}

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
  if (dryRun === 'client') {
    const after = change(first);
    return { cluster: after, changed: after !== first };
  }
  const options = { dryRun: dryRun === 'server', signal, pause };
  const outcome = await rewriteObject(server, CLUSTERS, first, change, options);
  switch (outcome.result) {
    case 'written':
    case 'unchanged':
      return { cluster: outcome.object, changed: outcome.result === 'written' };
    case 'gone':
      throw new UnwrittenCluster(first, 'it has been deleted', { status: 404, reason: 'NotFound' });
    default:
      throw new UnwrittenCluster(first, outcome.message, { status: 0, reason: outcome.result });
  }
}

/** One cluster could not be written; the others may have been. */
class UnwrittenCluster extends ApiError {
  constructor({ metadata }: Cluster, message: string, details: { status: number; reason: string }) {
    super(`Cluster ${metadata.name}: ${message}`, details);
  }
}

/** Writes the clusters one after the other; a failure does not stop the rest, and is thrown after the last. */
async function* each(
  clusters: readonly Cluster[],
  signal: AbortSignal | undefined,
  act: (cluster: Cluster) => Promise<CordonResult>,
): AsyncGenerator<CordonResult> {
  const failures: UnwrittenCluster[] = [];
  for (const cluster of clusters) {
    if (signal?.aborted) break;
    try {
      yield await act(cluster);
    } catch (error) {
      if (!(error instanceof UnwrittenCluster)) throw error;
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (others.length > 0)
    throw new ApiError(failures.map(({ message }) => message).join('; '), {
      status: 0,
      reason: first!.reason,
    });
  if (first) throw first;
  signal?.throwIfAborted();
}

/** How many evictions by drains are in progress from each cluster; empty if bindings are forbidden. */
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

/** The fromCluster of each of a drain's eviction tasks on bindings of a kind; empty if the kind is forbidden. */
async function evictedClusters(
  server: ApiServer,
  resource: TypedResource<ResourceBinding>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const found: string[] = [];
  try {
    await server.list(apiPath(resource), {
      signal,
      onPage: (page) => {
        for (const binding of objectsOf(resource, page))
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
