import type { FailoverStatus } from '../../engine/explanation/failoverStatus.ts';
import {
  failoverStatusChanges,
  type FailoverStatusChange,
} from '../../engine/explanation/failoverStatusChanges.ts';
import { INTERPRETERS } from '../../engine/status/healthInterpreter.ts';
import { slimServer } from '../../operations/drain/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import { mirror } from '../../state/live/reflector.ts';
import type { Ports } from '../ports.ts';
import { knownCluster } from '../selection/knownCluster.ts';
import { openState } from '../state/openState.ts';
import { concerned, tellWhile, type Tell, type Telling } from '../watching.ts';
import {
  failoverSwitches,
  isForecast,
  statusOf,
  type OpenedStatus,
  type StatusRequest,
} from './failoverStatus.ts';

const BINDINGS = ['ResourceBinding', 'ClusterResourceBinding'];
/** Read once: they hardly ever change. Leases change all the time, and only say when a failure would be noticed. */
const READ = ['Cluster', ...BINDINGS, ...INTERPRETERS];
const FOLLOWED = ['Cluster', ...BINDINGS, 'ClusterTaintPolicy'];

/** The first status, and whether failures of clusters are forecast in it. */
export type WatchedStatus = Omit<OpenedStatus, 'now' | 'drains'> & { forecast: boolean };

/**
 * Tells the status of failover on a live control plane, and again what of it changes, until the process is ended; `begin` is given the
 * first one. Labels of the selection are not followed. Rejects with a Problem where the named cluster does not exist.
 */
export async function watchFailoverStatus(
  { state, cluster, selection }: StatusRequest,
  begin: (first: WatchedStatus) => Tell<FailoverStatusChange>,
  ports: Ports,
): Promise<void> {
  const concerns = concerned([], selection);
  const { namespace } = selection;
  const opened = await openState(state, ports, { kinds: new Set(READ) });
  const { configuration, karmadaVersion, assumptions } = opened;
  const server = opened.server!;
  if (cluster !== undefined) knownCluster('status', cluster, opened.world);
  const { others, unread = [] } = opened.world;
  const forecast = isForecast(opened.world, cluster);
  const switches = failoverSwitches(assumptions);

  let before: FailoverStatus | undefined;
  let tell: Tell<FailoverStatusChange> | undefined;
  const slim = slimServer(server);
  const watch = (telling: Telling) =>
    watchWorld((path, listener) => mirror(slim, path, { listener }), {
      ...telling,
      kinds: new Set([...FOLLOWED, ...(forecast ? ['Work'] : [])]),
      onWorld(followed, now) {
        const world = { ...followed, others, unread: [...unread, ...(followed.unread ?? [])] };
        const bindings = world.bindings.filter(
          (binding) =>
            (namespace === undefined || binding.metadata.namespace === namespace) && concerns(binding),
        );
        // who began without what forecasts need goes on without
        const status = statusOf(
          { world, now, configuration, assumptions },
          bindings,
          cluster,
          ports.names,
          forecast && isForecast(world, cluster),
        );
        const changes = failoverStatusChanges(before, status);
        before = status;
        tell ??= begin({ status, switches, assumptions, karmadaVersion, forecast });
        const told = tell;
        if (changes.length > 0) telling.tell(() => told(changes, now));
      },
    });
  await tellWhile(server, watch, ports);
}
