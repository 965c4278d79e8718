import {
  drainMarkOf,
  isCordoned,
  withMark,
  uncordoned,
  withoutCordonTaints,
} from '../../analysis/drain/cordon.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import type { Pause } from '../pause.ts';
import { rewriteObject } from '../rewriteObject.ts';
import type { DrainNews } from './drainEvents.ts';
import { foundAt, untilAnswered } from './untilAnswered.ts';
import { remainingMark } from '../../analysis/drain/back/planCancel.ts';

export interface CancelSettings {
  pause: Pause;
  stop: AbortSignal;
  notify: (news: DrainNews) => void;
  /** collects a line for each write with an unknown outcome */
  unsettled: string[];
}

/**
 * Uncordons a drained cluster and removes the drain's taint. The mark is removed too, except for a drain by taint,
 * where `unmark` removes it at the end. Returns the previous state of the cluster; undefined if it does not exist.
 */
export function uncordonDrained(
  server: ApiServer,
  name: string,
  settings: CancelSettings,
): Promise<Cluster | undefined> {
  const change = (cluster: Cluster) =>
    drainMarkOf(cluster)?.method === 'taint' ? withoutCordonTaints(cluster) : uncordoned(cluster);
  return writeCluster(server, name, change, settings);
}

/** Removes all traces of a drain from a cluster. */
export async function removeMark(server: ApiServer, name: string, settings: CancelSettings): Promise<void> {
  await writeCluster(server, name, uncordoned, settings);
}

/** Removes the cancelled clusters from the mark of a cluster whose drain continues. */
export async function writeMark(
  server: ApiServer,
  name: string,
  cancelled: ReadonlySet<string>,
  settings: CancelSettings,
): Promise<void> {
  const change = (cluster: Cluster) => {
    const mark = remainingMark(cluster, cancelled);
    return mark ? withMark(cluster, mark) : cluster;
  };
  await writeCluster(server, name, change, settings);
}

async function writeCluster(
  server: ApiServer,
  name: string,
  change: (cluster: Cluster) => Cluster,
  { pause, stop, notify, unsettled }: CancelSettings,
): Promise<Cluster | undefined> {
  const path = apiPath(CLUSTERS, undefined, name);
  const first = await untilAnswered(server, (from) => foundAt<Cluster>(from, path), { pause, stop });
  if (!first) return undefined;
  if (stop.aborted) return first;
  const outcome = await rewriteObject(server, CLUSTERS, first, change, {
    pause,
    signal: stop,
    onConflict: () => notify({ type: 'conflict', object: { kind: 'Cluster', name } }),
  });
  if (outcome.result === 'gone') return undefined;
  if ('before' in outcome) {
    if (isCordoned(outcome.before) && !isCordoned(outcome.object))
      notify({ type: 'uncordoned', cluster: name });
  } else if (outcome.result === 'unknown' && stop.aborted)
    unsettled.push(`Cluster ${name}: ${outcome.message}`);
  else if (!stop.aborted)
    throw new ApiError(`Cluster ${name}: ${outcome.message}`, { status: 422, reason: 'Invalid' });
  return first;
}
