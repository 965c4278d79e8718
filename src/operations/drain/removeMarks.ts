import { DRAIN_ANNOTATION } from '../../analysis/drain/drainOptions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { CLUSTERS } from '../../state/live/resources.ts';
import type { Pause } from '../pause.ts';
import { rewriteObject } from '../rewriteObject.ts';

/** Milliseconds. A leftover mark is harmless: the next read of the cluster reports it. */
const PATIENCE = 15_000;

/**
 * Removes the marks of a finished drain from its clusters; they stay cordoned, as kubectl drain leaves a node. Leaves
 * marks that another drain has written in the meantime.
 */
export async function removeMarks(
  server: ApiServer,
  clusters: readonly Cluster[],
  { pause, signal }: { pause: Pause; signal: AbortSignal },
): Promise<void> {
  for (const cluster of clusters) {
    const own = markOf(cluster);
    const change = (newest: Cluster) =>
      own !== undefined && markOf(newest) === own ? unmarked(newest) : newest;
    try {
      await rewriteObject(server, CLUSTERS, cluster, change, { pause, signal, patience: PATIENCE });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

function markOf({ metadata }: Cluster): string | undefined {
  return metadata.annotations?.[DRAIN_ANNOTATION];
}

function unmarked(cluster: Cluster): Cluster {
  const { [DRAIN_ANNOTATION]: _mark, ...annotations } = cluster.metadata.annotations ?? {};
  return { ...cluster, metadata: { ...cluster.metadata, annotations } };
}
