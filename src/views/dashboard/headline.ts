import type { DrainUnderWay } from '../../analysis/drain/drainsUnderWay.ts';
import { ageOfForecasts, type Feed } from '../../analysis/overview/feed.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import { listed, plural } from '../words/amounts.ts';
import { liveWords } from '../screen/timeWords.ts';
import { duration } from '../words/duration.ts';
import { failoverStateWords } from '../words/failoverState.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { troubleCounts } from '../words/workloadState.ts';
import { controllerWords } from './controllersAtWork.ts';
import { evictionTrouble } from '../screen/evictionTasks.ts';

/** "karmada v1.18.2 live": the source of the displayed state. */
export function sourceWords({ source }: Feed): Words {
  if (!source) return asStrong('Karmada failover');
  return [asStrong(source.name), asFaint(`   Karmada ${source.karmadaVersion}`)];
}

/** How fresh the state is: "live, 12:00:03Z", "no answer for 12s: may be stale", "as of 2026-08-31T16:04:11Z". */
export function freshnessWords(feed: Feed, now: number): Words {
  const { source, overview, staleSince, failure } = feed;
  if (failure !== undefined) return asBad(failure);
  if (!source || !overview) return asFaint('reading...');
  if (staleSince !== undefined) return liveWords(staleSince, now);
  const progress = forecastWords(feed, now - overview.now + feed.cameAt);
  if (!source.live) return [progress, asFaint(`as of ${rfc3339(overview.now)}`)];
  return [progress, liveWords(undefined, now)];
}

/** How long forecasts of an earlier state are not marked as old, in milliseconds. */
const FRESH = 10_000;

/** The progress of the forecasts, or their age if workloads have changed since. */
function forecastWords(feed: Feed, now: number): Words {
  const { computing } = feed;
  const age = ageOfForecasts(feed, now);
  const old = age !== undefined && age >= FRESH ? `forecast ${duration(age)} old` : undefined;
  if (computing)
    return asFaint(`${old ? `${old}, new one` : 'forecast'} ${computing.done}/${computing.total}   `);
  return old ? asWarning(`${old}   `) : '';
}

/**
 * The present condition in one line: workloads in trouble, whether failover is on, clusters that are not Ready,
 * evictions, drains, controllers.
 * @param brief without normal states if something else is not normal
 * @param briefest also with `?` for uncertain
 */
export function conditionWords(
  { overview, warnings, controllers }: Feed,
  now: number,
  between: string,
  brief = false,
  briefest = false,
): Words {
  if (!overview) return '';
  const { status, evictions, unplayed, drains, trouble } = overview;
  const { state, certainty } = status.failover;
  const down = status.clusters.filter(({ ready }) => ready.status !== 'True');
  const failover: Words = ['Failover ', failoverStateWords(status.failover, brief ? '?' : undefined)];
  const clusters: Words =
    down.length === 0
      ? [asGood(`all ${plural(status.clusters.length, 'cluster')} Ready`)]
      : asBad(
          `${listed(
            down.map(({ name }) => name),
            2,
          )} not Ready`,
        );
  const inFlight: Words =
    evictions.length === 0
      ? asFaint('no evictions')
      : [
          joined([plural(evictions.length, 'eviction'), ...evictionTrouble(evictions, briefest)], ', '),
          unplayed === undefined ? '' : asFaint(`, ${unplayed} not simulated yet`),
        ];
  const draining = drains.map((drain) => asWarning(drainText(drain)));
  const pace = status.evictionPace;
  const paced = pace && pace.mode !== 'normal' ? [asBad(`evictions ${pace.mode}`)] : [];
  const working = controllers ? controllerWords(controllers, now) : [];
  const warned = warnings.length > 0 ? [asWarning(plural(warnings.length, 'warning'))] : [];
  const others = [...draining, ...working, ...paced, ...warned];
  const isShown = !brief || state !== 'on' || certainty !== 'certain';
  const first = [joined(troubleCounts(trouble, brief), ', ')].filter((words) => words !== '');
  return joined([...first, ...(isShown ? [failover] : []), clusters, inFlight, ...others], between);
}

/**
 * "drain of frankfurt: 12 of 80 gone, 3 leaving": its progress, and how many workloads are moving; if its annotation lacks the total, how
 * many it has not evicted yet: "5 to go".
 */
function drainText({ clusters, workloads, gone, waiting, leaving }: DrainUnderWay): string {
  const counts = [
    ...(gone !== null ? [`${gone} of ${workloads} gone`] : waiting > 0 ? [`${waiting} to go`] : []),
    ...(leaving > 0 ? [`${leaving} leaving`] : []),
  ];
  return `drain of ${listed(clusters, 2)}: ${waiting + leaving === 0 ? 'all gone' : counts.join(', ')}`;
}
