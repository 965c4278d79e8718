import type { Write } from '../../karmada/controllers/write.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import type { Pause } from '../pause.ts';
import { bindingResource } from '../writeBinding.ts';
import { writeObject, type WriteOutcome } from '../writeObject.ts';
import { answerOf, type WriteApi, type Written } from './controllerHost.ts';
import type { LiveView } from './liveView.ts';
import { LeadershipLost, type Leadership } from '../leadership.ts';

/** The field manager of our writes in managedFields. */
export const FIELD_MANAGER = 'karmada-failover-controller';

/**
 * Milliseconds. If the server has been silent about Clusters for longer, a Cluster is reread before a binding leaves
 * it.
 */
const HEARD_LATELY = 10_000;
/** Milliseconds of retries for a write before its key waits with back-off. */
const PATIENCE = 5_000;

interface LiveWritesOptions {
  live: Pick<LiveView, 'view' | 'observe' | 'clustersHeardAt'>;
  leadership: Leadership;
  pause?: Pause | undefined;
  /** epoch milliseconds of the local clock */
  localNow: () => number;
}

type Stored = Cluster | ResourceBinding;

/**
 * Sends the writes of controllers to an API server. Each carries the version that the decision was based on, even where
 * Karmada's own controller sends none, and is sent only while this process is certainly the leader. A conflict is
 * reported once the view shows the server's newest state. Before a binding leaves a cluster that was silent lately, the
 * Cluster is reread.
 */
export function createLiveWrites(server: ApiServer, options: LiveWritesOptions): WriteApi {
  const { live, leadership, pause, localNow } = options;
  const readAt = new Map<string, number>();

  /** Whether the view's state of this cluster matches the server's. */
  async function isUpToDate(name: string): Promise<boolean> {
    const now = localNow();
    const heard = Math.max(live.clustersHeardAt(), readAt.get(name) ?? -Infinity);
    if (now - heard < HEARD_LATELY) return true;
    const known = live.view.get('Cluster', name);
    const found = await server.get<Cluster>(apiPath(CLUSTERS, undefined, name), {
      signal: leadership.lost,
    });
    readAt.set(name, now);
    if (found.metadata.resourceVersion === known?.metadata.resourceVersion) return true;
    live.observe(found);
    return false;
  }

  async function send(write: Write): Promise<WriteOutcome<Stored>> {
    if (write.verb !== 'update' || (write.kind !== 'Cluster' && write.kind !== 'Binding'))
      throw new Error(`no controller of this process may ${write.verb} a ${write.kind}`);
    const { base, object, part } = write;
    const resource = write.kind === 'Cluster' ? CLUSTERS : bindingResource(base as ResourceBinding);
    return writeObject<Stored>(server, resource, base, object, {
      ...(part === 'status' && { subresource: 'status' }),
      signal: leadership.signal,
      patience: PATIENCE,
      pause,
      request: {
        signal: leadership.lost,
        beforeSent: leadership.assert,
        fieldManager: FIELD_MANAGER,
      },
    });
  }

  return {
    async write(write): Promise<Written> {
      try {
        leadership.assert();
        for (const cluster of clustersLeft(write))
          if (!(await isUpToDate(cluster))) return { result: 'conflict' };
        const outcome = await send(write);
        if ('object' in outcome) live.observe(outcome.object);
        return answerOf(outcome);
      } catch (error) {
        if (error instanceof LeadershipLost) return { result: 'lost', message: error.message };
        if (error instanceof ApiError) return { result: 'refused', message: error.message };
        throw error;
      }
    },
  };
}

/** The clusters that a write removes from spec.clusters. */
function clustersLeft(write: Write): string[] {
  if (write.verb !== 'update' || write.kind !== 'Binding') return [];
  const [before, after] = [write.base.spec.clusters ?? [], write.object.spec.clusters ?? []];
  return before.map(({ name }) => name).filter((name) => !after.some((one) => one.name === name));
}
