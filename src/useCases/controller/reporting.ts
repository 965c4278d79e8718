import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import { reconcileNews, type ControllerNews } from '../../karmada/running/controllerNews.ts';
import { createTally, type ControllerReport } from '../../karmada/running/controllerReport.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import { createDesignMetrics } from '../../operations/controllers/designMetrics.ts';
import { createQueueMetrics } from '../../operations/controllers/controllerMetrics.ts';
import { eventsOf, queueEventsOf, type KarmadaEvent } from '../../operations/controllers/controllerEvents.ts';
import type { ControllerObserver } from '../../operations/controllers/controllerHost.ts';
import type { LiveView } from '../../operations/controllers/liveView.ts';
import { createEventRecorder, type EventRecorder } from '../../operations/events/eventRecorder.ts';
import type { Logger, Metrics } from '../../kubernetes/observation.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Timing } from '../../state/live/mirrors/timing.ts';
import type { RunRefusal } from './refusal.ts';
import type { ControllerSettings } from './settings.ts';

/** The outputs of a running controller's reports. */
export interface ReportingPorts {
  logger: Logger;
  metrics: Metrics;
  /** receives everything that happens, in order */
  notify?: ((happening: ControllerEvent) => void) | undefined;
  /** the log entry for a piece of news: message and fields */
  logged: (news: ControllerNews) => { message: string; fields: Readonly<Record<string, unknown>> };
  /** sanitizes a foreign text for Events: no secrets, no terminal control characters */
  presentable: (text: string) => string;
}

/** A report of a running controller. Times are epoch milliseconds. */
export type ControllerEvent =
  | {
      type: 'started';
      time: number;
      settings: ControllerSettings;
      observe: boolean;
      clusters: number;
      bindings: number;
      /** the reasons why it would have refused to write */
      refusals: readonly RunRefusal[];
    }
  | { type: 'leader'; time: number; holder: string; self: boolean }
  | { type: 'leadership-lost'; time: number }
  | { type: 'news'; news: ControllerNews }
  | { type: 'finished'; time: number; report: ControllerReport };

export interface Reporting {
  readonly observer: ControllerObserver<ControllerName>;
  /** updates metrics that change with time alone */
  refresh(): void;
  started(refusals: readonly RunRefusal[]): void;
  leader(holder: string, self: boolean): void;
  leading(leads: boolean): void;
  leadershipLost(): void;
  leaseFailed(error: unknown): void;
  conditionFailed(binding: string, error: string): void;
  /** resolves when all Events so far are written or given up */
  written(): Promise<void>;
  finished(): void;
}

interface Reported {
  server: ApiServer;
  settings: ControllerSettings;
  live: LiveView;
  observe: boolean;
  timing: Timing;
  /** stops writing Events */
  signal: AbortSignal;
  host: string;
}

/** Reports what controllers do: log, metrics, Events of the API (unless they only observe), and a final report. */
export async function createReporting(
  { server, settings, live, observe, timing, signal, host }: Reported,
  { logger, metrics, notify, logged, presentable }: ReportingPorts,
): Promise<Reporting> {
  const { leaderElection } = settings;
  const tally = createTally(server.now());
  const counted = createQueueMetrics(metrics, () => timing.now());
  const designed = hasOneQueue(settings.configuration.rules)
    ? createDesignMetrics(metrics, live.view, () => timing.now())
    : undefined;
  const typed = observe ? undefined : await server.typed();
  const recorders = new Map<string, EventRecorder>();

  function recorderOf(component: string): EventRecorder {
    const known = recorders.get(component);
    if (known) return known;
    const recorder = createEventRecorder({
      events: typed!.events,
      component,
      host,
      timing,
      signal,
      onFailure: (event, error) =>
        logger.error('An Event could not be written', { reason: event.reason, error: textOf(error) }),
    });
    recorders.set(component, recorder);
    return recorder;
  }

  function report(news: ControllerNews): void {
    const { message, fields } = logged(news);
    if (news.type === 'failed') logger.error(message, fields);
    else logger.info(VERBOSITY[news.type], message, fields);
    tally.add(news);
    notify?.({ type: 'news', news });
    metrics.count(
      'karmada_failover_decisions_total',
      'Decisions of the controllers: writes, or the writes that a dry run leaves out.',
      { controller: news.controller, type: news.type },
    );
    record(eventsOf(news, live.view));
  }

  function record(events: readonly KarmadaEvent[]): void {
    if (!typed) return;
    for (const { component, subject, type, reason, message } of events)
      recorderOf(component).record(subject, type, reason, presentable(message));
  }

  const leads = (value: boolean) =>
    metrics.set(
      'leader_election_master_status',
      'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
      ...([value ? 1 : 0, { name: leaderElection.name }] as const),
    );

  return {
    observer: {
      ...bothOf(counted, designed),
      // a tainted cluster would explain all its bindings; each explains itself when it is processed
      explains: (controller) => controller !== 'taint-manager',
      reconciled(result) {
        designed?.reconciled?.(result);
        for (const news of reconcileNews(result)) report(news);
        if (designed) record(queueEventsOf(result, live.view));
      },
    },
    refresh() {
      counted.refresh();
      designed?.refresh();
    },
    started(refusals) {
      const bindings = count(live.view.all('Binding'));
      const clusters = count(live.view.all('Cluster'));
      if (!observe && leaderElection.enabled) leads(false);
      notify?.({ type: 'started', time: server.now(), settings, observe, clusters, bindings, refusals });
    },
    leader(holder, self) {
      logger.info(0, 'Leader', { holder, self });
      notify?.({ type: 'leader', time: server.now(), holder, self });
    },
    leading: leads,
    leadershipLost() {
      logger.error('The Lease was not renewed in time; waiting for it again');
      metrics.count('karmada_failover_leadership_lost_total', 'How often the Lease was not renewed in time.');
      notify?.({ type: 'leadership-lost', time: server.now() });
    },
    conditionFailed: (binding, error) => logger.error('A condition could not be written', { binding, error }),
    leaseFailed: (error) => logger.error('A request about the Lease failed', { error: textOf(error) }),
    written: async () => {
      await Promise.all([...recorders.values()].map((recorder) => recorder.written()));
    },
    finished: () => notify?.({ type: 'finished', time: server.now(), report: tally.report(server.now()) }),
  };
}

/** An observer that forwards everything to both. */
function bothOf(one: ControllerObserver, other: ControllerObserver | undefined): ControllerObserver {
  if (!other) return one;
  return {
    retried: one.retried?.bind(one),
    added(...objects) {
      one.added?.(...objects);
      other.added?.(...objects);
    },
    dropped(...objects) {
      one.dropped?.(...objects);
      other.dropped?.(...objects);
    },
    taken(...objects) {
      one.taken?.(...objects);
      other.taken?.(...objects);
    },
    done(...objects) {
      one.done?.(...objects);
      other.done?.(...objects);
    },
  };
}

/** klog's verbosity for news other than failures. */
const VERBOSITY: Record<Exclude<ControllerNews['type'], 'failed'>, number> = {
  tainted: 0,
  evicted: 0,
  'task-begun': 2,
  'task-ended': 0,
  tolerated: 2,
  queued: 0,
  abandoned: 0,
  dropped: 0,
  pace: 0,
};

function count(objects: Iterable<unknown>): number {
  let all = 0;
  for (const _ of objects) all++;
  return all;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
