import {
  type FailoverStatus,
  type FailoverStatusChange,
  failoverStatusChanges,
} from '../../analysis/explanation/failoverStatus.ts';
import type { World } from '../../karmada/world.ts';
import { slimServer } from '../../operations/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import { LEADER_LEASES } from '../../state/live/stateKinds.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';
import { knownCluster } from '../selection/selection.ts';
import { FOLLOWED_KINDS, followedWorld, unfollowedObjects } from '../state/followedWorld.ts';
import { openStateToRead } from '../state/openState.ts';
import type { LiveRequest } from '../state/stateRequest.ts';
import { bindingFilter, runWatch, type OnChanges, type WatchRequest } from '../watching.ts';
import {
  failoverSwitches,
  isForecast,
  statusOf,
  type OpenedStatus,
  type StatusRequest,
} from './failoverStatus.ts';

/** The followed kinds of a status without a forecast; Works are by far the most objects. */
const WITHOUT_FORECAST: ReadonlySet<string> = new Set([...FOLLOWED_KINDS].filter((kind) => kind !== 'Work'));

/** The first status, and whether failures of clusters are forecast in it. */
type WatchedStatus = Omit<OpenedStatus, 'now' | 'drains'> & { forecast: boolean };

/**
 * Reports the failover status of a live control plane, then each change of it, until the process ends; `begin` gets
 * the first. Label changes are not followed. Rejects with a Problem if the named cluster does not exist.
 */
export async function watchFailoverStatus(
  { state, cluster, selection, readyAfter }: StatusRequest & { state: LiveRequest },
  begin: (first: WatchedStatus) => OnChanges<FailoverStatusChange>,
  ports: Ports,
): Promise<void> {
  const concerns = bindingFilter([], selection);
  const { namespace } = selection;
  const kindsAtFirst = new Set([...WITHOUT_FORECAST, LEADER_LEASES.kind]);
  const opened = await openStateToRead(state, ports, { kinds: kindsAtFirst });
  const { configuration, karmadaVersion, assumptions, proven, server } = opened;
  if (cluster !== undefined) knownCluster('status', cluster, opened.world);
  const forecast = isForecast(opened.world, cluster);
  const members = usualMembers(opened.world, readyAfter);
  const about = {
    switches: failoverSwitches(assumptions),
    assumptions: forecast
      ? [
          ...assumptions,
          ...memberAssumptions({ members }, readyAfter !== undefined, opened.world, ports.names),
        ]
      : assumptions,
  };

  const kinds = forecast ? FOLLOWED_KINDS : WITHOUT_FORECAST;
  const unfollowed = unfollowedObjects(server, opened.world, { checks: false });
  let before: FailoverStatus | undefined;
  let onChanges: OnChanges<FailoverStatusChange> | undefined;
  const slim = slimServer(server);
  const watch = (request: WatchRequest) => {
    let seen: World | undefined;
    const refresh = () => {
      if (!seen) return;
      const now = request.now();
      const world = followedWorld(seen, kinds, { ...opened, world: unfollowed.world() });
      const bindings = world.bindings.filter(
        (binding) =>
          (namespace === undefined || binding.metadata.namespace === namespace) && concerns(binding),
      );
      // the watch started without the kinds of a forecast, so later statuses have none
      const status = statusOf(
        { world, now, configuration, assumptions, members, ...(proven && { proven }) },
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
    };
    const watching = watchWorld((path, listener) => mirror(slim, path, { listener }), {
      ...request,
      kinds,
      onWorld(followed) {
        seen = followed;
        refresh();
      },
    });
    const over = new AbortController();
    const reading = unfollowed.keepReading(AbortSignal.any([request.signal, over.signal]), refresh);
    // the first one to fail stops the other
    return Promise.race([watching, reading]).finally(() => over.abort());
  };
  await runWatch(server, watch, ports);
}
