import type { History } from '../../analysis/history/history.ts';
import type { FeedNews, RecordedEvents } from '../../analysis/overview/feed.ts';
import { forecastEachCluster, type ClusterForecast } from '../../analysis/forecast/losses.ts';
import { observeEvictions } from '../../analysis/overview/overviewEvents.ts';
import type { WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import { knownOverview, overviewOf } from '../../analysis/overview/overview.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import type { World } from '../../karmada/world.ts';
import type { Changed } from '../../karmada/controllers/write.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { pause } from '../../operations/pause.ts';
import { slimServer } from '../../operations/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import { apiPath, CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS } from '../../state/live/resources.ts';
import { observedControllers } from '../controller/observedLeases.ts';
import { sameVersions } from '../../karmada/sameVersions.ts';
import { EXPLAINED_TEMPLATES } from '../explanation/explainFailover.ts';
import type { Ports } from '../ports.ts';
import { FOLLOWED_KINDS, followedWorld, unfollowedObjects } from '../state/followedWorld.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { ScenarioRequest } from '../scenario/makeScenario.ts';
import { memberAssumptions, templatesFor } from '../scenario/runScenario.ts';
import type { OpenedScenario, StateRequest } from '../state/stateRequest.ts';
import { failoverSwitches } from '../status/failoverStatus.ts';
import { createSimulatedEvictions } from './simulatedEvictions.ts';
import { sharedStart } from './sharedStart.ts';
import { recordedPast, type RecordedPast } from './recordedPast.ts';

const BINDINGS: ReadonlySet<string> = new Set(
  [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS].map((kind) => apiPath(kind)),
);

export interface FollowedState {
  /** the state at the last refresh; undefined before the first one */
  current(): OpenedState | undefined;
  /** the earlier part of the recording; undefined if the state is not from a recording */
  past(): Promise<RecordedPast | undefined>;
  /** resolves once there is nothing more to report; rejects if the control plane can no longer be read or followed */
  over: Promise<void>;
}

interface FollowOptions {
  notify(news: FeedNews): void;
  /** the name of the source: a context, or files */
  nameOf(state: OpenedState): string;
  /** a scenario to simulate: the state is opened with its assumptions */
  given?: { request: ScenarioRequest; opened?: OpenedScenario | undefined } | undefined;
  /** throws if the state cannot have the requested objects; following then ends */
  check?(state: OpenedState): void;
  signal: AbortSignal;
  /** milliseconds, to measure how long forecasts take */
  stopwatch(): number;
}

/** Workloads are reported in pieces of this size, so that no piece takes noticeable time. */
const PIECE = 1000;
/**
 * Milliseconds within which forecasts are reported together; and the rest after them, as a multiple of their
 * duration.
 */
const TOGETHER = 250;
const REST = 4;
/** Milliseconds between two reads of the Leases of controllers. */
const LEASES_EVERY = 10_000;

/** Reports the contents of a state, first and after each change, and the outcomes of failures. */
export function followState(
  request: StateRequest,
  { notify, given, nameOf, check, signal, stopwatch }: FollowOptions,
  ports: Ports,
): FollowedState {
  let current: OpenedState | undefined;
  /** how many evictions need a simulation that has not run yet */
  let unplayed: number | undefined;
  let past: Promise<RecordedPast | undefined> = Promise.resolve(undefined);
  const reported = new Map<string, WorkloadSummary>();
  const known = knownOverview();
  const played = createSimulatedEvictions({ ...ports, startProgress: () => noProgress });

  function refresh(state: OpenedState): void {
    const { world, now, configuration, assumptions, proven } = state;
    current = state;
    const { workloads, ...overview } = overviewOf(world, {
      now,
      configuration,
      unverified: unverified(assumptions),
      proven,
      names: ports.names,
      played: played.in(state),
      known,
    });
    reportWorkloads(workloads);
    unplayed = overview.unplayed;
    notify({ type: 'overview', overview });
  }

  /** Simulates the remaining evictions and reports their outcomes. Returns its duration in milliseconds. */
  function play(): number {
    if (unplayed === undefined) return 0;
    const began = stopwatch();
    played.play(current!);
    refresh(current!);
    return stopwatch() - began;
  }

  function reportWorkloads(workloads: readonly WorkloadSummary[]): void {
    const changed = workloads.filter((one) => reported.get(one.key) !== one);
    const there = new Set(workloads.map(({ key }) => key));
    const gone = [...reported.keys()].filter((key) => !there.has(key));
    for (const one of changed) reported.set(one.key, one);
    for (const key of gone) reported.delete(key);
    if (gone.length > 0) notify({ type: 'workloads', changed: [], gone });
    for (let at = 0; at < changed.length; at += PIECE)
      notify({ type: 'workloads', changed: changed.slice(at, at + PIECE), gone: [] });
  }

  /**
   * Forecasts each cluster in the current state, with pauses in which the rest of the process can run. Returns its
   * duration in milliseconds, without the pauses.
   */
  async function forecast(): Promise<number> {
    const { world, now, configuration } = current!;
    const total = world.clusters.length;
    const when = { start: now, members: usualMembers(world) };
    const options = { ...sharedStart(current!, when), otherOrders: OTHER_ORDERS };
    let pending: ClusterForecast[] = [];
    let done = 0;
    let since = stopwatch();
    let took = 0;
    let began = since;
    notify({ type: 'forecasts', forecasts: [], computing: { done, total } });
    for (const one of forecastEachCluster(world, when, configuration, options)) {
      took += stopwatch() - began;
      pending.push(one);
      done++;
      if (stopwatch() - since >= TOGETHER) {
        notify({ type: 'forecasts', forecasts: pending, computing: { done, total } });
        [pending, since] = [[], stopwatch()];
      }
      await new Promise(setImmediate);
      if (signal.aborted) break;
      began = stopwatch();
    }
    if (!signal.aborted) notify({ type: 'forecasts', forecasts: pending });
    return took;
  }

  /** Keeps simulating evictions while they change, with rests. */
  async function keepPlaying(): Promise<void> {
    while (!signal.aborted) await pause(Math.max(TOGETHER, REST * play()), signal);
  }

  /** Keeps forecasting while the state changes, with rests. */
  async function keepForecasting(): Promise<void> {
    for (let last: OpenedState | undefined; !signal.aborted;) {
      if (!current || current === last) {
        await pause(TOGETHER, signal);
        continue;
      }
      // the watch starts with the objects that were read before
      const isKnown = last !== undefined && sameVersions(current.world, last.world);
      last = current;
      if (!isKnown) await pause(REST * (await forecast()), signal);
    }
  }

  /** Reports periodically which controllers are running. */
  async function followControllers(server: ApiServer): Promise<void> {
    while (!signal.aborted) {
      const controllers = await observedControllers(server, signal);
      if (signal.aborted) return;
      notify({ type: 'controllers', controllers });
      await pause(LEASES_EVERY, signal);
    }
  }

  async function follow(): Promise<void> {
    const opened = await openStateToRead(request, ports, {
      scenario: given?.opened,
      live: {
        checks: true,
        templates: {
          ...EXPLAINED_TEMPLATES,
          ...(given && templatesFor(given.request.events, given.opened?.file)),
        },
      },
    });
    const { karmadaVersion, assumptions, server } = opened;
    try {
      check?.(opened);
    } catch (error) {
      server?.close();
      throw error;
    }
    const source = {
      name: nameOf(opened),
      karmadaVersion,
      switches: failoverSwitches(assumptions),
      assumptions: [
        ...assumptions,
        ...memberAssumptions({ members: usualMembers(opened.world) }, false, opened.world),
      ],
    };
    const recorded = opened.loaded.recorded?.paths !== undefined;
    notify({ type: 'source', source: { live: server !== undefined, recorded, ...source } });
    past = recordedPast(opened);
    // every caller that awaits it gets the error
    past.catch(() => undefined);
    refresh(opened);
    if (!server) {
      const history = (await past)?.history;
      if (history) notify({ type: 'history', history: eventsOf(history) });
      play();
      await forecast();
      return;
    }
    const unfollowed = unfollowedObjects(server, opened.world, { checks: true });
    let seen: World | undefined;
    const refreshAll = () => {
      if (!seen) return;
      const world = followedWorld(seen, FOLLOWED_KINDS, { ...opened, world: unfollowed.world() });
      refresh({ ...opened, world, now: server.now() });
    };
    const slim = slimServer(server);
    const watching = watchWorld(
      (path, listener) =>
        mirror(slim, path, {
          listener(change) {
            // counts evicted workloads even if the eviction ends before the next refresh
            if (BINDINGS.has(path)) observeEvictions(known.evictions, change as Changed<ResourceBinding>);
            listener(change);
          },
        }),
      {
        kinds: FOLLOWED_KINDS,
        now: () => server.now(),
        signal,
        onSilence: (silent, _, since) => notify({ type: 'stale', since: silent ? since : undefined }),
        onWarning: ports.warn,
        onWorld(followed) {
          seen = followed;
          refreshAll();
        },
      },
    );
    try {
      await Promise.race([
        ...[watching, keepPlaying(), keepForecasting()],
        ...[followControllers(server), unfollowed.keepReading(signal, refreshAll)],
      ]);
    } finally {
      server.close();
    }
  }

  return { current: () => current, past: () => past, over: follow() };
}

/** The parts of a history that views show. */
function eventsOf({ start, end, events, doubts }: History): RecordedEvents {
  return { start, end, events, doubts };
}

const noProgress = { report: () => undefined, done: () => undefined };
