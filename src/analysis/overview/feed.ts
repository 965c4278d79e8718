import type { AnsweredAssumption, Basis } from '../../karmada/configuration/assumptions.ts';
import type { History } from '../history/history.ts';
import type { ClusterForecast, WorkloadVerdict } from '../forecast/losses.ts';
import { type OverviewEvent, newestFirst } from './overviewEvents.ts';
import type { WorkloadSummary } from '../explanation/workloadNow.ts';
import type { Overview } from './overview.ts';

/** The process that holds a Lease. Times are epoch milliseconds. */
export type ObservedLease =
  /** `since`: when the holder acquired it */
  | { state: 'held'; holder: string; since: number; renewed: number }
  /** the holder has stopped renewing it */
  | { state: 'expired'; holder: string; renewed: number }
  /** it has no holder */
  | { state: 'free' }
  | { state: 'absent' }
  | { state: 'unknown'; why: string };

/** Which controllers run on a control plane, by Leases with default names. */
export interface ObservedControllers {
  /** karmada-controller-manager */
  karmadas: ObservedLease;
  /** our controllers that replace it */
  ours: ObservedLease;
}

interface FeedSource extends Basis {
  /** whether it is followed; otherwise it is one instant of a captured state */
  live: boolean;
  /** whether it is an instant of a recording */
  recorded: boolean;
  /** the server, context or files */
  name: string;
  /** gates and flags that affect failover */
  switches: AnsweredAssumption[];
}

/** The history in a recording, up to the displayed instant. */
export type RecordedEvents = Pick<History, 'start' | 'end' | 'events' | 'doubts'>;

/** A feed's current data about a control plane. */
export interface Feed {
  source?: FeedSource | undefined;
  /** absent before the first overview */
  overview?: Omit<Overview, 'workloads' | 'events'> | undefined;
  /** epoch milliseconds of the display's clock: arrival of the overview */
  cameAt: number;
  workloads: readonly WorkloadSummary[];
  /** newest first, including those of earlier overviews */
  events: readonly OverviewEvent[];
  /** of a recording, once it has been read */
  history?: RecordedEvents | undefined;
  forecasts: ReadonlyMap<string, ClusterForecast>;
  /** for each workload by its key: its outcome if each of its clusters fails */
  verdicts: ReadonlyMap<string, readonly ClusterVerdict[]>;
  /** last change of a workload, and start of the newest complete forecast, by the clock of `cameAt`; 0: none yet */
  changedAt: number;
  forecastAt: number;
  /** how many clusters have been forecast, and since when; undefined: no forecast is running */
  computing?: { done: number; total: number; since: number } | undefined;
  /** the slow operation in progress, as text */
  doing?: string | undefined;
  /** since when the server has been silent: epoch milliseconds of its clock */
  staleSince?: number | undefined;
  /** of a live control plane, once it is known */
  controllers?: ObservedControllers | undefined;
  /** warnings, in the order of arrival */
  warnings: readonly string[];
  /** why the feed has ended */
  failure?: string | undefined;
}

export interface ClusterVerdict extends Omit<WorkloadVerdict, 'key'> {
  cluster: string;
}

/** A message that changes a feed. Each is plain data, so that it can be sent from another thread. */
export type FeedNews =
  | { type: 'source'; source: FeedSource }
  /** only the workloads changed since the last overview, and the keys of deleted ones */
  | { type: 'workloads'; changed: WorkloadSummary[]; gone: string[] }
  | { type: 'overview'; overview: Omit<Overview, 'workloads'> }
  | { type: 'history'; history: RecordedEvents }
  | {
      type: 'forecasts';
      forecasts: ClusterForecast[];
      computing?: { done: number; total: number } | undefined;
    }
  | { type: 'doing'; text: string | undefined }
  | { type: 'stale'; since: number | undefined }
  | { type: 'controllers'; controllers: ObservedControllers }
  | { type: 'warning'; text: string }
  | { type: 'failure'; text: string };

/** How many events are kept; the oldest ones are dropped. */
const MAX_HAPPENINGS = 2000;
const MAX_WARNINGS = 100;

/** A feed before any news. */
export const emptyFeed: Feed = {
  cameAt: 0,
  changedAt: 0,
  forecastAt: 0,
  workloads: [],
  events: [],
  forecasts: new Map(),
  verdicts: new Map(),
  warnings: [],
};

/**
 * The feed after some news.
 *
 * @param cameAt when the news arrived, in epoch milliseconds of the display's clock
 */
