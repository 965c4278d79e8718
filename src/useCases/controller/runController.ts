import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import { createDryRunWrites } from '../../operations/controllers/dryRunWrites.ts';
import { watchRivals } from '../../operations/controllers/rivalWatch.ts';
import { jobFacts } from '../../karmada/controllers/registry.ts';
import { controllersFor } from '../../karmada/running/karmadaControllers.ts';
import { linkedSignal } from '../../state/live/requests/linkedSignal.ts';
import { followedBy, openLiveView, type LiveView } from '../../operations/controllers/liveView.ts';
import type { OpenMirror } from '../../state/live/mirrors/mirror.ts';
import { createQueueConditions } from '../../operations/controllers/queueConditions.ts';
import { runOnLive } from '../../operations/controllers/runOnLive.ts';
import { whileLeading } from '../../operations/leaderElection.ts';
import { isUncontested, type Leadership } from '../../operations/leadership.ts';
import { pause as realPause, type Pause, untilAborted } from '../../operations/pause.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { realTiming, type Timing } from '../../state/live/mirrors/timing.ts';
import type { ObservedComponents } from '../../state/componentFlags.ts';
import type { Ports } from '../ports.ts';
import type { LiveSource } from '../state/stateRequest.ts';
import { chooseRules } from './chooseRules.ts';
import { refusals } from './refusals.ts';
import type { RunRefusal } from './refusal.ts';
import { createReporting, type Reporting, type ReportingPorts } from './reporting.ts';
import type { ControllerSettings, GivenSetting } from './settings.ts';

interface ControllerRequest {
  source: LiveSource;
  /** from a file, then from flags; later ones count */
  given: readonly GivenSetting[];
  /**
   * how karmada-controller-manager was started, according to the user, if it cannot be read:
   * "controllers=*,-gracefulEviction"
   */
  said: readonly string[];
  /** decides, but writes nothing */
  observe: boolean;
  /** unique for each process */
  identity: string;
  /** the machine or Pod it runs on */
  host: string;
  /** stops it gracefully */
  signal: AbortSignal;
  openMirror?: OpenMirror;
  timing?: Timing;
  pause?: Pause;
}

interface ControllerPorts extends Ports, ReportingPorts {
  /** serves health and metrics as soon as the settings are known, until the returned function is called */
  serve?: (settings: ControllerSettings, health: Health) => Promise<() => Promise<void>>;
}

/** The answers to probes. */
export interface Health {
  /** why it cannot work now; undefined if it can, even while another one leads */
  notReady(): string | undefined;
  /** updates metrics, right before they are read */
  refresh(): void;
}

type ControllerEnd = { ended: 'stopped' } | { ended: 'refused'; refusals: readonly RunRefusal[] };

/** Milliseconds for Events that are still waiting when everything else has ended. */
const LAST_EVENTS = 5_000;

/**
 * Runs the chosen controllers on a control plane until the signal aborts: checks that it is safe, follows the kinds
 * they read, waits for the Lease, works while it holds it, and waits again if it loses it. Before releasing the
 * Lease, it settles writes in progress and writes the Events. Rejects with a Problem for wrong settings, and with
 * ApiError if the control plane cannot be reached or does not let it read the kinds it needs.
 */
export async function runController(
  request: ControllerRequest,
  ports: ControllerPorts,
): Promise<ControllerEnd> {
  const server = await request.source.connect();
  try {
    const host = await readHost(request.source, ports);
    const { settings, running } = await chooseRules(server, request.given, host, ports);
    const found = await refusals(server, {
      settings,
      host,
      running,
      said: request.said,
      observe: request.observe,
      names: ports.names,
      pause: request.pause ?? realPause,
      signal: request.signal,
    });
    if (found.length > 0 && !request.observe) return { ended: 'refused', refusals: found };
    const seen = await work(server, request, ports, settings, found);
    return seen ? { ended: 'refused', refusals: [seen] } : { ended: 'stopped' };
  } finally {
    server.close();
  }
}

async function readHost(
  { connectHost }: LiveSource,
  { warn }: Ports,
): Promise<ObservedComponents | undefined> {
  const read = await connectHost?.();
  const host = await read?.();
  host?.warnings.forEach(warn);
  return host;
}

