import type { EvictionTaskChange } from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import type { QueueStatus } from '../../analysis/explanation/waitingEvictions.ts';
import { watchEvictions } from '../../operations/eviction/watchEvictions.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import { LEADER_LEASES } from '../../state/live/stateKinds.ts';
import type { Ports } from '../ports.ts';
import { type Selection, bindingsNamed } from '../selection/selection.ts';
import { assumedTimeout } from '../state/assumptions.ts';
import { unfollowedObjects } from '../state/followedWorld.ts';
import { openState } from '../state/openState.ts';
import type { LiveRequest } from '../state/stateRequest.ts';
import { bindingFilter, runWatch, type OnChanges, type WatchRequest } from '../watching.ts';

/** The eviction tasks to watch: of named workloads, or of all in the selection. Label changes are not followed. */
export interface EvictionWatch {
  state: LiveRequest;
  /** empty: all in the selection */
  targets: readonly string[];
  selection: Selection;
}

/** Called with tasks, and with the eviction queue. */
interface EvictionListeners {
  tasks: OnChanges<EvictionTaskChange>;
  queue: OnChanges<QueueStatus>;
  /** called with the start of the server's silence (epoch milliseconds), undefined once it responds; absent: warns */
  silence?: ((since: number | undefined) => void) | undefined;
}

/** The control plane that is watched. */
interface WatchedServer {
  /** its context or URL */
  name: string;
  karmadaVersion: string;
  /** its clock, epoch milliseconds */
  now(): number;
}

/**
 * Reports the eviction tasks of a live control plane (an empty list if there are none), then each change, and the
 * state of the eviction queue in versions with one, until the signal aborts or the process ends. Rejects with a
 * Problem if a named workload does not exist.
 */
export async function watchEvictionTasks(
  { state, targets, selection }: EvictionWatch,
  begin: (watched: WatchedServer) => EvictionListeners | Promise<EvictionListeners>,
  ports: Ports,
  signal?: AbortSignal,
): Promise<void> {
  const { namespace } = selection;
  const kinds = new Set([
    'Cluster',
    LEADER_LEASES.kind,
    ...(targets.length === 0 ? [] : ['ResourceBinding', 'ClusterResourceBinding']),
  ]);
  const opened = await openState(state, ports, { kinds, live: { namespace } });
  const { world, configuration, assumptions, server } = opened;
  for (const target of targets) bindingsNamed(target, world.bindings, namespace);
  const timeout = assumedTimeout(assumptions, configuration, ports.names);
  if (timeout) ports.warn(timeout.warning);

  const { karmadaVersion } = opened;
  const listeners = await begin({
    name: server.context ?? server.url,
    karmadaVersion,
    now: () => server.now(),
  });
  const unfollowed = unfollowedObjects(server, world, { checks: false });
  const over = new AbortController();
  let refresh: (() => void) | undefined;
  const watch = (request: WatchRequest) =>
    watchEvictions((path, listener) => mirror(server, path, { listener }), {
      ...request,
      namespace,
      concerns: bindingFilter(targets, selection),
      configuration,
      others: () => unfollowed.world().others,
      onStopped: (again) => (refresh = again),
      timeoutAssumed: timeout?.missing,
      onChanges: (changes, now) => request.enqueue(() => listeners.tasks(changes, now)),
      onQueue: (standing, now) => request.enqueue(() => listeners.queue([standing], now)),
    });
  try {
    await Promise.race([
      runWatch(server, watch, ports, { signal, silence: listeners.silence }),
      unfollowed.keepReading(over.signal, () => refresh?.()),
    ]);
  } finally {
    over.abort();
    server.close();
  }
}