export function withNews(feed: Feed, news: FeedNews, cameAt: number): Feed {
  switch (news.type) {
    case 'source':
      return { ...feed, source: news.source };
    case 'workloads':
      return { ...feed, changedAt: cameAt, workloads: withWorkloads(feed.workloads, news) };
    case 'overview': {
      const { events, ...overview } = news.overview;
      return {
        ...withoutGone(feed, overview.status.clusters),
        overview,
        cameAt,
        events: withEvents(feed.events, events),
      };
    }
    case 'history':
      return { ...feed, history: news.history };
    case 'forecasts':
      return { ...withForecasts(feed, news.forecasts), ...progressOf(feed, news.computing, cameAt) };
    case 'doing':
      return { ...feed, doing: news.text };
    case 'stale':
      return { ...feed, staleSince: news.since };
    case 'controllers':
      return { ...feed, controllers: news.controllers };
    case 'warning':
      return { ...feed, warnings: [...feed.warnings, news.text].slice(-MAX_WARNINGS) };
    case 'failure':
      return { ...feed, failure: news.text };
  }
}

function progressOf(
  { computing: before, forecastAt }: Feed,
  computing: Extract<FeedNews, { type: 'forecasts' }>['computing'],
  cameAt: number,
): Pick<Feed, 'computing' | 'forecastAt'> {
  const since = before?.since ?? cameAt;
  return computing
    ? { computing: { ...computing, since }, forecastAt }
    : { computing: undefined, forecastAt: since };
}

/**
 * The age of the forecasts whose workloads have changed since, in milliseconds; undefined if none has.
 *
 * @param now by the clock of `cameAt`
 */
export function ageOfForecasts({ changedAt, forecastAt }: Feed, now: number): number | undefined {
  return forecastAt > 0 && changedAt > forecastAt ? now - forecastAt : undefined;
}

function withWorkloads(
  before: readonly WorkloadSummary[],
  { changed, gone }: Extract<FeedNews, { type: 'workloads' }>,
): WorkloadSummary[] {
  const byKey = new Map(before.map((one) => [one.key, one]));
  for (const one of changed) byKey.set(one.key, one);
  for (const key of gone) byKey.delete(key);
  return [...byKey.values()];
}

/** Future events come from the newest overview alone; past ones are kept. */
function withEvents(before: readonly OverviewEvent[], now: readonly OverviewEvent[]): OverviewEvent[] {
  const fresh = new Set(now.map(({ id }) => id));
  const kept = before.filter(({ id, type }) => type !== 'deadlines' && !fresh.has(id));
  return [...now, ...kept].sort(newestFirst).slice(0, MAX_HAPPENINGS);
}

/** Removed clusters get no new forecasts, so their old ones must be dropped. */
function withoutGone(feed: Feed, clusters: readonly { name: string }[]): Feed {
  const there = new Set(clusters.map(({ name }) => name));
  const gone = [...feed.forecasts.keys()].filter((name) => !there.has(name));
  if (gone.length === 0) return feed;
  const forecasts = new Map(feed.forecasts);
  const verdicts = new Map(feed.verdicts);
  for (const name of gone) {
    takeBack(verdicts, forecasts.get(name));
    forecasts.delete(name);
  }
  return { ...feed, forecasts, verdicts };
}

function withForecasts(feed: Feed, news: readonly ClusterForecast[]): Feed {
  const forecasts = new Map(feed.forecasts);
  const verdicts = new Map(feed.verdicts);
  for (const forecast of news) {
    const { cluster } = forecast;
    takeBack(verdicts, forecasts.get(cluster));
    for (const { key, ...verdict } of forecast.workloads)
      verdicts.set(key, [...(verdicts.get(key) ?? []), { cluster, ...verdict }]);
    forecasts.set(cluster, forecast);
  }
  return { ...feed, forecasts, verdicts };
}

/** Removes a forecast from the verdicts; deleted workloads are removed entirely. */
function takeBack(verdicts: Map<string, readonly ClusterVerdict[]>, forecast: ClusterForecast | undefined) {
  for (const { key } of forecast?.workloads ?? []) {
    const others = (verdicts.get(key) ?? []).filter(({ cluster }) => cluster !== forecast?.cluster);
    if (others.length > 0) verdicts.set(key, others);
    else verdicts.delete(key);
  }
}

/** The verdict with the lowest rank. */
export function worstVerdict(
  verdicts: readonly ClusterVerdict[],
  rankOf: (verdict: ClusterVerdict) => number,
): ClusterVerdict | undefined {
  return verdicts.reduce<ClusterVerdict | undefined>(
    (worst, one) => (worst && rankOf(worst) <= rankOf(one) ? worst : one),
    undefined,
  );
}