async function work(
  server: ApiServer,
  request: ControllerRequest,
  ports: ControllerPorts,
  settings: ControllerSettings,
  found: readonly RunRefusal[],
): Promise<RunRefusal | undefined> {
  const { observe, timing = realTiming, pause } = request;
  const rivalry = new AbortController();
  const stop = linkedSignal(request.signal, rivalry.signal);
  const { signal } = stop;
  let seen: RunRefusal | undefined;
  const { configuration } = settings;
  const openMirror = request.openMirror ?? (await import('../../state/live/mirrors/reflector.ts')).mirror;
  const stopped = new AbortController();
  const imagined = observe
    ? createDryRunWrites((kind, key, object) => live.show(kind, key, object))
    : undefined;
  const live: LiveView = openLiveView(server, {
    configuration,
    followed: followedBy(settings.controllers),
    openMirror,
    signal: stopped.signal,
    now: server.now(),
    seen: imagined?.seen,
  });
  // if nothing can be served, nothing awaits it
  live.synced.catch(() => undefined);
  let synced = false;
  let unserve: (() => Promise<void>) | undefined;
  let reporting: Reporting | undefined;
  const events = new AbortController();
  try {
    unserve = await ports.serve?.(settings, {
      notReady: () => notReady(live, synced),
      refresh: () => reporting?.refresh(),
    });
    await Promise.race([live.synced, untilAborted(signal)]);
    if (signal.aborted) return undefined;
    synced = true;
    const started = (reporting = await createReporting(
      { server, settings, live, observe, timing, signal: events.signal, host: request.host },
      ports,
    ));
    started.started(found);
    const watched = () =>
      watchRivals(server, live, settings.controllers, {
        localNow: () => timing.now(),
        found({ job, object, time }) {
          seen = { code: 'same-job-seen', controller: job, object, time, off: jobFacts(job).karmadas.off };
          rivalry.abort();
        },
      });
    const lead = async (leadership: Leadership) => {
      const unwatch = observe ? () => undefined : watched();
      // only versions with one in-memory queue have them
      const conditions =
        observe || !hasOneQueue(configuration.rules)
          ? undefined
          : createQueueConditions(server, {
              view: live.view,
              leadership,
              pause: pause ?? realPause,
              presentable: ports.presentable,
              onFailure: (binding, error) => started.conditionFailed(binding, error),
            });
      await runOnLive(server, {
        controllers: controllersFor(settings.controllers),
        configuration,
        live,
        leadership,
        pause,
        observer: {
          ...started.observer,
          reconciled(result) {
            started.observer.reconciled?.(result);
            conditions?.reconciled(result);
          },
        },
        instead: imagined?.api,
        localNow: () => timing.now(),
      }).finally(unwatch);
    };
    if (observe || !settings.leaderElection.enabled) await lead(isUncontested(signal));
    else await leadAgainAndAgain(server, { ...request, signal }, settings, timing, started, lead);
    await within(LAST_EVENTS, started.written(), timing);
    started.finished();
    return seen;
  } finally {
    events.abort();
    stop.release();
    stopped.abort();
    live.stop();
    await unserve?.();
  }
}

/** Waits for the Lease and works, until the signal aborts. After losing the Lease, it waits again. */
async function leadAgainAndAgain(
  server: ApiServer,
  { signal, identity }: ControllerRequest,
  { leaderElection }: ControllerSettings,
  timing: Timing,
  reporting: Reporting,
  lead: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const { namespace, name, leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const leases = (await server.typed()).leases(namespace);
  while (!signal.aborted) {
    const end = await whileLeading(
      {
        leases,
        name,
        identity,
        timing,
        signal,
        leaseDuration,
        renewDeadline,
        retryPeriod,
        onLeader: (holder) => reporting.leader(holder, holder === identity),
        onFailure: (error) => reporting.leaseFailed(error),
      },
      async (_signal, leadership) => {
        reporting.leading(true);
        try {
          await lead(leadership);
        } finally {
          reporting.leading(false);
        }
      },
    );
    if (end === 'lost') reporting.leadershipLost();
  }
}

/** Resolves once the work has ended, or after this many milliseconds; leaves no timer. */
async function within(milliseconds: number, work: Promise<void>, timing: Timing): Promise<void> {
  const ended = new AbortController();
  const limit = timing.sleep(milliseconds, ended.signal).catch(() => undefined);
  await Promise.race([work, limit]);
  ended.abort();
}

function notReady(live: LiveView, synced: boolean): string | undefined {
  if (!synced) return 'the control plane is still being read';
  const since = live.staleSince();
  return since === undefined
    ? undefined
    : `no answer from the API server since ${new Date(since).toISOString()}`;
}
