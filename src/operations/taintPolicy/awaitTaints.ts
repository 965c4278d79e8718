import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { instant } from '../../kubernetes/time.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS, objectsOf } from '../../state/live/resources.ts';
import { realTiming } from '../../state/live/mirrors/timing.ts';
import { pause as realPause, type Pause } from '../pause.ts';

interface ExpectedTaints {
  cluster: string;
  gains: readonly NamedTaint[];
  loses: readonly NamedTaint[];
}

/** The expected taint changes that a cluster does not show yet. */
export interface MissingTaints {
  cluster: string;
  missing: NamedTaint[];
  stillThere: NamedTaint[];
  /** Karmada's reason, from the latest TaintClusterFailed event */
  event?: string;
}

interface AwaitTaintsOptions {
  /** milliseconds */
  timeout: number;
  /** epoch milliseconds of the server's clock: older events are ignored */
  since: number;
  signal?: AbortSignal | undefined;
  pause?: Pause | undefined;
  /** milliseconds of a monotonic clock */
  now?: (() => number) | undefined;
}

const EACH = 1000;
/** Milliseconds. Karmada retries after a failure; one that lasts this long counts as final. */
const FAILED_FOR = 5000;

/**
 * Waits until clusters have gained and lost these taints. Returns the missing ones on timeout, on a stop, or when
 * Karmada reports that all of them failed. Stops reading events once they are forbidden.
 *
 * @throws ApiError if the user may not read clusters
 */
export async function awaitTaints(
  server: ApiServer,
  expected: readonly ExpectedTaints[],
  { timeout, since, signal, pause = realPause, now = realTiming.now }: AwaitTaintsOptions,
): Promise<MissingTaints[]> {
  const began = now();
  let missing: MissingTaints[] | undefined;
  try {
    for (;;) {
      const { items } = await server.list(apiPath(CLUSTERS), { signal });
      // including the time of requests
      const waited = now() - began;
      missing = missingTaints(expected, objectsOf(CLUSTERS, items));
      if (missing.length === 0) return [];
      if (waited >= Math.min(FAILED_FOR, timeout))
        missing = await withEvents(server, missing, { since, signal });
      const failed = missing.every(({ event }) => event !== undefined);
      if (failed || waited >= timeout || signal?.aborted) return missing;
      await pause(Math.min(EACH, timeout - waited), signal);
    }
  } catch (error) {
    if (signal?.aborted && missing) return missing;
    throw error;
  }
}

function missingTaints(expected: readonly ExpectedTaints[], clusters: readonly Cluster[]): MissingTaints[] {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster.spec?.taints ?? []]));
  return expected.flatMap(({ cluster, gains, loses }) => {
    const there = byName.get(cluster);
    // a deleted cluster has no taints
    if (!there) return [];
    const has = (taint: NamedTaint) => there.some((one) => sameTaint(one, taint));
    const missing = gains.filter((taint) => !has(taint));
    const stillThere = loses.filter(has);
    return missing.length + stillThere.length > 0 ? [{ cluster, missing, stillThere }] : [];
  });
}

interface Event extends KubernetesObject {
  involvedObject?: { kind?: string; name?: string };
  reason?: string;
  message?: string;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { lastObservedTime?: string | null } | null;
}

/** Events about cluster-scoped objects are in this namespace. */
const EVENTS = '/api/v1/namespaces/default/events';

async function withEvents(
  server: ApiServer,
  missing: MissingTaints[],
  { since, signal }: Pick<AwaitTaintsOptions, 'since' | 'signal'>,
): Promise<MissingTaints[]> {
  let events: Event[];
  try {
    events = (await server.list(EVENTS, { signal })).items;
  } catch (error) {
    if (error instanceof ApiError) return missing;
    throw error;
  }
  const newest = new Map<string, { time: number; message: string }>();
  for (const event of events) {
    const { involvedObject: { kind, name = '' } = {}, reason, message = '' } = event;
    const time = lastSeen(event);
    if (reason !== 'TaintClusterFailed' || kind !== 'Cluster' || time === undefined) continue;
    // event times are in whole seconds
    const least = newest.get(name)?.time ?? since - 1000;
    if (time >= least) newest.set(name, { time, message });
  }
  return missing.map((one) => {
    const event = newest.get(one.cluster)?.message;
    return event === undefined ? one : { ...one, event };
  });
}

/** When an event was last seen, as kubectl shows it; undefined if unknown. */
function lastSeen({ series, lastTimestamp, eventTime }: Event): number | undefined {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime;
  return time ? instant(time) : undefined;
}
