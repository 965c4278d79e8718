import {
  type FailoverStatus,
  type FailoverStatusChange,
  failoverStatusChanges,
} from '../../analysis/explanation/failoverStatus.ts';
import { slimServer } from '../../operations/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import type { Ports } from '../ports.ts';
import { knownCluster } from '../selection/selection.ts';
import { followedWorld } from '../state/followedWorld.ts';
import { openStateToRead } from '../state/openState.ts';
import type { LiveRequest } from '../state/stateRequest.ts';
import { bindingFilter, runWatch, type OnChanges, type WatchRequest } from '../watching.ts';
import {
  assumptionsOfForecast,
  failoverSwitches,
  isForecast,
  STATUS_KINDS,
  statusOf,
  type OpenedStatus,
  type StatusRequest,
} from './failoverStatus.ts';

/** All kinds of a status except Leases: they always change, and only show when Karmada would notice a failure. */
const FOLLOWED = STATUS_KINDS.filter((kind) => kind !== 'Lease');
/** The kinds of a status without a forecast; Works are by far the most objects. */
const WITHOUT_FORECAST = FOLLOWED.filter((kind) => kind !== 'Work');

/** The first status, and whether failures of clusters are forecast in it. */
type WatchedStatus = Omit<OpenedStatus, 'now' | 'drains'> & { forecast: boolean };

/**
 * Reports the failover status of a live control plane, then each change of it, until the process ends; `begin` gets
 * the first. Label changes are not followed. Rejects with a Problem if the named cluster does not exist.
 */
export async function watchFailoverStatus(
  { state, cluster, selection }: StatusRequest & { state: LiveRequest },
  begin: (first: WatchedStatus) => OnChanges<FailoverStatusChange>,
  ports: Ports,
): Promise<void> {
  const concerns = bindingFilter([], selection);
  const { namespace } = selection;
  const opened = await openStateToRead(state, ports, { kinds: new Set(WITHOUT_FORECAST) });
  const { configuration, karmadaVersion, assumptions, proven, server } = opened;
  if (cluster !== undefined) knownCluster('status', cluster, opened.world);
  const forecast = isForecast(opened.world, cluster);
  const about = {
    switches: failoverSwitches(assumptions),
    assumptions: forecast ? assumptionsOfForecast(opened.world, assumptions) : assumptions,
  };

  const kinds = new Set(forecast ? FOLLOWED : WITHOUT_FORECAST);
  let before: FailoverStatus | undefined;
  let onChanges: OnChanges<FailoverStatusChange> | undefined;
  const slim = slimServer(server);
  const watch = (request: WatchRequest) =>
    watchWorld((path, listener) => mirror(slim, path, { listener }), {
      ...request,
      kinds,
      onWorld(followed, now) {
        const world = followedWorld(followed, kinds, opened);
        const bindings = world.bindings.filter(
          (binding) =>
            (namespace === undefined || binding.metadata.namespace === namespace) && concerns(binding),
        );
        // the watch started without the kinds of a forecast, so later statuses have none
        const status = statusOf(
          { world, now, configuration, assumptions, ...(proven && { proven }) },
          bindings,
          cluster,
          ports.names,
          forecast && isForecast(world, cluster),
        );
        const changes = failoverStatusChanges(before, status);
        before = status;
        onChanges ??= begin({ status, ...about, karmadaVersion, forecast });
        const listener = onChanges;
        if (changes.length > 0) request.enqueue(() => listener(changes, now));
      },
    });
  await runWatch(server, watch, ports);
}
